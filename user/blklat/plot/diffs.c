// SPDX-License-Identifier: GPL-2.0
/* Plot the differences of devices to the baseline of a comparison, with confidence intervals. */
#include <math.h>
#include <string.h>
#include "blklat/plot/palette.h"
#include "blklat/plot/plot.h"
#include "blklat/plot/script.h"
#include "blklat/result/compare_stats.h"

#define DEV_PX 86
#define KEY_PX 190

static const struct {
	enum compare_what what;
	const char *name;
} shown[] = {
	{ COMPARE_MEAN, "mean latency" },
	{ COMPARE_P99, "p99 latency" },
	{ COMPARE_CPU, "CPU time per I/O" },
	{ COMPARE_IOPS, "I/Os per second" },
};
#define NR_SHOWN (sizeof(shown) / sizeof(*shown))

/* This is a difference in per cent of the baseline. */
struct diff {
	double value, low, high;
	bool interval, significant;
};

/* Find the difference of a device in figure shown[@k]. Return false if it is not known. */
static bool diff_of(const struct comparison *c, size_t dev, size_t k, struct diff *d)
{
	const struct compare_value *base = &c->rows[COMPARE_HEAD].v[c->baseline][shown[k].what];
	const struct compare_value *v = &c->rows[COMPARE_HEAD].v[dev][shown[k].what];

	if (dev == c->baseline || !v->has_diff || !(base->value > 0))
		return false;
	*d = (struct diff){
		.value = 100 * v->diff.estimate / base->value,
		.low = 100 * (v->diff.interval ? v->diff.low : v->diff.estimate) / base->value,
		.high = 100 * (v->diff.interval ? v->diff.high : v->diff.estimate) / base->value,
		.interval = v->diff.interval,
		.significant = v->significant,
	};
	return isfinite(d->value) && isfinite(d->low) && isfinite(d->high);
}

static bool diffs_shows(const struct plot_set *set)
{
	struct diff d;

	for (size_t i = 0; set->cmp && i < set->cmp->ndevs; i++)
		for (size_t k = 0; k < NR_SHOWN; k++)
			if (diff_of(set->cmp, i, k, &d))
				return true;
	return false;
}

/* Find the range of all intervals. It includes 0. */
static void range_of(const struct comparison *c, double *low, double *high)
{
	struct diff d;

	*low = *high = 0;
	for (size_t i = 0; i < c->ndevs; i++)
		for (size_t k = 0; k < NR_SHOWN; k++)
			if (diff_of(c, i, k, &d)) {
				*low = fmin(*low, d.low);
				*high = fmax(*high, d.high);
			}
	if (*high - *low < 1)
		*high = *low + 1;
}

static void diffs_data(const struct plot_set *set, const struct plot_look *look, FILE *f)
{
	const struct comparison *c = set->cmp;
	struct diff d;

	fprintf(f, "# differences to the baseline, in per cent of the baseline; for each figure a "
		"block of the significant differences, and a block of the others\n"
		"# row\tdevice\tdifference\tfrom\tto\ttext\n");
	for (size_t k = 0; k < NR_SHOWN; k++)
		for (int real = 1; real >= 0; real--) {
			size_t row = 0;

			fprintf(f, "%s# %s, %s\n", k || !real ? "\n\n" : "", shown[k].name,
				real ? "significant" : "may be chance");
			for (size_t i = 0; i < c->ndevs; i++) {
				if (i == c->baseline)
					continue;
				fprintf(f, "%zu\t", row++);
				plot_quote_data(c->devs[i]->label, f);
				if (diff_of(c, i, k, &d) && d.significant == real)
					fprintf(f, "\t%.6g\t%.6g\t%.6g\t\"%s%+.*f %%\"\n", d.value,
						d.low, d.high,
						real ? "" : d.interval ? "~ " : "? ",
						compare_percent_digits(d.value), d.value);
				else
					fprintf(f, "\tNaN\tNaN\tNaN\t\"\"\n");
			}
		}
}

static unsigned int axes_bottom(const struct plot_set *set)
{
	return 8 + (set->cmp->ndevs - 1) * DEV_PX;
}

static void diffs_key(const struct plot_set *set, struct plot_key *k, const struct plot_look *look)
{
	plot_key_begin(k, look, look->width - KEY_PX + 16,
		       look->narrow ? axes_bottom(set) + 60 : 4);
	for (size_t i = 0; i < NR_SHOWN; i++)
		plot_key_add(k, MARK_POINT, palette_line(i), shown[i].name);
	plot_key_add(k, MARK_RING, palette_roles[MUTED].light, "may be chance");
}

static unsigned int diffs_height(const struct plot_set *set, const struct plot_look *look)
{
	return plot_height(set, look, axes_bottom(set) + 60, diffs_key);
}

static size_t label_len(const struct comparison *c)
{
	size_t longest = 0;

	for (size_t i = 0; i < c->ndevs; i++)
		if (strlen(c->devs[i]->label) > longest)
			longest = strlen(c->devs[i]->label);
	return longest;
}

static void diffs_script(const struct plot_set *set, const struct plot_look *look, FILE *f)
{
	struct plot_key key = { .f = f, .height = diffs_height(set, look) };
	unsigned int items = 0, left = look->narrow ? 30 : label_len(set->cmp) * PLOT_CHAR_PX + 20;
	unsigned int right = look->width - (look->narrow ? 20 : KEY_PX);
	double low, high, px;

	range_of(set->cmp, &low, &high);
	/* Leave room for the text to the right of a point. */
	px = (high - low) / (right - left - 110);
	fprintf(f, "set xrange [%g:%g]\nset xtics %g\nset yrange [%g:-0.6]\n"
		"set format x '%%+g %%%%'\n", low - 12 * px, high + 98 * px,
		plot_step((high - low + 110 * px) / (look->narrow ? 3.5 : 6)),
		set->cmp->ndevs - 1 - 0.4);
	fprintf(f, "set xlabel 'difference to '.");
	plot_quote(set->cmp->devs[set->cmp->baseline]->label, f);
	fprintf(f, "\nset border 1\nset tics nomirror scale 0\nset grid xtics noytics\n");
	fprintf(f, "set arrow from 0, graph 0 to 0, graph 1 nohead linewidth 1.5 "
		"linecolor rgb '#%06x'\n", palette_roles[INK].light);
	plot_frame(look, key.height, left, right, 8, axes_bottom(set), f);
	diffs_key(set, &key, look);
	if (look->narrow)
		fprintf(f, "unset ytics\n");
	for (size_t k = 0; k < NR_SHOWN; k++)
		for (int real = 1; real >= 0; real--) {
			double at = (look->narrow ? -0.14 : -0.3) +
				    k * (look->narrow ? 0.18 : 0.2);
			size_t block = 2 * k + !real;

			plot_item(&items, f);
			fprintf(f, "data index %zu using 3:($1%+g):4:5 with xerrorbars "
				"pointtype %d pointsize 0.6 linewidth 1.5 linecolor rgb '#%06x'",
				block, at, real ? 7 : 6, palette_line(k));
			plot_item(&items, f);
			fprintf(f, "data index %zu using 5:($1%+g):6 with labels left offset 0.8,0 "
				"font ',11' textcolor rgb '#%06x'", block, at,
				palette_roles[real ? INK : MUTED].light);
		}
	plot_item(&items, f);
	if (look->narrow)
		fprintf(f, "data index 0 using (%g):($1-0.38):2 with labels left "
			"textcolor rgb '#%06x'\n", low - 12 * px, palette_roles[INK].light);
	else
		fprintf(f, "data index 0 using (0):1:ytic(2) with points pointtype 0\n");
}

const struct plot plot_diffs = {
	.name = "differences",
	.title = "Differences to the baseline",
	.note = "The difference of each figure to the baseline, in per cent of the baseline, with "
		"its confidence interval. A ring or a ~ means that the difference may be chance, "
		"and a ? that there were too few rounds.",
	.shows = diffs_shows,
	.data = diffs_data,
	.script = diffs_script,
	.height = diffs_height,
};
