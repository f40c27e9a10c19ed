// SPDX-License-Identifier: GPL-2.0
/* Find the differences of devices from their samples. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/result/compare_stats.h"
#include "blklat/result/verdict.h"
#include "uapi/loglin.h"

#define MAX_BLOCKS	20
#define ENDS_FROM	7	/* from so many intervals on, leave out the first and the last */

static const double percents[NR_COMPARE] = {
	[COMPARE_P50] = 50, [COMPARE_P90] = 90, [COMPARE_P99] = 99, [COMPARE_P999] = 99.9,
};

/* Use samples with tracing for a figure if a device has none without: all devices need the same. */
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

char *compare_label(char *buf, size_t len, const struct compare_row *row, const size_t *devs,
		    size_t n)
{
	char kinds[DEV_TEXT] = "";

	for (size_t i = 0; i < n; i++)
		result_kinds_add(kinds, sizeof(kinds), row->kinds[devs[i]]);
	if (*kinds)
		result_stage_label(buf, len, row->stage, row->layer, kinds);
	else
		snprintf(buf, len, "%s", row->label);
	return buf;
}

/* Return how much lower than @v, a percentile, the true percentile may be. */
static double uncertain(const struct hist *h, uint64_t v)
{
	uint64_t low = loglin_low(loglin_index(v, h->bits), h->bits);

	return v - (low < h->min ? h->min : low);
}

/* Return the sum of what tracing took in a stage of a sample; without @r, in all stages. */
static uint64_t tracing_in(const struct result_sample *s, const struct result_row *r)
{
	uint64_t sum = 0;

	if (r)
		return r->tracing_ns;
	for (size_t i = 0; i < s->rows.n; i++)
		sum += s->rows.v[i].tracing_ns;
	return sum;
}

/* Return a figure of one sample; NAN if the sample does not have it. */
static double sample_value(const struct result_sample *s, const struct compare_row *row,
			   enum compare_what what, double *below)
{
	const struct result_row *r = *row->stage ?
				     result_row_find(&s->rows, row->stage, row->layer) : NULL;
	const struct hist *h = *row->stage ? r ? &r->hist : NULL : &s->total;
	bool mean = what == COMPARE_MEAN || what == COMPARE_NET;
	uint64_t v;

	*below = 0;
	if (what == COMPARE_IOPS)
		return s->elapsed_ns ? s->ios * 1e9 / s->elapsed_ns : NAN;
	if (what == COMPARE_CPU)
		return s->cpu_ns;
	if (!s->total.count)
		return NAN;
	/* Divide by all I/Os of the device, so that stages add up; thinking is not one of these. */
	if (mean && strcmp(row->stage, "think"))
		return h ? ((double)h->sum - (what == COMPARE_NET ? tracing_in(s, r) : 0)) /
			   s->total.count : 0;
	if (!h || !h->count)
		return NAN;
	if (mean)
		return hist_mean(h);
	v = hist_percentile(h, percents[what]);
	*below = uncertain(h, v);
	return v;
}

static bool applies(const struct comparison *c, size_t row, int what)
{
	if (row == COMPARE_HEAD)
		return what != COMPARE_NET;
	return what >= COMPARE_MEAN && (row == COMPARE_TOTAL || what != COMPARE_P90);
}

static bool traced_part(const struct comparison *c, size_t row, int what)
{
	return row != COMPARE_HEAD || c->traced[what];
}

/*
 * A figure of @n samples of a device, and the rounds of these samples. @sum is that of the values,
 * @below the sum of how much lower they may be.
 */
struct values {
	double *v;
	unsigned int *round;
	size_t n;
	double sum, below;
};

static int get_values(const struct comparison *c, size_t dev, size_t row, int what,
		      struct values *out)
{
	const struct result_dev *d = c->devs[dev];

	*out = (struct values){ calloc(d->nsamples + 1, sizeof(*out->v)),
				calloc(d->nsamples + 1, sizeof(*out->round)) };
	if (!out->v || !out->round)
		return -ENOMEM;
	for (size_t i = 0; i < d->nsamples; i++) {
		const struct result_sample *s = &d->samples[i];
		double below, v;

		if (s->traced != traced_part(c, row, what))
			continue;
		v = sample_value(s, &c->rows[row], what, &below);
		if (!isfinite(v))
			continue;
		out->v[out->n] = v;
		out->round[out->n++] = s->round;
		out->sum += v;
		out->below += below;
	}
	return 0;
}

static void put_values(struct values *v)
{
	free(v->v);
	free(v->round);
}

/* Keep only the rounds that both have, in the same order. */
static void match_rounds(struct values *a, struct values *b)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++) {
		for (size_t k = n; k < b->n; k++) {
			double v = b->v[k];

			if (b->round[k] != a->round[i])
				continue;
			a->v[n] = a->v[i];
			a->round[n] = a->round[i];
			b->v[k] = b->v[n];
			b->round[k] = b->round[n];
			b->v[n] = v;
			b->round[n++] = a->round[i];
			break;
		}
	}
	a->n = b->n = n;
}

/* Widen the interval of a percentile: the value and the baseline may each be @below too high. */
static void widen(struct compare_value *v, const struct compare_value *base)
{
	struct boot_diff *d = &v->diff;

	if (!d->interval)
		return;
	d->low -= v->below;
	d->high += base->below;
	d->significant = d->low > 0 || d->high < 0;
}

/* Set the value of a figure, without its difference. */
static int set_value(struct comparison *c, size_t dev, size_t row, int what)
{
	struct compare_value *v = &c->rows[row].v[dev][what];
	struct values all;
	int ret;

	v->value = NAN;
	if (!applies(c, row, what))
		return 0;
	ret = get_values(c, dev, row, what, &all);
	v->n = all.n;
	if (all.n) {
		v->value = all.sum / all.n;
		v->below = all.below / all.n;
	}
	put_values(&all);
	return ret;
}

int compare_figure(const struct comparison *c, size_t dev, size_t than, size_t row,
		   enum compare_what what, struct compare_value *v)
{
	const struct compare_value *base = &c->rows[row].v[than][what];
	struct boot_opts opts = { .confidence = c->confidence, .seed = c->seed };
	struct values a = { 0 }, b = { 0 };
	int ret;

	*v = c->rows[row].v[dev][what];
	v->has_diff = v->significant = false;
	v->diff = (struct boot_diff){ 0 };
	if (dev == than || !v->n || !base->n)
		return 0;
	ret = get_values(c, dev, row, what, &a);
	if (!ret)
		ret = get_values(c, than, row, what, &b);
	if (!ret) {
		if (c->paired) {
			match_rounds(&a, &b);
			v->diff = boot_paired(a.v, b.v, a.n, &opts);
		} else {
			v->diff = boot_unpaired(a.v, a.n, b.v, b.n, &opts);
		}
		v->has_diff = v->diff.n > 0;
		widen(v, base);
		v->significant = v->diff.significant;
		v->p = v->diff.p;
	}
	put_values(&a);
	put_values(&b);
	return ret;
}

int compare_correct(const struct comparison *c, struct compare_value *const *v, size_t n)
{
	double *p = calloc(n + 1, sizeof(*p));
	int ret = -ENOMEM;

	for (size_t i = 0; i < n && p; i++)
		p[i] = v[i]->p;
	if (p)
		ret = boot_holm(p, n);
	for (size_t i = 0; i < n && !ret; i++) {
		v[i]->p = p[i];
		v[i]->significant = v[i]->diff.significant && p[i] <= 1 - c->confidence + 1e-9;
	}
	free(p);
	return ret;
}

/* Return true if tracing is not known to have taken a part of a stage, so NET is the mean. */
static bool mean_is_net(const struct compare_value *v)
{
	return v[COMPARE_MEAN].diff.estimate == v[COMPARE_NET].diff.estimate &&
	       v[COMPARE_MEAN].value == v[COMPARE_NET].value;
}

/* Correct the figures of all stages of a device. A mean that is the net mean counts once. */
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
	ret = ret ?: all_figures(c, set_value);
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
