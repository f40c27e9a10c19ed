/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_IO_HIST_H
#define BLKLAT_CORE_IO_HIST_H

#include "blklat.h"
#include "uapi/loglin.h"

/* Histograms of stages and totals have 64 buckets per octave, at most 1.6 % wide. */
#define BLKLAT_HIST_BITS 6
/* The buckets reach up to 2^40 ns (about 1100 s). Longer times go into the last bucket. */
#define BLKLAT_HIST_ORDER 40
#define BLKLAT_HIST_BUCKETS LOGLIN_BUCKETS(BLKLAT_HIST_ORDER, BLKLAT_HIST_BITS)
/* The tail table groups I/Os by total: a group has 4 buckets, an octave 16 groups. */
#define BLKLAT_TAIL_SHIFT 2
#define BLKLAT_TAIL_GROUPS (BLKLAT_HIST_BUCKETS >> BLKLAT_TAIL_SHIFT)

/**
 * struct blklat_tail - sums over the I/Os with about the same total
 * @count: number of I/Os
 * @total: sum of their totals in ns
 * @stage: sums per stage in ns
 * @layer: sums per stage of a layer in ns, in the order of ROW_OF_LAYER()
 */
struct blklat_tail {
	__u64 count;
	__u64 total;
	__u64 stage[NR_STAGES];
	__u64 layer[NR_LAYER_ROWS];
};

/**
 * blklat_tail_group() - find the group of the tail table that an I/O belongs to
 * @total: total of the I/O in ns
 *
 * Return: index of the group, below BLKLAT_TAIL_GROUPS.
 */
static inline __u32 blklat_tail_group(__u64 total)
{
	__u32 bucket = loglin_index(total, BLKLAT_HIST_BITS);

	if (bucket >= BLKLAT_HIST_BUCKETS)
		bucket = BLKLAT_HIST_BUCKETS - 1;
	return bucket >> BLKLAT_TAIL_SHIFT;
}

#endif
