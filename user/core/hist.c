// SPDX-License-Identifier: GPL-2.0
/* Merge histograms, subtract them, and find their percentiles. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/hist.h"
#include "uapi/loglin.h"

const struct percentile std_percentiles[] = {
	{ 50, "50" }, { 90, "90" }, { 95, "95" }, { 99, "99" },
	{ 99.9, "99.9" }, { 99.99, "99.99" }, { 99.999, "99.999" }, { 0, NULL }
};

int hist_init(struct hist *h, unsigned int bits, uint32_t nbuckets)
{
	memset(h, 0, sizeof(*h));
	h->bits = bits;
	h->nbuckets = nbuckets;
	h->buckets = calloc(nbuckets, sizeof(*h->buckets));
	return h->buckets ? 0 : -ENOMEM;
}

void hist_free(struct hist *h)
{
	free(h->buckets);
	h->buckets = NULL;
}

void hist_clear(struct hist *h)
{
	if (h->count)
		memset(h->buckets, 0, h->nbuckets * sizeof(*h->buckets));
	h->count = h->sum = h->min = h->max = 0;
}

/* Add count, sum, min and max of @src, which is not empty, to those of @dst. */
static void add_totals(struct hist *dst, const struct hist *src)
{
	if (!dst->count || src->min < dst->min)
		dst->min = src->min;
	if (src->max > dst->max)
		dst->max = src->max;
	dst->count += src->count;
	if (__builtin_add_overflow(dst->sum, src->sum, &dst->sum))
		dst->sum = UINT64_MAX;
}

int hist_merge(struct hist *dst, const struct hist *src)
{
	uint32_t i;

	if (dst->bits != src->bits || dst->nbuckets != src->nbuckets)
		return -EINVAL;
	if (!src->count)
		return 0;
	/*
	 * Do not write to a bucket that stays 0, so that its page is not allocated: a recording has
	 * many histograms, and most of their buckets are empty.
	 */
	for (i = 0; i < src->nbuckets; i++)
		if (src->buckets[i])
			dst->buckets[i] += src->buckets[i];
	add_totals(dst, src);
	return 0;
}

void hist_merge_coarser(struct hist *dst, const struct hist *src)
{
	if (!src->count)
		return;
	for (uint32_t i = 0; i < src->nbuckets; i++) {
		uint32_t k;

		if (!src->buckets[i])
			continue;
		k = loglin_index(loglin_low(i, src->bits), dst->bits);
		dst->buckets[k < dst->nbuckets ? k : dst->nbuckets - 1] += src->buckets[i];
	}
	add_totals(dst, src);
}

int hist_delta(struct hist *dst, const struct hist *end, const struct hist *start)
{
	uint32_t i;

	if (dst->bits != end->bits || dst->nbuckets != end->nbuckets ||
	    end->bits != start->bits || end->nbuckets != start->nbuckets)
		return -EINVAL;
	/* As in hist_merge(), do not write to a bucket that stays 0. */
	for (i = 0; i < end->nbuckets; i++)
		if (dst->buckets[i] || end->buckets[i] != start->buckets[i])
			dst->buckets[i] = end->buckets[i] - start->buckets[i];
	dst->count = end->count - start->count;
	dst->sum = end->sum == UINT64_MAX ? UINT64_MAX : end->sum - start->sum;
	dst->min = end->min;
	dst->max = end->max;
	return 0;
}

int hist_since(struct hist *dst, const struct hist *end, const struct hist *start)
{
	uint32_t i, first = 0, last = 0;
	int ret = hist_delta(dst, end, start);

	if (ret)
		return ret;
	dst->count = 0;
	for (i = 0; i < dst->nbuckets; i++) {
		if (!dst->buckets[i])
			continue;
		if (!dst->count)
			first = i;
		last = i;
		dst->count += dst->buckets[i];
	}
	if (!dst->count) {
		dst->min = dst->max = 0;
		return 0;
	}
	dst->min = end->min;
	if (start->count && start->min == end->min && loglin_low(first, end->bits) > end->min)
		dst->min = loglin_low(first, end->bits);
	dst->max = end->max;
	/* The last bucket has no upper edge: it also holds all larger values. */
	if (start->count && start->max == end->max && last + 1 < dst->nbuckets &&
	    loglin_high(last, end->bits) < end->max)
		dst->max = loglin_high(last, end->bits);
	return 0;
}

/* Return the middle of a bucket, or of the part of the bucket that is between min and max. */
static double middle(const struct hist *h, uint32_t i)
{
	uint64_t low = loglin_low(i, h->bits), high = loglin_high(i, h->bits);

	if (high > h->max || i + 1 == h->nbuckets)
		high = h->max;
	if (low < h->min)
		low = h->min;
	return (low + (double)high) / 2;
}

double hist_mean(const struct hist *h)
{
	double sum = 0;

	if (!h->count)
		return 0;
	if (h->sum != UINT64_MAX)
		return (double)h->sum / h->count;
	for (uint32_t i = 0; i < h->nbuckets; i++)
		if (h->buckets[i])
			sum += h->buckets[i] * middle(h, i);
	return sum / h->count;
}

double hist_stddev(const struct hist *h)
{
	double mean = hist_mean(h), sum = 0;
	uint32_t i;

	for (i = 0; i < h->nbuckets && h->count; i++) {
		double off = h->buckets[i] ? middle(h, i) - mean : 0;

		sum += h->buckets[i] * off * off;
	}
	return h->count ? sqrt(sum / h->count) : 0;
}

uint64_t hist_percentile(const struct hist *h, double pct)
{
	uint64_t rank, seen = 0, v;
	uint32_t i;

	if (!h->count)
		return 0;
	if (pct >= 100)
		return h->max;
	/* The factor corrects rounding: 99.9 is no exact double, but 99.9 % of 1000 is rank 999. */
	rank = (uint64_t)ceil(pct / 100 * h->count * (1 - 1e-12));
	if (!rank)
		return h->min;
	for (i = 0; i < h->nbuckets; i++) {
		seen += h->buckets[i];
		if (seen >= rank)
			break;
	}
	if (i >= h->nbuckets - 1)
		return h->max;
	v = loglin_high(i, h->bits);
	return v > h->max ? h->max : v < h->min ? h->min : v;
}
