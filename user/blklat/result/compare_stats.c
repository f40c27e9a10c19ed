// SPDX-License-Identifier: GPL-2.0
/* Find the differences of devices from their samples. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/result/compare_stats.h"
#include "blklat/result/verdict.h"

#define MAX_BLOCKS	20
#define ENDS_FROM	7	/* from so many intervals on, leave out the first and the last */

/*
 * If a device has no sample without tracing for a figure, use the samples with tracing of all
 * devices, because the figures of all devices must be measured in the same way.
 */
static void choose_samples(struct comparison *c)
{
	for (int w = 0; w < NR_COMPARE; w++)
		for (size_t i = 0; i < c->ndevs; i++)
			c->traced[w] |= !result_has_untraced(c->devs[i], w >= COMPARE_MEAN);
}

static struct compare_row *find_row(const struct comparison *c, const struct result_row *r)
{
	for (size_t i = COMPARE_STAGES; i < c->nrows; i++)
		if (!strcmp(c->rows[i].stage, r->stage) && !strcmp(c->rows[i].layer, r->layer))
			return &c->rows[i];
	return NULL;
}

static struct compare_row *insert_row(struct comparison *c, size_t at)
{
	struct compare_row *rows = realloc(c->rows, (c->nrows + 1) * sizeof(*rows));

	if (!rows)
		return NULL;
	c->rows = rows;
	memmove(rows + at + 1, rows + at, (c->nrows - at) * sizeof(*rows));
	memset(rows + at, 0, sizeof(*rows));
	c->nrows++;
	rows[at].v = calloc(c->ndevs, sizeof(*rows[at].v));
	rows[at].kinds = calloc(c->ndevs, sizeof(*rows[at].kinds));
	return rows[at].v && rows[at].kinds ? rows + at : NULL;
}

/* Add the rows that are missing, each after the row that comes before it in @list. */
static int add_rows(struct comparison *c, size_t dev, const struct result_rows *list)
{
	size_t at = COMPARE_STAGES;

	for (size_t i = 0; i < list->n; i++) {
		const struct result_row *r = &list->v[i];
		struct compare_row *row = find_row(c, r);

		if (!row) {
			row = insert_row(c, at);
			if (!row)
				return -ENOMEM;
			snprintf(row->stage, sizeof(row->stage), "%s", r->stage);
			snprintf(row->group, sizeof(row->group), "%s", r->group);
			snprintf(row->layer, sizeof(row->layer), "%s", r->layer);
		}
		result_kinds_add(row->kinds[dev], sizeof(row->kinds[dev]), r->kind);
		/* Old files have no kinds. Then devices with different labels share "layer 0". */
		if (*row->label && strcmp(row->label, r->label))
			result_stage_label(row->label, sizeof(row->label), r->stage, r->layer, "");
		else
			snprintf(row->label, sizeof(row->label), "%s", r->label);
		at = row - c->rows + 1;
	}
	return 0;
}

static int make_rows(struct comparison *c)
{
	int ret = 0;

	for (int i = COMPARE_HEAD; i < COMPARE_STAGES; i++) {
		struct compare_row *row = insert_row(c, i);

		if (!row)
			return -ENOMEM;
		strcpy(row->label, "total");
	}
	for (size_t i = 0; i < c->ndevs; i++)
		for (size_t k = 0; k < c->devs[i]->nsamples && !ret; k++)
			ret = add_rows(c, i, &c->devs[i]->samples[k].rows);
	return ret;
}

/* Return true if the net mean is the mean, because tracing is not known to have taken a part. */
static bool mean_is_net(const struct compare_value *v)
{
	return v[COMPARE_MEAN].diff.estimate == v[COMPARE_NET].diff.estimate &&
	       v[COMPARE_MEAN].value == v[COMPARE_NET].value;
}

/* Correct the figures of all stages of a device. A mean that equals the net mean counts once. */
static int correct_stages(struct comparison *c, size_t dev)
{
	struct compare_value **v = calloc(c->nrows * NR_COMPARE, sizeof(*v));
	size_t n = 0;
	int ret;

	if (!v)
		return -ENOMEM;
	for (size_t r = COMPARE_STAGES; r < c->nrows; r++)
		for (int w = 0; w < NR_COMPARE; w++)
			if (c->rows[r].v[dev][w].has_diff && c->rows[r].v[dev][w].diff.interval &&
			    !(w == COMPARE_MEAN && mean_is_net(c->rows[r].v[dev])))
				v[n++] = &c->rows[r].v[dev][w];
	ret = compare_correct(c, v, n);
	for (size_t r = COMPARE_STAGES; r < c->nrows; r++)
		if (mean_is_net(c->rows[r].v[dev]))
			c->rows[r].v[dev][COMPARE_MEAN] = c->rows[r].v[dev][COMPARE_NET];
	free(v);
	return ret;
}

static int all_figures(struct comparison *c, int (*fn)(struct comparison *c, size_t dev,
						       size_t row, int what))
{
	int ret = 0;

	for (size_t r = 0; r < c->nrows && !ret; r++)
		for (int w = 0; w < NR_COMPARE && !ret; w++)
			for (size_t i = 0; i < c->ndevs && !ret; i++)
				ret = fn(c, i, r, w);
	return ret;
}

static int set_difference(struct comparison *c, size_t dev, size_t row, int what)
{
	return compare_figure(c, dev, c->baseline, row, what, &c->rows[row].v[dev][what]);
}

int compare_stats(struct comparison *c)
{
	int ret;

	if (!c->confidence)
		c->confidence = BOOT_CONFIDENCE;
	if (!c->seed)
		c->seed = BOOT_SEED;
	choose_samples(c);
	ret = make_rows(c);
	ret = ret ?: all_figures(c, compare_set_value);
	ret = ret ?: all_figures(c, set_difference);
	for (size_t i = 0; i < c->ndevs && !ret; i++)
		ret = correct_stages(c, i);
	return ret ?: verdicts_find(c);
}

void comparison_free(struct comparison *c)
{
	for (size_t i = 0; i < c->nrows; i++) {
		free(c->rows[i].v);
		free(c->rows[i].kinds);
	}
	free(c->rows);
	free(c->verdicts);
	c->rows = NULL;
	c->verdicts = NULL;
	c->nrows = c->nverdicts = 0;
}

static void drop_sample(struct result_dev *d, size_t at)
{
	result_sample_free(&d->samples[at]);
	d->nsamples--;
	memmove(&d->samples[at], &d->samples[at + 1], (d->nsamples - at) * sizeof(*d->samples));
}

int compare_blocks(struct result_dev *d)
{
	bool enough = d->nsamples >= ENDS_FROM;
	int ret = 0;

	if (result_has_untraced(d, false))
		return 0;
	if (enough)
		drop_sample(d, 0);
	if (enough || (d->nsamples > 1 &&
		       d->samples[d->nsamples - 1].elapsed_ns < d->samples[0].elapsed_ns / 2))
		drop_sample(d, d->nsamples - 1);
	while (d->nsamples > MAX_BLOCKS && !ret) {
		/* An odd sample at the end would be only half as long as the others: drop it. */
		if (d->nsamples % 2)
			drop_sample(d, d->nsamples - 1);
		for (size_t i = 0; i < d->nsamples; i++)
			d->samples[i].round = i;
		ret = result_merge_pairs(d);
	}
	return ret;
}
