// SPDX-License-Identifier: GPL-2.0
/* Plot when the I/Os of each device had which latency: a picture per device, one below another. */
#include <math.h>
#include <stdio.h>
#include "blklat/plot/palette.h"
#include "blklat/plot/plot.h"
#include "blklat/plot/script.h"
#include "blklat/result/heat.h"

#define TOP 34
#define PANEL 170	/* height of the axes of a device */
#define BETWEEN 62
#define BELOW 60
#define LEVELS 20
#define LEAST 0.16		/* opacity of a cell with one I/O */

static bool shown(const struct plot_set *set, size_t i)
{
	return heat_shows(set->devs[i].dev, set->stage);
}

static size_t panels(const struct plot_set *set)
{
	size_t n = 0;

	for (size_t i = 0; i < set->n; i++)
		n += shown(set, i);
	return n;
}

static bool heat_map_shows(const struct plot_set *set)
{
	return panels(set) > 0;
}

static int make(struct heat *h, const struct plot_set *set, size_t i, const struct plot_look *look)
{
	return heat_make(h, set->devs[i].dev, set->stage, look->narrow ? 40 : 90, 28);
}

static void cell_lines(const struct heat *h, uint32_t colour, FILE *f)
{
	for (size_t c = 0; c < h->ncols; c++)
		for (size_t b = 0; b < h->nbands; b++) {
			uint64_t count = h->counts[c * h->nbands + b];

			if (!count)
				continue;
			fprintf(f, "%.6f\t%.6f\t%llu\t%llu\t%llu\t%u\n", h->cols[c].from_ns / 1e9,
				h->cols[c].to_ns / 1e9, (unsigned long long)h->edges[b],
				(unsigned long long)h->edges[b + 1], (unsigned long long)count,
				palette_shade(colour, LEAST + (1 - LEAST) *
					      heat_level(h, count, LEVELS) / LEVELS));
		}
}

static void heat_data(const struct plot_set *set, const struct plot_look *look, FILE *f)
{
	const char *blank = "";

	fprintf(f, "# a line per cell that has I/Os, one block per device\n"
		"# from_s\tto_s\tfrom_ns\tbelow_ns\tI/Os\tcolour\n");
	for (size_t i = 0; i < set->n; i++) {
		struct heat h;

		if (!shown(set, i))
			continue;
		fprintf(f, "%s# ", blank);
		plot_quote_data(set->devs[i].label, f);
		fputc('\n', f);
		blank = "\n\n";
		if (!make(&h, set, i, look))
			cell_lines(&h, palette_line(i), f);
		heat_free(&h);
	}
}

static unsigned int heat_height(const struct plot_set *set, const struct plot_look *look)
{
	size_t n = panels(set);

	return TOP + n * PANEL + (n - 1) * BETWEEN + BELOW;
}

static void script_title(const struct plot_set *set, size_t i, const struct heat *h, FILE *f)
{
	char text[300], stage[DEV_TEXT];

	heat_label(stage, sizeof(stage), set->devs[i].dev, set->stage);
	snprintf(text, sizeof(text), "%s, %s: up to %llu I/O%s in a cell", set->devs[i].label,
		 stage, (unsigned long long)h->most, h->most > 1 ? "s" : "");
	fputs("set label ", f);
	plot_quote(text, f);
	fprintf(f, " at graph 0, graph 1 left offset 0,0.8 textcolor rgb '#%06x'\n",
		palette_roles[MUTED].light);
}

static void heat_script(const struct plot_set *set, const struct plot_look *look, FILE *f)
{
	unsigned int height = heat_height(set, look), n = 0, left = look->narrow ? 60 : 76;

	fprintf(f, "set multiplot\nset border 3\nset tics nomirror scale 0.5\n"
		"unset grid\nset xlabel 'time, s'\n");
	for (size_t i = 0; i < set->n; i++) {
		double top = TOP + (double)n * (PANEL + BETWEEN);
		unsigned int items = 0;
		struct heat h;

		if (!shown(set, i))
			continue;
		if (make(&h, set, i, look)) {
			heat_free(&h);
			continue;
		}
		plot_frame(look, height, left, look->width - 16, top, top + PANEL, f);
		fprintf(f, "unset label\nset xrange [%.6f:%.6f]\n", h.cols[0].from_ns / 1e9,
			h.cols[h.ncols - 1].to_ns / 1e9);
		script_title(set, i, &h, f);
		plot_log_axis(h.edges[0] ?: 1, h.edges[h.nbands], f);
		plot_item(&items, f);
		fprintf(f, "data index %u using (($1+$2)/2):(bottom):1:2:($3>0?$3:1):4:6 with "
			"boxxyerror fillstyle solid 1.0 noborder linecolor rgb variable notitle\n",
			n++);
		heat_free(&h);
	}
	fprintf(f, "unset multiplot\n");
}

const struct plot plot_heat = {
	.name = "heat",
	.title = "Latency over time",
	.note = "How many I/Os ended in a part of the run with a given latency: the stronger the "
		"colour, the more, on a logarithmic scale. Even a single I/O has a visible colour. "
		"A stall is a gap below a cell with a long latency.",
	.shows = heat_map_shows,
	.data = heat_data,
	.script = heat_script,
	.height = heat_height,
};
