/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_STATS_H
#define _BLKGEN_STATS_H

#include <linux/blk_types.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <linux/types.h>
#include "uapi/blkgen.h"
#include "uapi/loglin.h"

/* Histograms hold times up to 2^42 ns, which is 73 minutes, so that a time of 1 h still fits */
#define BLKGEN_HIST_ORDER	42

/*
 * These are log2 of the number of buckets per power of two. For the latencies of an op, a bucket is
 * at most 1/128 (0.78 %) of its values wide. For service times and streams it is at most 1/32
 * (3.1 %) of them.
 */
#define BLKGEN_HIST_BITS	7
#define BLKGEN_HIST_COARSE	5
#define BLKGEN_HIST_BUCKETS	LOGLIN_BUCKETS(BLKGEN_HIST_ORDER, BLKGEN_HIST_BITS)

#define BLKGEN_NR_STATUS	32	/* a higher blk_status_t counts as the last one */
#define BLKGEN_NR_WRAPS		64

/**
 * struct blkgen_hist - histogram of times, in ns
 * @sum: sum of all times; U64_MAX if it is larger
 * @min: smallest time; U64_MAX if there were none
 * @max: largest time
 * @bits: log2 of the buckets per power of two
 * @nr: number of buckets
 * @wrapped: buckets whose counter has overflowed 2^32, and how often. A run of a million I/Os a
 *	second needs this list after an hour. In return, the counters of 32 bits take only half as
 *	much of the cache as counters of 64 bits would.
 * @bucket: counters of the buckets
 */
struct blkgen_hist {
	u64 sum;
	u64 min;
	u64 max;
	u32 bits;
	u32 nr;
	struct {
		u32 bucket;
		u32 times;
	} wrapped[BLKGEN_NR_WRAPS];
	u32 bucket[];
};

/**
 * struct blkgen_stats - results of a worker for one op or one stream
 * @ios: I/Os completed without an error
 * @bytes: bytes of @ios
 * @errors: I/Os that failed
 * @mismatches: reads that returned wrong data
 * @status: I/Os that failed, by blk_status_t
 * @lat: histogram of latencies
 * @service: histogram of times from the submission to the completion; NULL if the latency is the
 *	same
 *
 * Only the worker writes, without locks. A reader in another thread may see the counters of an
 * I/O half updated.
 */
struct blkgen_stats {
	u64 ios;
	u64 bytes;
	u64 errors;
	u64 mismatches;
	u64 status[BLKGEN_NR_STATUS];
	struct blkgen_hist *lat;
	struct blkgen_hist *service;
};

struct blkgen_stats *blkgen_stats_alloc(unsigned int bits, bool service, int node);
void blkgen_stats_free(struct blkgen_stats *st);
void blkgen_stats_fail(struct blkgen_stats *st, blk_status_t status);
void blkgen_stats_report(const struct blkgen_stats *st, struct blkgen_result *res);
void blkgen_hist_report(const struct blkgen_hist *h, struct blkgen_result *res, u64 *buckets);
void blkgen_hist_wrap(struct blkgen_hist *h, u32 bucket);

/**
 * blkgen_hist_count() - count a time in a bucket
 * @h: histogram
 * @ns: time, ns
 * @idx: bucket of @ns, below @h->nr
 */
static __always_inline void blkgen_hist_count(struct blkgen_hist *h, u64 ns, unsigned long idx)
{
	u64 sum;

	/* Store the sum only once, because a reader in another thread may read it at any time */
	if (unlikely(check_add_overflow(h->sum, ns, &sum)))
		sum = U64_MAX;
	h->sum = sum;
	if (ns < h->min)
		h->min = ns;
	if (ns > h->max)
		h->max = ns;
	if (unlikely(!++h->bucket[idx]))
		blkgen_hist_wrap(h, idx);
}

/**
 * blkgen_hist_add() - count a time of any length
 * @h: histogram
 * @ns: time, ns; one beyond the last bucket is counted in the last bucket
 * @bits: @h->bits
 * @nr: @h->nr
 *
 * The callers pass constants as @bits and @nr, so that the compiler can optimize.
 */
static __always_inline void blkgen_hist_add(struct blkgen_hist *h, u64 ns, u32 bits, u32 nr)
{
	blkgen_hist_count(h, ns, min_t(u32, loglin_index(ns, bits), nr - 1));
}

/**
 * blkgen_stats_add() - count an I/O in the statistics of an op
 * @st: statistics with BLKGEN_HIST_BITS, of a worker whose thread this is
 * @bytes: length of the I/O
 * @lat: latency, ns
 */
static inline void blkgen_stats_add(struct blkgen_stats *st, u32 bytes, u64 lat)
{
	st->ios++;
	st->bytes += bytes;
	blkgen_hist_add(st->lat, lat, BLKGEN_HIST_BITS, BLKGEN_HIST_BUCKETS);
}

/**
 * blkgen_stats_add_coarse() - count an I/O in the statistics of a stream, which are coarser
 * @st: statistics with BLKGEN_HIST_COARSE, of a worker whose thread this is
 * @bytes: length of the I/O
 * @lat: latency, ns
 */
static inline void blkgen_stats_add_coarse(struct blkgen_stats *st, u32 bytes, u64 lat)
{
	st->ios++;
	st->bytes += bytes;
	blkgen_hist_add(st->lat, lat, BLKGEN_HIST_COARSE,
			LOGLIN_BUCKETS(BLKGEN_HIST_ORDER, BLKGEN_HIST_COARSE));
}

/**
 * blkgen_stats_add_service() - count a service time
 * @st: statistics that count service times apart from latencies, of a worker whose thread this is
 * @ns: service time, ns
 */
static inline void blkgen_stats_add_service(struct blkgen_stats *st, u64 ns)
{
	blkgen_hist_add(st->service, ns, BLKGEN_HIST_COARSE,
			LOGLIN_BUCKETS(BLKGEN_HIST_ORDER, BLKGEN_HIST_COARSE));
}

#endif /* _BLKGEN_STATS_H */
