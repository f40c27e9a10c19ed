/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_STATS_H
#define _BLKGEN_STATS_H

#include <linux/blk_types.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include "uapi/blkgen.h"
#include "uapi/loglin.h"

/* 1/256 = 0.39 % wide, up to 2^42 ns = 73 minutes: 1 h is within */
#define BLKGEN_HIST_BITS	8
#define BLKGEN_HIST_ORDER	42
#define BLKGEN_HIST_BUCKETS	LOGLIN_BUCKETS(BLKGEN_HIST_ORDER, BLKGEN_HIST_BITS)

#define BLKGEN_NR_STATUS	32	/* of blk_status_t; the last is "others" */

/**
 * struct blkgen_stats - what a worker saw of one op
 * @ios: completed without an error
 * @bytes: of those
 * @lat_sum: ns
 * @lat_min: ns, U64_MAX if there were none
 * @lat_max: ns
 * @errors: failed
 * @status: failed, by blk_status_t
 * @hist: of latencies
 *
 * Only the worker writes, without locks; whoever else reads may see the
 * counters of an I/O half updated.
 */
struct blkgen_stats {
	u64 ios;
	u64 bytes;
	u64 lat_sum;
	u64 lat_min;
	u64 lat_max;
	u64 errors;
	u64 status[BLKGEN_NR_STATUS];
	u64 hist[BLKGEN_HIST_BUCKETS];
};

struct blkgen_stats *blkgen_stats_alloc(int node);
void blkgen_stats_free(struct blkgen_stats *st);
void blkgen_stats_fail(struct blkgen_stats *st, blk_status_t status);
void blkgen_stats_report(const struct blkgen_stats *st, struct blkgen_result *res);

/* Count an I/O of @bytes that took @lat ns */
static inline void blkgen_stats_add(struct blkgen_stats *st, u32 bytes, u64 lat)
{
	u32 idx = loglin_index(lat, BLKGEN_HIST_BITS);

	st->ios++;
	st->bytes += bytes;
	st->lat_sum += lat;
	if (lat < st->lat_min)
		st->lat_min = lat;
	if (lat > st->lat_max)
		st->lat_max = lat;
	st->hist[min_t(u32, idx, BLKGEN_HIST_BUCKETS - 1)]++;
}

#endif /* _BLKGEN_STATS_H */
