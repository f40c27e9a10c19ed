/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When I/Os are due. Pure arithmetic: the same file is built and tested in user
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

/* -ln(i / 2^LOG_BITS) * 2^LOG_SHIFT, from i = LOG_FIRST on, where that fits */
#define BLKGEN_LOG_BITS		10
#define BLKGEN_LOG_FIRST	16
#define BLKGEN_LOG_SHIFT	29

extern __u32 blkgen_log_table[(1 << BLKGEN_LOG_BITS) + 1];

/**
 * struct blkgen_pacer - a worker's timetable
 * @next: when the next I/O is due, ns
 * @frac: and the rest of that, in units of 1 / @rate ns
 * @rate: I/Os or bytes per second of all workers
 * @scale: ns by which a unit (an I/O or byte) of this worker moves @next, times @rate
 * @gap: ns from one I/O to the next, rounded down, if all are of one unit; else 0
 * @rest: what was rounded off, in units of 1 / @rate ns
 * @mean: of random distances, in 1/256 ns, if all are of one unit and one I/O, and it
 *	fits; else 0
 * @due: units of the burst that is going on
 * @burst: I/Os that are due at the same time
 * @left: of those, still to come
 * @poisson: distances are exponentially distributed
 * @rng: state
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
};

void blkgen_pacing_init(void);
void blkgen_pacer_init(struct blkgen_pacer *p, const struct blkgen_setup *set,
		       unsigned int worker, __u64 start);
void blkgen_pacer_step(struct blkgen_pacer *p);
void blkgen_pacer_long(struct blkgen_pacer *p, __u64 random);
__u64 blkgen_exponential(__u64 random);

/*
 * To the next time, at a random distance: -ln(u), by a table that is interpolated
 * linearly, which moves no probability by 1e-5. A u below 1/64 is done the long way.
 * Random bits are the upper ones of a linear congruential generator (of Knuth's multiplier).
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
	/* To the next whole nanosecond, up or down */
	p->next += (p->mean * x + (1ULL << (BLKGEN_LOG_SHIFT + 7))) >> (BLKGEN_LOG_SHIFT + 8);
}

/**
 * blkgen_pacer_advance - an I/O of this time was taken: when is the next one due?
 * @p: pacer
 * @units: of the I/O: 1, or its bytes
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
