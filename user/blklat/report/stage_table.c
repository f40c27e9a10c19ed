// SPDX-License-Identifier: GPL-2.0
/* Make the stage table: where the time of devices goes, side by side. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/plot/palette.h"
#include "blklat/report/stage_table.h"
#include "blklat/result/parts.h"
#include "core/units.h"

/* No number of devices is too large for the column. */
#define ANY SIZE_MAX

/*
 * The columns of a device, in their order. @pct: the percentile; 100 is the maximum. @most: with
 * more devices side by side there is no room for the column.
 */
static const struct dev_column {
	struct column head;
	enum { MEAN, SHARE, PERCENTILE } value;
	double pct;
	size_t most;
} columns[] = {
	{ { "mean_ns", "mean", COL_TIME }, MEAN, 0, ANY },
	{ { "share_pct", "share", COL_PERCENT }, SHARE, 0, ANY },
	{ { NULL, "", COL_BAR }, SHARE, 0, 2 },
	{ { "p50_ns", "p50", COL_TIME }, PERCENTILE, 50, 2 },
	{ { "p90_ns", "p90", COL_TIME }, PERCENTILE, 90, 1 },
	{ { "p99_ns", "p99", COL_TIME }, PERCENTILE, 99, ANY },
	{ { "p99.9_ns", "p99.9", COL_TIME }, PERCENTILE, 99.9, 1 },
	{ { "max_ns", "max", COL_TIME }, PERCENTILE, 100, 1 },
};
#define NR_COLUMNS (sizeof(columns) / sizeof(*columns))

/* Find the columns that @n devices have, and return how many these are. */
static unsigned int columns_for(size_t n, const struct dev_column **which)
{
	unsigned int count = 0;

	for (size_t c = 0; c < NR_COLUMNS; c++)
		if (n <= columns[c].most)
			which[count++] = &columns[c];
	return count;
}

/*
 * The stage table that is being filled in. FIRST_DEV is the column of the first device, after the
 * stage and its colour.
 */
struct stage_table {
	struct report_table *table;
	const struct result_dev **devs;
	size_t n;
	struct parts parts;
	const struct dev_column *which[NR_COLUMNS];
	unsigned int ncols;
};

#define FIRST_DEV 2

/*
 * Fill in the cells of one device in a row.
 * @h: the distribution; NULL for a group, which has a mean but no distribution
 * @share: true if @mean is a part of the total
 */
static void fill_dev(struct stage_table *s, int row, size_t i, double mean, const struct hist *h,
		     bool share)
{
	double total = hist_mean(&s->devs[i]->total);

	for (unsigned int k = 0; k < s->ncols; k++) {
		const struct dev_column *c = s->which[k];
		size_t col = FIRST_DEV + i * s->ncols + k;

		if (c->value == MEAN)
			report_set(s->table, row, col, mean);
		else if (c->value == SHARE)
			report_set(s->table, row, col, share ? percent(mean, total) : NAN);
		else if (h && h->count)
			report_set(s->table, row, col, hist_percentile(h, c->pct));
	}
}

static void set_colour(struct stage_table *s, int row, uint32_t colour)
{
	char text[12];

	snprintf(text, sizeof(text), "#%06x", colour);
	report_set_str(s->table, row, 1, text);
}

/*
 * Add the heading of the group that begins with part @first, with the sums of the group's stages.
 */
static int add_group(struct stage_table *s, size_t first)
{
	const char *group = s->parts.v[first].row->group;
	int row = report_row(s->table, -1);

	report_set_str(s->table, row, 0, group);
	report_row_bold(s->table, row);
	for (size_t i = 0; i < s->n && !part_is_thinking(&s->parts.v[first]); i++) {
		double sum = 0;

		for (size_t k = first;
		     k < s->parts.n && !strcmp(s->parts.v[k].row->group, group); k++)
			sum += part_mean(s->devs[i], &s->parts.v[k]);
		fill_dev(s, row, i, sum, NULL, true);
	}
	set_colour(s, row, palette_group(group));
	return row;
}

static void add_part(struct stage_table *s, const struct part *p, int head)
{
	int row = report_row(s->table, head);
	char label[DEV_TEXT];

	part_label(label, sizeof(label), p);
	report_set_str(s->table, row, 0, label);
	set_colour(s, row, palette_stage(p->row->stage, p->row->group, p->row->layer));
	for (size_t i = 0; i < s->n; i++) {
		const struct result_row *own = part_of(s->devs[i], p);

		if (own)
			fill_dev(s, row, i, part_mean(s->devs[i], p), &own->hist,
				 !part_is_thinking(p));
	}
}

static void fill_stages(struct stage_table *s)
{
	int row, head = -1;

	for (size_t k = 0; k < s->parts.n; k++) {
		if (!k || strcmp(s->parts.v[k].row->group, s->parts.v[k - 1].row->group))
			head = add_group(s, k);
		/* The group "unattributed" has only one stage: its heading shows the same. */
		if (strcmp(s->parts.v[k].row->group, "unattributed"))
			add_part(s, &s->parts.v[k], head);
	}
	row = report_row(s->table, -1);
	report_set_str(s->table, row, 0, "total");
	report_row_bold(s->table, row);
	for (size_t i = 0; i < s->n; i++)
		fill_dev(s, row, i, hist_mean(&s->devs[i]->total), &s->devs[i]->total, true);
}

static struct column *make_columns(const struct stage_table *s, const struct plot_set *set)
{
	struct column *cols = calloc(FIRST_DEV + s->n * s->ncols, sizeof(*cols));

	if (!cols)
		return NULL;
	cols[0] = (struct column){ "stage", "stage", COL_STR, COL_TREE };
	cols[1] = (struct column){ "colour", "", COL_STR, COL_NOTABLE | COL_NOJSON | COL_SWATCH };
	for (size_t i = 0; i < s->n * s->ncols; i++) {
		cols[FIRST_DEV + i] = s->which[i % s->ncols]->head;
		if (s->ncols < NR_COLUMNS)
			cols[FIRST_DEV + i].group = set->devs[i / s->ncols].label;
	}
	return cols;
}

struct report_table *stage_table(const struct plot_set *set, size_t in_all)
{
	struct stage_table s = { .devs = calloc(set->n, sizeof(*s.devs)), .n = set->n };
	struct column *cols;

	for (size_t i = 0; i < set->n && s.devs; i++)
		s.devs[i] = set->devs[i].dev;
	s.ncols = columns_for(in_all, s.which);
	cols = make_columns(&s, set);
	if (cols && s.devs && !parts_of(s.devs, s.n, &s.parts))
		s.table = report_table_new(cols, FIRST_DEV + s.n * s.ncols);
	if (s.table)
		fill_stages(&s);
	parts_free(&s.parts);
	free(s.devs);
	free(cols);
	return s.table;
}
