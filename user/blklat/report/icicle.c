// SPDX-License-Identifier: GPL-2.0
/* Show icicles on the terminal and in JSON: how the time of an I/O is nested in its layers. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/plot/palette.h"
#include "blklat/report/icicle.h"
#include "blklat/result/icicle.h"
#include "core/log.h"
#include "core/text.h"
#include "core/units.h"
#include "core/utf8.h"

/*
 * These colours of a terminal's 256 are for stages that are longer and shorter than the baseline's,
 * and for all other blocks.
 */
#define LONGER 161
#define SHORTER 25
#define PLAIN 252
#define BLACK 16
#define WHITE 231

/**
 * struct drawing - an icicle that is drawn with characters
 * @dev: the device
 * @of: the I/Os
 * @cmp: for a drawing of the differences to a baseline, the comparison; else NULL
 * @ic: the blocks
 * @scale: columns per ns
 * @width: columns of the terminal
 * @color: the blocks have the colours of the plots
 * @small: the names and times of the stages that have no room for them
 */
struct drawing {
	const struct plot_dev *dev;
	enum icicle_of of;
	const struct comparison *cmp;
	struct icicle ic;
	double scale;
	size_t width;
	bool color;
	FILE *small;
};

/* Return the colour of 256 that is next to an RGB colour: there are six steps of each part. */
static unsigned int colour_256(uint32_t rgb)
{
	unsigned int n = 0;

	for (int shift = 16; shift >= 0; shift -= 8)
		n = 6 * n + ((rgb >> shift & 0xff) * 5 + 127) / 255;
	return 16 + n;
}

static void put_colours(const struct icicle_block *b, const struct drawing *d, double by, FILE *f)
{
	unsigned int fill = PLAIN, ink = BLACK;

	if (!d->color)
		return;
	if (by) {
		fill = by > 0 ? LONGER : SHORTER;
		ink = WHITE;
	} else if (!b->frame && !d->cmp) {
		uint32_t rgb = palette_stage(b->row->stage, b->row->group, b->row->layer);

		fill = colour_256(rgb);
		ink = palette_ink_on(rgb) ? WHITE : BLACK;
	}
	fprintf(f, "\033[48;5;%u;38;5;%um", fill, ink);
}

static size_t column(const struct drawing *d, double ns)
{
	return lround(fmin(ns * d->scale, d->width - 1));
}

/* Note a stage whose name and time have no room in the drawing. */
static void note_small(const struct drawing *d, const struct result_row *row, const char *sign,
		       const char *time)
{
	char label[DEV_TEXT];

	result_stage_label(label, sizeof(label), row->stage, row->layer,
			   *row->kind ? row->kind : row->device);
	fprintf(d->small, "%s%s %s%s", ftell(d->small) ? ", " : "", label, sign, time);
}

/*
 * Write what is in a block of @room columns: its name and time, or its name, or nothing. In a
 * drawing of differences, a stage that is not known to differ has no text.
 */
static void put_text(const struct drawing *d, const struct icicle_block *b, double by, size_t room,
		     FILE *f)
{
	char name[sizeof(d->dev->label)], time[FMT_LEN], both[sizeof(name) + FMT_LEN + 2];
	const char *text = "", *sign = by > 0 ? "+" : by < 0 ? "-" : "";

	utf8_one_line(icicle_name(name, sizeof(name), d->dev->label, b));
	fmt_time(time, sizeof(time), by ? fabs(by) : b->to - b->from);
	snprintf(both, sizeof(both), "%s %s%s", name, sign, time);
	if (b->frame || by || !d->cmp) {
		text = utf8_columns(both) <= room ? both : utf8_columns(name) <= room ? name : "";
		if (text != both && !b->frame)
			note_small(d, b->row, sign, time);
	}
	text_printf(f, "%s%*s", text, (int)(room - utf8_columns(text)), "");
}

static int by_from(const void *a, const void *b)
{
	double x = ((const struct icicle_block *)a)->from;
	double y = ((const struct icicle_block *)b)->from;

	return (x > y) - (x < y);
}

/* Print a row. The first column of each block, and the one after the last block, is a bar. */
static void put_row(struct drawing *d, unsigned int depth, FILE *f)
{
	bool open = false;
	size_t at = 0;

	for (size_t k = 0; k < d->ic.n; k++) {
		const struct icicle_block *b = &d->ic.v[k];
		size_t from = column(d, b->from), to = column(d, b->to);
		double by;

		if (b->depth != depth)
			continue;
		by = b->frame ? 0 : icicle_longer(d->cmp, d->dev->dev, b->row);
		if (to <= from || from < at) {
			put_text(d, b, by, 0, f);
			continue;
		}
		if (open && from > at) {
			fputc('|', f);
			at++;
		}
		fprintf(f, "%*s|", (int)(from - at), "");
		put_colours(b, d, by, f);
		put_text(d, b, by, to - from - 1, f);
		if (d->color)
			fputs("\033[m", f);
		at = to;
		open = true;
	}
	fprintf(f, "%s\n", open ? "|" : "");
}

static void put_title(const struct drawing *d, FILE *f)
{
	const struct result_dev *dev = d->dev->dev;
	char mean[FMT_LEN], from[FMT_LEN];
	struct text lines;
	FILE *to = text_open(&lines, f);

	fmt_time(mean, sizeof(mean), icicle_mean(dev, d->of));
	if (d->cmp)
		fprintf(to, "\n%s: stages that differ from %s, net of tracing\n", d->dev->label,
			d->cmp->devs[d->cmp->baseline]->label);
	else if (d->of == ICICLE_SLOW)
		fprintf(to, "\n%s: layers, mean of %s per I/O of the %llu slowest (p99, %s or "
			"more)\n", d->dev->label, mean,
			(unsigned long long)icicle_ios(dev, d->of),
			fmt_time(from, sizeof(from), icicle_slow_from(dev)));
	else
		fprintf(to, "\n%s: layers, mean of %s per I/O\n", d->dev->label, mean);
	text_close(&lines);
}

static int draw(struct drawing *d, FILE *f)
{
	char *small = NULL;
	size_t len = 0;

	d->small = open_memstream(&small, &len);
	if (!d->small)
		return -ENOMEM;
	icicle_make(&d->ic, d->dev->dev, d->of);
	qsort(d->ic.v, d->ic.n, sizeof(*d->ic.v), by_from);
	put_title(d, f);
	for (unsigned int depth = 0; depth < icicle_rows(d->dev->dev); depth++)
		put_row(d, depth, f);
	fclose(d->small);
	if (len) {
		fputs("no room for: ", f);
		text_wrap(f, small, 2, strlen("no room for: "), d->width);
	}
	free(small);
	return 0;
}

/* Draw all devices on the same scale. */
static int draw_all(const struct plot_set *set, enum icicle_of of, const struct comparison *cmp,
		    FILE *f)
{
	struct drawing d = { .of = of, .cmp = cmp, .color = log_color(f),
			     .width = text_drawing_width(f) };
	int ret = 0;

	d.scale = (d.width - 1) / plot_icicle_length(set, of);
	for (size_t i = 0; i < set->n && !ret; i++) {
		d.dev = &set->devs[i];
		if (icicle_shown(d.dev->dev, of, cmp, cmp))
			ret = draw(&d, f);
	}
	return ret;
}

int icicles_print(const struct plot_set *set, FILE *f)
{
	int ret = draw_all(set, ICICLE_ALL, NULL, f);

	ret = ret ?: draw_all(set, ICICLE_SLOW, NULL, f);
	for (size_t i = 0; i < set->n && !ret; i++)
		if (set->devs[i].dev->total.count && !icicle_ios(set->devs[i].dev, ICICLE_SLOW))
			info("%s: the slowest I/Os are not drawn, because the trace also counted "
			     "I/Os of other turns", set->devs[i].label);
	if (set->cmp)
		ret = ret ?: draw_all(set, ICICLE_ALL, set->cmp, f);
	return ret;
}

/*
 * Members of the JSON object "block":
 * @name: string: Text of the block: label of the device, kind of the layer, ``disk``, or name of
 *	the stage without ``layer``.
 * @depth: integer: Row of the picture; the frame of the device is in row 0.
 * @from_ns: number: Begin of the block, on a scale of the mean time per I/O.
 * @to_ns: number: End of the block, on the same scale.
 * @stage: string, optional: Name of the stage; absent for a frame.
 * @layer: string, optional: ``leaf``, or depth of the stage's layer: ``0``... Absent for a frame.
 * @difference_ns: number, optional: How much longer the stage takes than that of the baseline, net
 *	of tracing. Only in icicles of ``all`` I/Os, and only if the stage is known to differ.
 */
static json_object *block_json(const struct plot_set *set, const struct plot_dev *dev,
			       const struct icicle_block *b, enum icicle_of of)
{
	json_object *o = json_object_new_object();
	double by = b->frame || of != ICICLE_ALL ? 0 : icicle_longer(set->cmp, dev->dev, b->row);
	char name[DEV_TEXT];

	json_str(o, "name", icicle_name(name, sizeof(name), dev->label, b));
	json_u64(o, "depth", b->depth);
	json_real(o, "from_ns", b->from);
	json_real(o, "to_ns", b->to);
	if (!b->frame) {
		json_str(o, "stage", b->row->stage);
		json_str(o, "layer", b->row->layer);
	}
	if (by)
		json_real(o, "difference_ns", by);
	return o;
}

/*
 * Members of the JSON object "icicle":
 * @label: string: Label of the device, as in the object "comparison".
 * @of: string: I/Os that the icicle shows: ``all``, or ``p99`` for the I/Os of ``tail[]`` from the
 *	p99 on. A device of a comparison has no ``p99`` if the trace also counted I/Os outside of
 *	the device's own turns, such as those of a device above.
 * @ios: integer: Number of these I/Os.
 * @blocks[]: block: The frame of the device, of each layer and of the disk, and the stages in them.
 */
json_object *icicles_json(const struct plot_set *set)
{
	static const char *const names[] = { [ICICLE_ALL] = "all", [ICICLE_SLOW] = "p99" };
	json_object *list = json_object_new_array();

	for (int of = ICICLE_ALL; of <= ICICLE_SLOW; of++)
		for (size_t i = 0; i < set->n; i++) {
			json_object *o, *blocks;
			struct icicle ic;

			if (!icicle_ios(set->devs[i].dev, of))
				continue;
			icicle_make(&ic, set->devs[i].dev, of);
			o = json_object_new_object();
			blocks = json_object_new_array();
			json_str(o, "label", set->devs[i].label);
			json_str(o, "of", names[of]);
			json_u64(o, "ios", icicle_ios(set->devs[i].dev, of));
			for (size_t k = 0; k < ic.n; k++)
				json_object_array_add(blocks, block_json(set, &set->devs[i],
									 &ic.v[k], of));
			json_object_object_add(o, "blocks", blocks);
			json_object_array_add(list, o);
		}
	return list;
}
