// SPDX-License-Identifier: GPL-2.0
/* Find the differences of devices from their samples. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/result/compare_stats.h"
#include "blklat/result/parts.h"
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

/* Collect the kinds of layer that have a stage in any sample of a device. */
static void find_kinds(const struct result_dev *d, const struct part *p, char *kinds)
{
	for (size_t i = 0; i < d->nsamples; i++) {
		const struct result_row *own = result_row_find(&d->samples[i].rows, p->row->stage,
							       p->row->layer);

		if (own)
			result_kinds_add(kinds, DEV_TEXT, own->kind);
	}
}

static int add_row(struct comparison *c, const struct part *p)
{
	struct compare_row *row = &c->rows[c->nrows++];

	*row = (struct compare_row){
		.stage = p->row->stage, .group = p->row->group, .layer = p->row->layer,
		.label = p->row->label, .shared = p->shared,
		.kinds = calloc(c->ndevs, sizeof(*row->kinds)),
		.v = calloc(c->ndevs, sizeof(*row->v)),
	};
	if (!row->kinds || !row->v)
		return -ENOMEM;
	for (size_t i = 0; i < c->ndevs; i++)
		find_kinds(c->devs[i], p, row->kinds[i]);
	return 0;
}

static int make_rows(struct comparison *c)
{
	static const struct result_row whole = { .label = "total" };
	struct parts stages = { 0 };
	int ret = 0;

	for (size_t i = 0; i < c->ndevs; i++)
		for (size_t k = 0; k < c->devs[i]->nsamples && !ret; k++)
			ret = parts_add(&stages, &c->devs[i]->samples[k].rows, NULL, 0);
	c->rows = calloc(COMPARE_STAGES + stages.n, sizeof(*c->rows));
	if (!c->rows)
		ret = -ENOMEM;
	for (int i = COMPARE_HEAD; i < COMPARE_STAGES && !ret; i++)
		ret = add_row(c, &(struct part){ &whole });
	for (size_t i = 0; i < stages.n && !ret; i++)
		ret = add_row(c, &stages.v[i]);
	parts_free(&stages);
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
