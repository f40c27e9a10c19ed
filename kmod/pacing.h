/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compute when I/Os are due. This is pure arithmetic: the same file is built and tested in user
 * space.
 */
#ifndef _BLKGEN_PACING_H
#define _BLKGEN_PACING_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <linux/types.h>
#endif
#include "uapi/blkgen.h"

#ifndef likely
#define likely(x)	__builtin_expect(!!(x), 1)
#endif

/*
 * The table holds -ln(i / 2^LOG_BITS) * 2^LOG_SHIFT, from i = LOG_FIRST on: below that, linear
 * interpolation would not be exact enough
 */
#define BLKGEN_LOG_BITS		10
#define BLKGEN_LOG_FIRST	16
#define BLKGEN_LOG_SHIFT	29

extern __u32 blkgen_log_table[(1 << BLKGEN_LOG_BITS) + 1];

/**
 * struct blkgen_pacer - a worker's timetable
 * @next: when the next I/O is due, ns
 * @frac: fraction of @next, in units of 1 / @rate ns; with random intervals in 1/256 ns
 * @rate: I/Os or bytes per second, of all workers
 * @scale: ns by which a unit (an I/O or byte) of this worker moves @next, multiplied by @rate
 * @gap: ns from one I/O to the next, rounded down, if all I/Os have the same units; else 0
 * @rest: the part that was rounded off @gap, in units of 1 / @rate ns
 * @mean: mean of the random intervals, in 1/256 ns, if all I/Os have the same units, bursts are
 *	of one I/O, and the mean fits; else 0
 * @due: units of the current burst
 * @burst: number of I/Os that are due at the same time
 * @left: I/Os of the current burst that are still to come
 * @poisson: true if intervals are exponentially distributed
 * @rng: state of the random numbers
 * @lag: ns from the first I/O of the first worker to that of the last one; 0 with random intervals
 */
struct blkgen_pacer {
	__u64 next;
	__u64 frac;
	__u64 rate;
	__u64 scale;
	__u64 gap;
	__u64 rest;
	__u64 mean;
	__u64 due;
	__u32 burst;
	__u32 left;
	bool poisson;
	__u64 rng;
	__u64 lag;
};

void blkgen_pacing_init(void);
void blkgen_pacer_init(struct blkgen_pacer *p, const struct blkgen_setup *set,
		       unsigned int worker, __u64 start);
void blkgen_pacer_step(struct blkgen_pacer *p);
void blkgen_pacer_long(struct blkgen_pacer *p, __u64 random);
__u64 blkgen_exponential(__u64 random);

/**
 * blkgen_pacer_random() - move to the next time, after a random interval of -ln(u) times the mean
 * @p: pacer that has a mean
 *
 * The logarithm of the uniform u (inversion) comes from a table with linear interpolation, which
 * changes each probability by less than 1e-5. A u below 1/64 is not in the table and takes the slow
 * path. The random bits are the upper bits of a linear congruential generator (with Knuth's
 * multiplier).
 */
static inline void blkgen_pacer_random(struct blkgen_pacer *p)
{
	__u64 random = p->rng * 6364136223846793005ULL + 1;
	__u32 i = random >> (64 - BLKGEN_LOG_BITS);
	__u64 x;

	p->rng = random;
	if (!likely(i >= BLKGEN_LOG_FIRST)) {
		blkgen_pacer_long(p, random);
		return;
	}
	x = blkgen_log_table[i] - (((__u64)(blkgen_log_table[i] - blkgen_log_table[i + 1]) *
				    (__u32)(random >> (32 - BLKGEN_LOG_BITS))) >> 32);
	/* Round to the nearest nanosecond */
	p->next += (p->mean * x + (1ULL << (BLKGEN_LOG_SHIFT + 7))) >> (BLKGEN_LOG_SHIFT + 8);
}

/**
 * blkgen_pacer_advance() - move to the time when the next I/O is due
 * @p: pacer
 * @units: units of the I/O that was taken: 1, or its bytes
 */
static inline void blkgen_pacer_advance(struct blkgen_pacer *p, __u64 units)
{
	if (p->gap) {
		p->next += p->gap;
		p->frac += p->rest;
		if (p->frac >= p->rate) {
			p->frac -= p->rate;
			p->next++;
		}
		return;
	}
	if (p->mean) {
		blkgen_pacer_random(p);
		return;
	}
	p->due += units;
	if (!--p->left)
		blkgen_pacer_step(p);
}

#endif /* _BLKGEN_PACING_H */
