/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which block comes next, and what is done to it. Pure arithmetic: the same
 * file is built and tested in user space.
 */
#ifndef _BLKGEN_PATTERN_H
#define _BLKGEN_PATTERN_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <linux/types.h>
#endif
#include "uapi/blkgen.h"

/**
 * struct blkgen_perm - keyed permutation of 0 .. @nr - 1
 * @nr: size of the domain
 * @mask: smallest 2^n - 1 that holds the domain
 * @key: derived from the seed
 * @shift: half of the mask's bits, rounded up
 */
struct blkgen_perm {
	__u64 nr;
	__u64 mask;
	__u64 key[3];
	unsigned int shift;
};

/**
 * struct blkgen_cursor - a worker's way through the blocks of the range
 * @random: permuted, else sequential
 * @pos: place of the next I/O; permuted to a block if @random
 * @first: where a pass begins
 * @end: where a pass ends: at the first @pos that is not below
 * @step: from one place to the next
 * @seed: of the job, the same for all workers
 * @pass: passes completed
 * @perm: permutation of this pass, if @random
 */
struct blkgen_cursor {
	bool random;
	__u64 pos;
	__u64 first;
	__u64 end;
	__u64 step;
	__u64 seed;
	__u64 pass;
	struct blkgen_perm perm;
};

/**
 * struct blkgen_mix - draws ops from an urn that holds @weight[op] of each
 * @only: the op, if there is only one; else negative
 * @left: what is left in the urn, by op
 * @nr_left: sum of @left
 * @rng: state
 * @weight: what a fresh urn holds
 */
struct blkgen_mix {
	int only;
	__u32 left[BLKGEN_NR_OPS];
	__u32 nr_left;
	__u64 rng;
	__u32 weight[BLKGEN_NR_OPS];
};

#define BLKGEN_GOLDEN	0x9e3779b97f4a7c15ULL

/* Bijective mixer (splitmix64's finalizer): near seeds give unrelated results */
static inline __u64 blkgen_hash(__u64 x)
{
	x += BLKGEN_GOLDEN;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

/* Next number of the splitmix64 generator */
static inline __u64 blkgen_random(__u64 *state)
{
	__u64 x = *state;

	*state = x + BLKGEN_GOLDEN;
	return blkgen_hash(x);
}

void blkgen_perm_init(struct blkgen_perm *perm, __u64 nr, __u64 seed);
void blkgen_cursor_init(struct blkgen_cursor *cur, bool random, __u64 nr_blocks,
			unsigned int worker, unsigned int nr_workers, __u64 seed);
void blkgen_cursor_wrap(struct blkgen_cursor *cur);
int blkgen_mix_init(struct blkgen_mix *mix, const __u32 *weight, __u64 seed);
unsigned int blkgen_mix_draw(struct blkgen_mix *mix);
__u64 blkgen_share(__u64 total, unsigned int worker, unsigned int nr_workers);

/**
 * blkgen_perm_at - where the permutation sends a number
 * @perm: permutation
 * @x: below @perm->nr
 *
 * Every step (add a key, multiply by an odd number, fold the upper half of the
 * bits onto the lower) is invertible modulo a power of two. Numbers that come
 * out of the domain go in again until they are back in it, which they are after
 * less than two rounds on average, as the domain is more than half of the power
 * of two. So no bitmap is needed, and no block comes twice in a pass.
 */
static inline __u64 blkgen_perm_at(const struct blkgen_perm *perm, __u64 x)
{
	const __u64 mask = perm->mask;
	const unsigned int shift = perm->shift;

	do {
		x = (x + perm->key[0]) & mask;
		x ^= x >> shift;
		x = (x * 0xd1342543de82ef95ULL + perm->key[1]) & mask;
		x ^= x >> shift;
		x = (x * 0xaf251af3b0f025b5ULL + perm->key[2]) & mask;
		x ^= x >> shift;
		x = (x * 0x9e3779b97f4a7c15ULL) & mask;
		x ^= x >> shift;
	} while (x >= perm->nr);

	return x;
}

/**
 * blkgen_cursor_next - block of the next I/O
 * @cur: cursor, moves on
 *
 * Returns a block number, counted from the start of the range.
 */
static inline __u64 blkgen_cursor_next(struct blkgen_cursor *cur)
{
	__u64 block = cur->pos;

	if (cur->random)
		block = blkgen_perm_at(&cur->perm, block);
	cur->pos += cur->step;
	if (cur->pos >= cur->end)
		blkgen_cursor_wrap(cur);

	return block;
}

/* Op of the next I/O */
static inline unsigned int blkgen_mix_next(struct blkgen_mix *mix)
{
	if (mix->only >= 0)
		return mix->only;

	return blkgen_mix_draw(mix);
}

#endif /* _BLKGEN_PATTERN_H */
