/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_HIST_H
#define BLKLAT_CORE_HIST_H

#include <stddef.h>
#include <stdint.h>
#include "uapi/loglin.h"

/*
 * A log-linear histogram (uapi/loglin.h) with exact count, sum, min and max.
 */
struct hist {
	unsigned int bits;	/* log2 of sub-buckets per octave */
	uint32_t nbuckets;
	uint64_t count, sum, min, max;	/* min is 0 while count is 0 */
	uint64_t *buckets;
};

/**
 * hist_init() - an empty histogram
 * @nbuckets: as many as the producer has; larger values go into the last
 * Return: 0 or -ENOMEM.
 */
int hist_init(struct hist *h, unsigned int bits, uint32_t nbuckets);
void hist_free(struct hist *h);
/* Make it empty. */
void hist_clear(struct hist *h);

/* A value, not counted yet, that is below min or above max. */
static inline void hist_widen(struct hist *h, uint64_t v)
{
	if (v < h->min || !h->count)
		h->min = v;
	if (v > h->max)
		h->max = v;
}

/* As hist_add(); @bits and @nbuckets are those of @h, known when this is compiled. */
static inline void hist_add_to(struct hist *h, uint64_t v, unsigned int bits, uint32_t nbuckets)
{
	uint32_t i = loglin_index(v, bits);

	h->buckets[i < nbuckets ? i : nbuckets - 1]++;
	/* One comparison for both; of an empty histogram, min and max are 0. */
	if (v - h->min > h->max - h->min)
		hist_widen(h, v);
	h->count++;
	h->sum += v;
}

static inline void hist_add(struct hist *h, uint64_t v)
{
	hist_add_to(h, v, h->bits, h->nbuckets);
}

/* dst += src. Return: 0, -EINVAL when bits or nbuckets differ. */
int hist_merge(struct hist *dst, const struct hist *src);
/* dst = end - start of two snapshots of one producer; min and max are @end's. */
int hist_delta(struct hist *dst, const struct hist *end, const struct hist *start);
/*
 * The same, with count, min and max as the buckets have them: counters read while they
 * change are not of one moment. min and max are exact if they are new ones of @end,
 * else edges of buckets. Merged, the differences of a row of snapshots are the last one.
 */
int hist_since(struct hist *dst, const struct hist *end, const struct hist *start);
double hist_mean(const struct hist *h);
/* From the middles of the buckets */
double hist_stddev(const struct hist *h);

/**
 * hist_percentile() - the value at or below which @pct percent of values lie
 * @pct: 0 to 100
 *
 * The upper edge of the bucket that holds the value of rank ceil(pct/100 * n),
 * so at most one bucket width too high, never below min nor above max; 100 is
 * max, exact. 0 for an empty histogram.
 */
uint64_t hist_percentile(const struct hist *h, double pct);

struct percentile {
	double pct;
	const char *name;	/* key in JSON: "99.9" */
};
/* 50, 90, 95, 99, 99.9, 99.99, 99.999; ends with a NULL name. */
extern const struct percentile std_percentiles[];

#endif
