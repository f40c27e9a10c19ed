/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_HIST_H
#define BLKLAT_CORE_HIST_H

#include <stddef.h>
#include <stdint.h>
#include "uapi/loglin.h"

/* This is a log-linear histogram (uapi/loglin.h). Its count, sum, min and max are exact. */
struct hist {
	unsigned int bits;	/* log2 of the buckets per octave */
	uint32_t nbuckets;
	uint64_t count, sum, min, max;	/* min and max mean nothing while count is 0 */
	uint64_t *buckets;
};

/**
 * hist_init() - make an empty histogram
 * @h: free it with hist_free()
 * @bits: log2 of the buckets per octave
 * @nbuckets: as many as the producer has; values beyond go into the last bucket
 * Return: 0 or -ENOMEM.
 */
int hist_init(struct hist *h, unsigned int bits, uint32_t nbuckets);

/**
 * hist_free() - free the buckets of a histogram
 * @h: from hist_init(); it may also be zeroed, or be freed already
 */
void hist_free(struct hist *h);

/**
 * hist_clear() - make a histogram empty, but keep its buckets for new values
 * @h: from hist_init()
 */
void hist_clear(struct hist *h);

/**
 * hist_widen() - let min and max include a value
 * @h: the histogram; @v is not counted in it yet, because this looks if @h is empty
 * @v: the value
 */
static inline void hist_widen(struct hist *h, uint64_t v)
{
	if (v < h->min || !h->count)
		h->min = v;
	if (v > h->max)
		h->max = v;
}

/**
 * hist_add_to() - do as hist_add(), but faster
 * @h: the histogram
 * @v: the value
 * @bits: as in @h, but a constant for the compiler
 * @nbuckets: as in @h, but a constant for the compiler
 */
static inline void hist_add_to(struct hist *h, uint64_t v, unsigned int bits, uint32_t nbuckets)
{
	uint32_t i = loglin_index(v, bits);

	/* This runs for each stage of each I/O, so tell the compiler which cases are rare. */
	if (__builtin_expect(i >= nbuckets, 0))
		i = nbuckets - 1;
	h->buckets[i]++;
	/* One unsigned comparison finds both v < min and v > max. min and max start as 0. */
	if (__builtin_expect(v - h->min > h->max - h->min, 0))
		hist_widen(h, v);
	h->count++;
	h->sum += v;
}

/**
 * hist_add() - count a value
 * @h: the histogram
 * @v: the value; if it is beyond the last bucket, it goes into the last bucket
 */
static inline void hist_add(struct hist *h, uint64_t v)
{
	hist_add_to(h, v, h->bits, h->nbuckets);
}

/**
 * hist_merge() - add the values of a histogram to those of another one
 * @dst: the values are added here; if its sum gets too large, it is UINT64_MAX
 * @src: the values to add
 *
 * Return: 0, or -EINVAL if bits or nbuckets differ; not reported.
 */
int hist_merge(struct hist *dst, const struct hist *src);

/**
 * hist_merge_coarser() - do as hist_merge(), but into a histogram with wider buckets
 * @dst: the values are added here; values beyond its last bucket go into its last bucket
 * @src: the values to add. Its buckets may be finer than those of @dst, and may be more.
 */
void hist_merge_coarser(struct hist *dst, const struct hist *src);

/**
 * hist_delta() - find the values between two snapshots of one producer
 * @dst: from hist_init(), set to @end - @start; min and max are @end's
 * @end: the later snapshot
 * @start: the earlier snapshot
 *
 * Return: 0, or -EINVAL if bits or nbuckets of the three differ; not reported.
 */
int hist_delta(struct hist *dst, const struct hist *end, const struct hist *start);

/**
 * hist_since() - do as hist_delta(), for snapshots of counters that change while they are read
 * @dst: from hist_init(), set to @end - @start
 * @end: the later snapshot
 * @start: the earlier snapshot
 *
 * The count of such a snapshot may not match its buckets, so this takes count, min and max from the
 * buckets. min and max are exact if @end's differ from @start's, else they are edges of buckets.
 * The differences of consecutive snapshots add up to the last snapshot.
 *
 * Return: as hist_delta().
 */
int hist_since(struct hist *dst, const struct hist *end, const struct hist *start);

/**
 * hist_mean() - find the mean of the values
 * @h: the histogram
 *
 * If the sum is UINT64_MAX, it was too large; then this takes each value at the middle of its
 * bucket.
 *
 * Return: the mean; 0 for an empty histogram.
 */
double hist_mean(const struct hist *h);

/**
 * hist_stddev() - find the standard deviation of the values
 * @h: the histogram; each value counts as the middle of its bucket
 *
 * Return: the root of the mean square of the deviations from the mean; 0 for an empty histogram.
 */
double hist_stddev(const struct hist *h);

/**
 * hist_percentile() - find the value at or below which @pct percent of the values lie
 * @h: the histogram
 * @pct: 0 to 100
 *
 * The result is the upper edge of the bucket that holds the value of rank ceil(pct/100 * n). So it
 * is at most one bucket width too high, and never below min or above max. For 100 it is max.
 * Return: the value, 0 for an empty histogram.
 */
uint64_t hist_percentile(const struct hist *h, double pct);

struct percentile {
	double pct;
	const char *name;	/* key in JSON: "99.9" */
};
/* These are the percentiles 50, 90, 95, 99, 99.9, 99.99 and 99.999; a NULL name ends the table. */
extern const struct percentile std_percentiles[];

#endif
