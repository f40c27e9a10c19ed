// SPDX-License-Identifier: GPL-2.0
/* Plot stacked bars: the stages that make up the mean latency of each device. */
#include <stdlib.h>
#include <string.h>
#include "core/units.h"
#include "blklat/plot/palette.h"
#include "blklat/plot/plot.h"
#include "blklat/plot/script.h"
#include "blklat/result/parts.h"

#define BAR_PX 58
#define KEY_GAP_PX 16
/* The key takes at most this part of the picture: the edge cuts names that are longer. */
#define KEY_PART 3
/* A stage that is narrower than this in all bars is left out. */
#define SEEN_PX 0.5
/* The axis is longer than the longest bar by this factor, so that the total fits behind the bar. */
#define HEADROOM 1.14

/* Return the stages of the bars: all stages with I/Os, except the thinking of tasks. */
static struct parts bar_parts(const struct plot_set *set)
{
	const struct result_dev **devs = calloc(set->n, sizeof(*devs));
	struct parts p = { 0 };
	size_t kept = 0;

	for (size_t i = 0; i < set->n && devs; i++)
		devs[i] = set->devs[i].dev;
	if (devs)
		parts_of(devs, set->n, &p);
	free(devs);
	for (size_t k = 0; k < p.n; k++) {
		bool any = false;

		for (size_t i = 0; i < set->n; i++)
			any |= part_of(set->devs[i].dev, &p.v[k]) &&
			       part_of(set->devs[i].dev, &p.v[k])->hist.count;
		if (any && !part_is_thinking(&p.v[k]))
			p.v[kept++] = p.v[k];
	}
	p.n = kept;
	return p;
}

static double longest(const struct plot_set *set)
{
	double max = 0;

	for (size_t i = 0; i < set->n; i++) {
		double mean = hist_mean(&set->devs[i].dev->total);

		max = mean > max ? mean : max;
	}
	return max;
}

static unsigned int label_width(const struct plot_set *set)
{
	return plot_label_len(set) * PLOT_CHAR_PX + 20;
}

/* Return the width of the key beside the bars, with its distance to them, in pixels. */
static unsigned int key_px(const struct plot_set *set, const struct plot_look *look)
{
	unsigned int most = look->width / KEY_PART, px;
	struct parts p = bar_parts(set);
	size_t len = 0;

	for (size_t i = 0; i < p.n; i++) {
		char label[DEV_TEXT];

		part_label(label, sizeof(label), &p.v[i]);
		len = strlen(label) > len ? strlen(label) : len;
	}
	parts_free(&p);
	px = KEY_GAP_PX + plot_key_width(len);
	return px < most ? px : most;
}

/* Return the length of the longest bar in pixels. */
static double bar_px(const struct plot_set *set, const struct plot_look *look)
{
	unsigned int beside = look->narrow ? 28 : label_width(set) + key_px(set, look);

	return ((double)look->width - beside) / HEADROOM;
}

static bool stages_shows(const struct plot_set *set)
{
	struct parts p = bar_parts(set);
	bool any = p.n;

	parts_free(&p);
	return any;
}

/* Write the texts that fit into a part of a bar: name and time, or the time only, or nothing. */
static void put_texts(const char *name, double mean, double px, FILE *f)
{
	char time[FMT_LEN];
	size_t len = strlen(name);

	fmt_time(time, sizeof(time), mean);
	if (len < strlen(time))
		len = strlen(time);
	if (px > len * PLOT_CHAR_PX + 4) {
		fputc('\t', f);
		plot_quote_data(name, f);
		fprintf(f, "\t\"%s\"\t\"\"\n", time);
	} else if (px > strlen(time) * PLOT_CHAR_PX) {
		fprintf(f, "\t\"\"\t\"\"\t\"%s\"\n", time);
	} else {
		fprintf(f, "\t\"\"\t\"\"\t\"\"\n");
	}
}

/* Write names, which may come from a result file, as fields of the data. */
static void put_names(const char *const *names, size_t n, FILE *f)
{
	for (size_t i = 0; i < n; i++) {
		plot_quote_data(names[i], f);
		fputc('\t', f);
	}
}

static void stages_data(const struct plot_set *set, const struct plot_look *look, FILE *f)
{
	struct parts p = bar_parts(set);
	double *at = calloc(set->n, sizeof(*at)), px = bar_px(set, look) / longest(set);

	fprintf(f, "# mean time per I/O of each stage, in ns; one block per stage, and a last "
		"block with the totals\n# row\tdevice\tstage\tgroup\tlayer\tfrom\tto\tmean\t"
		"upper text\tlower text\tonly text\n");
	for (size_t k = 0; k < p.n && at; k++) {
		const struct result_row *row = p.v[k].row;
		char label[DEV_TEXT];

		part_label(label, sizeof(label), &p.v[k]);
		fprintf(f, "%s# ", k ? "\n\n" : "");
		plot_quote_data(label, f);
		fputc('\n', f);
		for (size_t i = 0; i < set->n; i++) {
			double mean = part_mean(set->devs[i].dev, &p.v[k]);

			fprintf(f, "%zu\t", i);
			put_names((const char *[]) { set->devs[i].label, row->stage, row->group,
				  row->layer }, 4, f);
			fprintf(f, "%.3f\t%.3f\t%.3f", at[i], at[i] + mean, mean);
			put_texts(label, mean, mean * px, f);
			at[i] += mean;
		}
	}
	fprintf(f, "\n\n# row\tdevice\tmean\ttext\n");
	for (size_t i = 0; i < set->n; i++) {
		double mean = hist_mean(&set->devs[i].dev->total);
		char time[FMT_LEN];

		fprintf(f, "%zu\t", i);
		plot_quote_data(set->devs[i].label, f);
		fprintf(f, "\t%.3f\t\"%s\"\n", mean, fmt_time(time, sizeof(time), mean));
	}
	free(at);
	parts_free(&p);
}

/* Return true if the stage is wide enough in any bar to be seen. */
static bool is_seen(const struct plot_set *set, const struct plot_look *look, const struct part *p)
{
	double px = bar_px(set, look) / longest(set);

	for (size_t i = 0; i < set->n; i++)
		if (part_mean(set->devs[i].dev, p) * px >= SEEN_PX)
			return true;
	return false;
}

static unsigned int bars_bottom(const struct plot_set *set, const struct plot_look *look)
{
	return 8 + set->n * (look->narrow ? BAR_PX + 22 : BAR_PX);
}

/* Add the stages that are seen to the key; beside the picture, with a heading for each group. */
static void stages_key(const struct plot_set *set, struct plot_key *k, const struct plot_look *look)
{
	struct parts p = bar_parts(set);
	const char *group = "";

	plot_key_begin(k, look, look->width - key_px(set, look) + KEY_GAP_PX,
		       look->narrow ? bars_bottom(set, look) + 60 : 4);
	for (size_t i = 0; i < p.n; i++) {
		const struct result_row *row = p.v[i].row;
		char label[DEV_TEXT];

		if (!is_seen(set, look, &p.v[i]))
			continue;
		if (!look->narrow && strcmp(group, row->group))
			plot_key_add(k, MARK_HEADING, 0, row->group);
		group = row->group;
		part_label(label, sizeof(label), &p.v[i]);
		plot_key_add(k, MARK_BOX, palette_stage(row->stage, row->group, row->layer), label);
	}
	parts_free(&p);
}

static unsigned int stages_height(const struct plot_set *set, const struct plot_look *look)
{
	return plot_height(set, look, bars_bottom(set, look) + 60, stages_key);
}

static void script_axes(const struct plot_set *set, const struct plot_look *look, FILE *f)
{
	unsigned int height = stages_height(set, look);
	double ns;
	const char *unit;

	plot_unit(longest(set), &unit, &ns);
	fprintf(f, "ns = %g\nset xlabel 'mean time per I/O, %s'\n", ns, unit);
	fprintf(f, "set xrange [0:%g]\nset yrange [%g:-0.6]\n", longest(set) / ns * HEADROOM,
		set->n - 0.4);
	fprintf(f, "set border 1\nset tics nomirror scale 0\nset grid xtics noytics\n");
	plot_frame(look, height, look->narrow ? 14 : label_width(set),
		   look->width - (look->narrow ? 14 : key_px(set, look)), 8,
		   bars_bottom(set, look), f);
	if (look->narrow)
		fprintf(f, "unset ytics\n");
}

static void script_part(const struct part *p, size_t k, unsigned int *items, FILE *f)
{
	const struct result_row *row = p->row;
	uint32_t colour = palette_stage(row->stage, row->group, row->layer);

	plot_item(items, f);
	fprintf(f, "data index %zu using (($6+$7)/2/ns):1:($6/ns):($7/ns):($1-half):($1+half) "
		"with boxxyerror fillstyle solid 1.0 border linecolor rgb '#%06x' "
		"fillcolor rgb '#%06x' notitle", k, palette_roles[PAPER].light, colour);
}

static void script_texts(const struct part *p, size_t k, unsigned int *items, FILE *f)
{
	static const char *const offsets[] = { "0,0.5", "0,-0.5", "0,0" };
	const struct result_row *row = p->row;
	uint32_t ink = palette_ink_on(palette_stage(row->stage, row->group, row->layer));

	for (int i = 0; i < 3; i++) {
		plot_item(items, f);
		fprintf(f, "data index %zu using (($6+$7)/2/ns):1:%d with labels offset %s "
			"font ',12' textcolor rgb '#%06x' notitle", k, 9 + i, offsets[i], ink);
	}
}

static void stages_script(const struct plot_set *set, const struct plot_look *look, FILE *f)
{
	struct parts p = bar_parts(set);
	struct plot_key key = { .f = f, .height = stages_height(set, look) };
	unsigned int items = 0;

	script_axes(set, look, f);
	stages_key(set, &key, look);
	fprintf(f, "half = %g\n", look->narrow ? 0.28 : 0.38);
	for (size_t k = 0; k < p.n; k++) {
		if (!is_seen(set, look, &p.v[k]))
			continue;
		script_part(&p.v[k], k, &items, f);
		script_texts(&p.v[k], k, &items, f);
	}
	plot_item(&items, f);
	fprintf(f, "data index %zu using ($3/ns):1:4 with labels left offset 0.7,0 "
		"textcolor rgb '#%06x' notitle", p.n, palette_roles[INK].light);
	plot_item(&items, f);
	if (look->narrow)
		fprintf(f, "data index %zu using (0):($1-0.42):2 with labels left "
			"textcolor rgb '#%06x' notitle\n", p.n, palette_roles[INK].light);
	else
		fprintf(f, "data index %zu using (0):1:ytic(2) with points pointtype 0 notitle\n",
			p.n);
	parts_free(&p);
}

const struct plot plot_stages = {
	.name = "stages",
	.title = "Where the time goes",
	.note = "Mean time per I/O, by stage. The stages of a group are side by side, in shades of "
		"one colour. Stages that are too short to be seen are only in the table.",
	.shows = stages_shows,
	.data = stages_data,
	.script = stages_script,
	.height = stages_height,
};
