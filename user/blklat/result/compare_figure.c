// SPDX-License-Identifier: GPL-2.0
/* Take figures from the samples of devices, and compare those of two devices. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/result/compare_stats.h"
#include "uapi/loglin.h"

static const double percents[NR_COMPARE] = {
	[COMPARE_P50] = 50, [COMPARE_P90] = 90, [COMPARE_P99] = 99, [COMPARE_P999] = 99.9,
};

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
 * A figure of @n samples of a device, and the rounds of these samples. @sum is the sum of the
 * values, @below the sum of how much lower each of them may be.
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

/* Widen the interval, because each of the two percentiles may be up to @below too high. */
static void widen(struct compare_value *v, const struct compare_value *base)
{
	struct boot_diff *d = &v->diff;

	if (!d->interval)
		return;
	d->low -= v->below;
	d->high += base->below;
	d->significant = d->low > 0 || d->high < 0;
}

int compare_set_value(struct comparison *c, size_t dev, size_t row, int what)
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
