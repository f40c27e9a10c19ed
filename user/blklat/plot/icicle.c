// SPDX-License-Identifier: GPL-2.0
/*
 * Plot how the mean time of an I/O is nested in the layers of a stack: a frame per layer, and
 * beneath it the layer's stages and the layer below, from left to right in the order of time.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/units.h"
#include "blklat/plot/palette.h"
#include "blklat/plot/plot.h"
#include "blklat/plot/script.h"
#include "blklat/result/icicle.h"

#define ROW 27		/* height of a row of blocks, in pixels */
#define TOP 34
#define BETWEEN 40
#define BELOW 56
/* A block that is narrower than this is left out. */
#define SEEN_PX 0.5
/* The colours of stages that got longer and shorter; the smallest difference has this opacity. */
#define LONGER 0xcf3a62
#define SHORTER 0x1a5f9e
#define LEAST 0.15
#define MOST 0.6

/**
 * struct view - a kind of icicle
 * @of: the I/Os
 * @diff: colour only the stages that differ from the baseline
 */
struct view {
	enum icicle_of of;
	bool diff;
};

static const struct view all = { ICICLE_ALL }, slow = { ICICLE_SLOW },
			 differs = { ICICLE_ALL, true };

static bool shown(const struct plot_set *set, size_t i, const struct view *view)
{
	return icicle_shown(set->devs[i].dev, view->of, view->diff, set->cmp);
}

double plot_icicle_length(const struct plot_set *set, enum icicle_of of)
{
	double most = 1;

	for (size_t i = 0; i < set->n; i++)
		most = fmax(most, icicle_length(set->devs[i].dev, of));
	return most;
}

static double axes_px(const struct plot_look *look)
{
	return look->width - 32;
}

/* Choose the colours of a block and of its text. @by: how much longer it is than the baseline's */
static void choose_colours(const struct icicle_block *b, const struct view *view, double by,
			   double most, uint32_t *fill, uint32_t *ink)
{
	*fill = palette_roles[GRID].light;
	*ink = palette_roles[INK].light;
	if (b->frame)
		return;
	if (!view->diff) {
		*fill = palette_stage(b->row->stage, b->row->group, b->row->layer);
		*ink = palette_ink_on(*fill);
	} else if (by) {
		*fill = palette_shade(by > 0 ? LONGER : SHORTER, LEAST + (MOST - LEAST) *
				      fabs(by) / most);
	}
}

/* Write the name and the time, or only the name, or nothing, as far as the block has room. */
static void put_text(const struct plot_dev *dev, const struct icicle_block *b, double by, double px,
		     FILE *f)
{
	char name[sizeof(dev->label)], time[FMT_LEN], both[sizeof(name) + FMT_LEN];

	icicle_name(name, sizeof(name), dev->label, b);
	fmt_time(time, sizeof(time), by ? fabs(by) : b->to - b->from);
	snprintf(both, sizeof(both), "%s %s%s", name, by > 0 ? "+" : by < 0 ? "-" : "", time);
	fputc('\t', f);
	if (px > strlen(both) * PLOT_CHAR_PX)
		plot_quote_data(both, f);
	else
		plot_quote_data(px > strlen(name) * PLOT_CHAR_PX ? name : "", f);
	fputc('\n', f);
}

static void put_blocks(const struct plot_set *set, size_t i, const struct view *view, double scale,
		       FILE *f)
{
	const struct plot_dev *dev = &set->devs[i];
	double most = icicle_most(set->cmp, dev->dev);
	struct icicle ic;

	icicle_make(&ic, dev->dev, view->of);
	for (size_t k = 0; k < ic.n; k++) {
		const struct icicle_block *b = &ic.v[k];
		double px = (b->to - b->from) * scale, by = 0;
		uint32_t fill, ink;

		/*
		 * Write at least the device's own frame: gnuplot finds a device by the number of
		 * its block of lines, and would not count an empty one.
		 */
		if (px < SEEN_PX && b->depth)
			continue;
		if (view->diff && !b->frame)
			by = icicle_longer(set->cmp, dev->dev, b->row);
		choose_colours(b, view, by, most, &fill, &ink);
		fprintf(f, "%.3f\t%.3f\t%u\t%u\t%u\t", b->from, b->to, b->depth, fill, ink);
		plot_quote_data(b->frame ? "" : b->row->stage, f);
		fputc('\t', f);
		plot_quote_data(b->frame ? "" : b->row->layer, f);
		put_text(dev, b, by, px, f);
	}
}

static void put_data(const struct plot_set *set, const struct plot_look *look,
		     const struct view *view, FILE *f)
{
	double scale = axes_px(look) / plot_icicle_length(set, view->of);
	const char *blank = "";

	fprintf(f, "# a line per block, one block of lines per device\n"
		"# from_ns\tto_ns\trow\tcolour\tcolour of the text\tstage\tlayer\ttext\n");
	for (size_t i = 0; i < set->n; i++) {
		if (!shown(set, i, view))
			continue;
		fprintf(f, "%s# ", blank);
		plot_quote_data(set->devs[i].label, f);
		fputc('\n', f);
		blank = "\n\n";
		put_blocks(set, i, view, scale, f);
	}
}

static unsigned int height_of(const struct plot_set *set, const struct view *view)
{
	unsigned int height = TOP + BELOW;

	for (size_t i = 0, n = 0; i < set->n; i++)
		if (shown(set, i, view))
			height += icicle_rows(set->devs[i].dev) * ROW + (n++ ? BETWEEN : 0);
	return height;
}

static void put_script(const struct plot_set *set, const struct plot_look *look,
		       const struct view *view, FILE *f)
{
	unsigned int height = height_of(set, view), n = 0, count = 0;
	double top = TOP, most = plot_icicle_length(set, view->of), ns;
	const char *unit;

	for (size_t i = 0; i < set->n; i++)
		count += shown(set, i, view);
	plot_unit(most, &unit, &ns);
	fprintf(f, "set multiplot\nset border 1\nset tics nomirror scale 0\nunset grid\n"
		"unset ytics\nns = %g\nset xrange [0:%g]\n", ns, most / ns);
	for (size_t i = 0; i < set->n; i++) {
		unsigned int rows = icicle_rows(set->devs[i].dev);

		if (!shown(set, i, view))
			continue;
		plot_frame(look, height, 16, look->width - 16, top, top + rows * ROW, f);
		top += rows * ROW + BETWEEN;
		fprintf(f, "unset label\nset yrange [%u:0]\n", rows);
		/* All devices have the same axis, so only the last one gets its title. */
		if (n + 1 == count)
			fprintf(f, "set xlabel 'mean time per I/O, %s'\n", unit);
		fprintf(f, "plot data index %u using (($1+$2)/2/ns):($3+0.5):($1/ns):($2/ns):"
			"($3+0.04):($3+0.96):4 with boxxyerror fillstyle solid 1.0 noborder "
			"linecolor rgb variable notitle, \\\n"
			"  data index %u using (($1+$2)/2/ns):($3+0.5):8:5 with labels font ',12' "
			"textcolor rgb variable notitle\n", n, n);
		n++;
	}
	fprintf(f, "unset multiplot\n");
}

/* Return true if there is a device with layers and such I/Os. Without layers nothing is nested. */
static bool shows(const struct plot_set *set, const struct view *view)
{
	bool layers = false, any = false;

	for (size_t i = 0; i < set->n; i++) {
		layers |= icicle_ios(set->devs[i].dev, view->of) &&
			  icicle_layers(set->devs[i].dev);
		any |= shown(set, i, view);
	}
	return layers && any;
}

#define VIEW(view)									\
	static bool view##_shows(const struct plot_set *set)				\
	{										\
		return shows(set, &view);						\
	}										\
	static void view##_data(const struct plot_set *set, const struct plot_look *look,	\
				FILE *f)						\
	{										\
		put_data(set, look, &view, f);						\
	}										\
	static void view##_script(const struct plot_set *set, const struct plot_look *look, \
				  FILE *f)						\
	{										\
		put_script(set, look, &view, f);					\
	}										\
	static unsigned int view##_height(const struct plot_set *set,			\
					  const struct plot_look *look)			\
	{										\
		return height_of(set, &view);						\
	}
VIEW(all)
VIEW(slow)
VIEW(differs)

#define ICICLE_PLOT(view)								\
	.shows = view##_shows, .data = view##_data, .script = view##_script, .height = view##_height

const struct plot plot_icicle = {
	.name = "icicle",
	.title = "Layers",
	.note = "The mean time of an I/O on its way through the layers, in the order of time from "
		"left to right. Below the frame of a layer are its own stages, and between them "
		"the layer below. The times include what tracing takes.",
	ICICLE_PLOT(all),
};

const struct plot plot_icicle_slow = {
	.name = "icicle-p99",
	.title = "Layers, slowest I/Os",
	.note = "The same for the slowest I/Os only, those from the p99 on: what is wide here and "
		"narrow above makes I/Os slow.",
	ICICLE_PLOT(slow),
};

const struct plot plot_icicle_diffs = {
	.name = "layer-differences",
	.title = "Layers that differ from the baseline",
	.note = "The layers again, with a colour only for the stages whose mean differs from that "
		"of the baseline: red ones are longer, blue ones shorter, by the time that is in "
		"them if there is room. The stronger the colour, the larger the difference, net of "
		"tracing. Grey ones may differ by chance.",
	ICICLE_PLOT(differs),
};
