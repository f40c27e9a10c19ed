// SPDX-License-Identifier: GPL-2.0
/* Show heat maps on the terminal and in JSON. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/report/heat_map.h"
#include "blklat/result/heat.h"
#include "blklat/result/parts.h"
#include "core/log.h"
#include "core/text.h"
#include "core/units.h"

#define BANDS 16		/* so that a map fits on a terminal of 24 lines */
#define LABEL 9			/* width of the latencies beside the map */
#define TIME_LABEL 14		/* a time below the map needs at most this many columns */
#define CELL_MAX 4
#define JSON_COLUMNS 300
#define JSON_BANDS 64

/*
 * A cell is printed as a colour (of 256, from dark violet to yellow), a block or a character. Each
 * list goes from few I/Os to many.
 */
static const unsigned int colours[] = { 53, 90, 126, 162, 198, 204, 209, 214, 220, 228 };
static const char *const blocks[] = { "░", "▒", "▓", "█" };
static const char *const characters[] = { ".", ":", "-", "=", "+", "*", "#", "%", "@" };

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/**
 * struct ink - how cells are printed
 * @width: columns of the terminal that a cell of the map takes
 * @colour: by the colour of the background
 * @marks: without colours, a text for each level
 * @levels: number of levels
 */
struct ink {
	size_t width;
	bool colour;
	const char *const *marks;
	unsigned int levels;
};

static struct ink ink_for(FILE *f)
{
	if (log_color(f))
		return (struct ink){ .colour = true, .levels = COUNT(colours) };
	if (log_utf8())
		return (struct ink){ .marks = blocks, .levels = COUNT(blocks) };
	return (struct ink){ .marks = characters, .levels = COUNT(characters) };
}

static void put_cell(const struct ink *ink, unsigned int level, FILE *f)
{
	if (!level)
		fputc(' ', f);
	else if (ink->colour)
		fprintf(f, "\033[48;5;%um \033[m", colours[level - 1]);
	else
		fputs(ink->marks[level - 1], f);
}

/* Print the rows, the longest latencies first. Blanks at the end of a line are left out. */
static void put_rows(const struct heat *h, const struct ink *ink, FILE *f)
{
	for (size_t b = h->nbands; b-- > 0;) {
		size_t last = 0;
		char text[FMT_LEN];

		for (size_t c = 0; c < h->ncols; c++)
			if (h->counts[c * h->nbands + b])
				last = c + 1;
		fprintf(f, "%*s |", LABEL - 2, fmt_time(text, sizeof(text), h->edges[b]));
		for (size_t c = 0; c < last * ink->width; c++)
			put_cell(ink, heat_level(h, h->counts[c / ink->width * h->nbands + b],
						 ink->levels), f);
		fputc('\n', f);
	}
}

/* Print the times below the columns at which they begin. */
static void put_times(const struct heat *h, const struct ink *ink, FILE *f)
{
	size_t step = (TIME_LABEL + ink->width - 1) / ink->width;

	fprintf(f, "%*s", LABEL, "");
	for (size_t c = 0; c < h->ncols; c += step) {
		char text[FMT_LEN];
		bool last = c + step >= h->ncols;

		fmt_time(text, sizeof(text), h->cols[c].from_ns);
		/* A text that goes on to the right of the map could be too long for the line. */
		if (c && strlen(text) > (h->ncols - c) * ink->width)
			break;
		fprintf(f, "%-*s", last ? 0 : (int)(step * ink->width), text);
	}
	fputc('\n', f);
}

static double mean_length(const struct heat *h)
{
	double sum = 0;

	for (size_t c = 0; c < h->ncols; c++)
		sum += (double)h->cols[c].to_ns - (double)h->cols[c].from_ns;
	return sum / h->ncols;
}

/* Print how many I/Os each level stands for. */
static void put_legend(const struct heat *h, const struct ink *ink, FILE *f)
{
	uint64_t before = 0;

	fprintf(f, "%*sI/Os of a cell:", LABEL, "");
	for (unsigned int level = 1; level <= ink->levels; level++) {
		uint64_t least = ceil(pow(h->most + 1.0, (level - 1.0) / ink->levels) - 1e-9);
		char text[FMT_LEN];

		/* With few I/Os, levels begin at the same number: print each number only once. */
		if (least == before || least > h->most)
			continue;
		before = least;
		fputc(' ', f);
		put_cell(ink, heat_level(h, least, ink->levels), f);
		fprintf(f, " %s", fmt_count(text, sizeof(text), least));
	}
	fputs(" or more\n", f);
}

int heat_map_print(const struct plot_set *set, FILE *f)
{
	size_t width = text_drawing_width(f);
	struct ink ink = ink_for(f);
	char stage[DEV_TEXT], each[FMT_LEN];
	int ret = 0;

	width = width > LABEL + TIME_LABEL ? width - LABEL : TIME_LABEL;
	for (size_t i = 0; i < set->n && !ret; i++) {
		struct heat h;

		if (!heat_shows(set->devs[i].dev, set->stage))
			continue;
		ret = heat_make(&h, set->devs[i].dev, set->stage, width, BANDS);
		if (!ret) {
			ink.width = width / h.ncols < CELL_MAX ? width / h.ncols : CELL_MAX;
			heat_label(stage, sizeof(stage), set->devs[i].dev, set->stage);
			text_printf(f, "\n%s, %s: latency over time, %zu intervals of %s\n",
				set->devs[i].label, stage, h.ncols,
				fmt_time(each, sizeof(each), mean_length(&h)));
			put_rows(&h, &ink, f);
			put_times(&h, &ink, f);
			put_legend(&h, &ink, f);
		}
		heat_free(&h);
	}
	return ret;
}

/*
 * Members of the JSON object "heat column":
 * @from_ns: integer: Time from the start of the run to the begin of this part.
 * @to_ns: integer: Time from the start of the run to the end of this part.
 * @ios: integer: Number of I/Os in this part: the sum of ``ios`` of the cells.
 * @cells[]: heat cell: One per range of latencies that has I/Os. Ranges without I/Os are left out.
 */

/*
 * Members of the JSON object "heat cell":
 * @from_ns: integer: The shortest latency of the range.
 * @below_ns: integer: All latencies of the range are shorter than this. The range that ends at 2^40
 *	ns, about 18 minutes, also has all longer latencies.
 * @ios: integer: Number of I/Os in the range.
 */
static json_object *column_json(const struct heat *h, size_t c)
{
	json_object *o = json_object_new_object(), *cells = json_object_new_array();

	json_u64(o, "from_ns", h->cols[c].from_ns);
	json_u64(o, "to_ns", h->cols[c].to_ns);
	json_u64(o, "ios", h->cols[c].ios);
	for (size_t b = 0; b < h->nbands; b++) {
		json_object *cell;

		if (!h->counts[c * h->nbands + b])
			continue;
		cell = json_object_new_object();
		json_u64(cell, "from_ns", h->edges[b]);
		json_u64(cell, "below_ns", h->edges[b + 1]);
		json_u64(cell, "ios", h->counts[c * h->nbands + b]);
		json_object_array_add(cells, cell);
	}
	json_object_object_add(o, "cells", cells);
	return o;
}

/*
 * Members of the JSON object "heat map":
 * @label: string: Name that the user gave to the device.
 * @stage: string: ``total``, or label of the stage whose times are counted.
 * @columns[]: heat column: One per part of the run, in the order of time.
 */
json_object *heat_map_json(const struct plot_set *set)
{
	json_object *maps = json_object_new_array();
	char stage[DEV_TEXT];

	for (size_t i = 0; i < set->n; i++) {
		json_object *o, *cols;
		struct heat h;

		if (!heat_shows(set->devs[i].dev, set->stage))
			continue;
		o = json_object_new_object();
		cols = json_object_new_array();
		json_str(o, "label", set->devs[i].label);
		json_str(o, "stage",
			 heat_label(stage, sizeof(stage), set->devs[i].dev, set->stage));
		if (!heat_make(&h, set->devs[i].dev, set->stage, JSON_COLUMNS, JSON_BANDS))
			for (size_t c = 0; c < h.ncols; c++)
				json_object_array_add(cols, column_json(&h, c));
		heat_free(&h);
		json_object_object_add(o, "columns", cols);
		json_object_array_add(maps, o);
	}
	return maps;
}

/* Return true if a table or a heat map labels this stage of a device with @name. */
static bool is_called(const struct result_row *row, const char *name)
{
	char label[DEV_TEXT];

	result_stage_label(label, sizeof(label), row->stage, row->layer, row->kind);
	return !strcmp(row->label, name) || (*row->kind && !strcmp(label, name));
}

/* Return a row of one of the devices that is_called() with @name, or NULL. */
static const struct result_row *row_called(const struct plot_set *set, const char *name)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct result_rows *rows = &set->devs[i].dev->rows;

		for (size_t r = 0; r < rows->n; r++)
			if (is_called(&rows->v[r], name))
				return &rows->v[r];
	}
	return NULL;
}

/* Return the row whose label beside other devices is @name, or the only row of a stage @name. */
static const struct result_row *match(const struct parts *p, const char *name)
{
	const struct result_row *found = NULL;
	size_t n = 0;

	for (size_t k = 0; k < p->n; k++) {
		char label[DEV_TEXT];

		part_label(label, sizeof(label), &p->v[k]);
		if (!strcmp(label, name))
			return p->v[k].row;
		if (strcmp(p->v[k].row->stage, name))
			continue;
		found = p->v[k].row;
		n++;
	}
	return n == 1 ? found : NULL;
}

static int no_stage(const struct parts *p, const char *name)
{
	char list[1024] = "";

	for (size_t k = 0; k < p->n; k++) {
		char label[DEV_TEXT];
		size_t len = strlen(list);

		part_label(label, sizeof(label), &p->v[k]);
		snprintf(list + len, sizeof(list) - len, "%s%s", len ? ", " : "", label);
	}
	return err(-EINVAL, "--stage '%s': the stages are: %s", name, list);
}

int heat_map_find_stage(struct plot_set *set, const char *name)
{
	const struct result_dev **devs = calloc(set->n, sizeof(*devs));
	struct parts p = { 0 };
	int ret = 0;

	for (size_t i = 0; devs && i < set->n; i++)
		devs[i] = set->devs[i].dev;
	if (!devs || parts_of(devs, set->n, &p))
		ret = err(-ENOMEM, "out of memory");
	if (!ret) {
		set->stage = match(&p, name) ?: row_called(set, name);
		ret = set->stage ? 0 : no_stage(&p, name);
	}
	parts_free(&p);
	free(devs);
	return ret;
}

int heat_map_check(const struct plot_set *set)
{
	for (size_t i = 0; i < set->n; i++)
		if (heat_shows(set->devs[i].dev, set->stage))
			return 0;
	return err(-EINVAL, "no heat map can be made: no device has I/Os in two intervals; record "
		   "for longer, or with a shorter --interval");
}
