// SPDX-License-Identifier: GPL-2.0
/* Plot the distribution of latencies, with room for the tail: 90, 99, 99.9 % are equally spaced. */
#include <math.h>
#include <string.h>
#include "core/units.h"
#include "blklat/plot/palette.h"
#include "blklat/plot/plot.h"
#include "blklat/plot/script.h"
#include "uapi/loglin.h"

#define MOST_NINES 5

/* Return the number of nines in a share: 2 for 0.99. */
static double nines(double share)
{
	return -log10(1 - share);
}

static bool cdf_shows(const struct plot_set *set)
{
	for (size_t i = 0; i < set->n; i++)
		if (set->devs[i].dev->total.count > 1)
			return true;
	return false;
}

/* Return where the curve ends. The smallest share that it can show is one of all I/Os. */
static double last_nines(const struct hist *h)
{
	return fmin(nines(1 - 1.0 / h->count), MOST_NINES);
}

static double value_of(const struct hist *h, uint32_t i)
{
	uint64_t v = loglin_high(i, h->bits);

	if (i + 1 >= h->nbuckets || v > h->max)
		v = h->max;
	return v < h->min ? h->min : v;
}

static void curve(const struct hist *h, FILE *f)
{
	uint64_t seen = 0;
	double at = 0;

	fprintf(f, "%llu\t0\t0\n", (unsigned long long)h->min);
	for (uint32_t i = 0; i < h->nbuckets && at < MOST_NINES; i++) {
		double v = value_of(h, i);

		if (!h->buckets[i])
			continue;
		fprintf(f, "%.0f\t%.4f\t%.7g\n", v, at, 100.0 * seen / h->count);
		seen += h->buckets[i];
		at = seen >= h->count ? last_nines(h) :
		     fmin(nines((double)seen / h->count), last_nines(h));
		fprintf(f, "%.0f\t%.4f\t%.7g\n", v, at, 100.0 * seen / h->count);
	}
}

static void cdf_data(const struct plot_set *set, const struct plot_look *look, FILE *f)
{
	fprintf(f, "# latency in ns, -log10(1 - share of I/Os that took at most this latency), "
		"the share in per cent; one block per device\n");
	for (size_t i = 0; i < set->n; i++) {
		const struct hist *h = &set->devs[i].dev->total;

		fprintf(f, "%s# ", i ? "\n\n" : "");
		plot_quote_data(set->devs[i].label, f);
		fputc('\n', f);
		if (h->count > 1)
			curve(h, f);
		else
			fprintf(f, "NaN\tNaN\tNaN\n");
	}
}

static const enum plot_mark marks[] = { MARK_LINE, MARK_DASHES };

/* Return the kind of line: when the six colours repeat, lines are dashed. */
static enum plot_mark mark_of(size_t i)
{
	return marks[i / 6 % 2];
}

static unsigned int axes_bottom(const struct plot_look *look)
{
	return look->narrow ? 300 : 350;
}

static void cdf_key(const struct plot_set *set, struct plot_key *k, const struct plot_look *look)
{
	plot_key_begin(k, look, look->width - plot_key_width(plot_label_len(set)),
		       look->narrow ? axes_bottom(look) + 60 : 20);
	for (size_t i = 0; i < set->n; i++)
		if (set->devs[i].dev->total.count > 1)
			plot_key_add(k, mark_of(i), palette_line(i), set->devs[i].label);
}

static unsigned int cdf_height(const struct plot_set *set, const struct plot_look *look)
{
	return plot_height(set, look, axes_bottom(look) + 60, cdf_key);
}

/* Put tics at 1, 2 and 5 of each decade. With many decades, only the 1 gets a text. */
static void script_times(double min, double max, bool narrow, FILE *f)
{
	bool few = log10(max / min) < (narrow ? 1.2 : 2.6);
	const char *comma = "";

	fprintf(f, "set xrange [%g:%g]\nset xtics (", min / 1.15, max * 1.15);
	for (double ten = pow(10, floor(log10(min))); ten <= max * 1.15; ten *= 10)
		for (int k = 1; k <= 5; k += k == 2 ? 3 : 1) {
			char text[FMT_LEN];

			if (ten * k < min / 1.15 || ten * k > max * 1.15)
				continue;
			plot_tick(text, sizeof(text), ten * k);
			fprintf(f, "%s'%s' %.0f%s", comma, few || k == 1 ? text : "", ten * k,
				few || k == 1 ? "" : " 1");
			comma = ", ";
		}
	fprintf(f, ")\n");
}

static void cdf_script(const struct plot_set *set, const struct plot_look *look, FILE *f)
{
	struct plot_key key = { .f = f, .height = cdf_height(set, look) };
	double min = INFINITY, max = 0, top = 1;
	unsigned int items = 0;

	for (size_t i = 0; i < set->n; i++) {
		const struct hist *h = &set->devs[i].dev->total;

		if (h->count < 2)
			continue;
		min = fmin(min, h->min ?: 1);
		max = fmax(max, h->max);
		top = fmax(top, last_nines(h));
	}
	fprintf(f, "set logscale x\n");
	script_times(min, max, look->narrow, f);
	fprintf(f, "set yrange [0:%g]\nset ytics ('0' 0, '50 %%%%' 0.30103, '90 %%%%' 1, "
		"'99 %%%%' 2, '99.9 %%%%' 3, '99.99 %%%%' 4, '99.999 %%%%' 5)\n",
		ceil(top - 1e-9));
	fprintf(f, "set xlabel 'latency of the traced I/Os'\nset border 3\n"
		"set tics nomirror scale 0.5\nset grid xtics ytics\n");
	plot_axis_title("share of I/Os up to this latency", f);
	plot_frame(look, key.height, look->narrow ? 70 : 84,
		   look->width - (look->narrow ? 16 : 16 + plot_key_width(plot_label_len(set))), 34,
		   axes_bottom(look), f);
	cdf_key(set, &key, look);
	for (size_t i = 0; i < set->n; i++) {
		if (set->devs[i].dev->total.count < 2)
			continue;
		plot_item(&items, f);
		fprintf(f, "data index %zu using 1:2 with lines linewidth 2 linecolor rgb '#%06x' "
			"dashtype %s notitle", i, palette_line(i),
			mark_of(i) == MARK_LINE ? "solid" : "(6,4)");
	}
	fputc('\n', f);
}

const struct plot plot_cdf = {
	.name = "latency",
	.title = "Distribution of the latency",
	.note = "The share of the traced I/Os that took at most a given time. From 90 % on, each "
		"step up the scale leaves a tenth of the I/Os above the step before. A curve ends "
		"with the slowest I/O.",
	.shows = cdf_shows,
	.data = cdf_data,
	.script = cdf_script,
	.height = cdf_height,
};
