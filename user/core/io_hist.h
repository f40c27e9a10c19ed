/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_IO_HIST_H
#define BLKLAT_CORE_IO_HIST_H

#include "blklat.h"

/* Stage and total distributions: 64 buckets per octave, at most 1.6 % wide. */
#define BLKLAT_HIST_BITS 6
/* Bucket of 2^40 ns (about 1100 s); longer times go to the last bucket. */
#define BLKLAT_HIST_BUCKETS ((40 - BLKLAT_HIST_BITS + 1) << BLKLAT_HIST_BITS)
/* The tail table groups I/Os by total: so many buckets each, 16 groups per octave. */
#define BLKLAT_TAIL_SHIFT 2
#define BLKLAT_TAIL_GROUPS (BLKLAT_HIST_BUCKETS >> BLKLAT_TAIL_SHIFT)

/**
 * struct blklat_tail - the I/Os with about the same total
 * @count: how many
 * @total: sum of their totals in ns
 * @stage: sums per stage in ns
 * @layer: the same per stage of a layer, in the order of ROW_OF_LAYER()
 */
struct blklat_tail {
	__u64 count;
	__u64 total;
	__u64 stage[NR_STAGES];
	__u64 layer[NR_LAYER_ROWS];
};

#endif
