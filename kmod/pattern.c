// SPDX-License-Identifier: GPL-2.0
/*
 * Offsets and op mix: everything that is not per I/O. No kernel services, the
 * unit tests build this file in user space.
 */
#ifdef __KERNEL__
#include <linux/errno.h>
#include <linux/string.h>
#else
#include <errno.h>
#include <string.h>
#endif
#include "pattern.h"

/**
 * blkgen_perm_init - choose a permutation
 * @perm: to set up
 * @nr: numbers 0 .. @nr - 1 are permuted, at least 1
 * @seed: which one
 */
void blkgen_perm_init(struct blkgen_perm *perm, __u64 nr, __u64 seed)
{
	unsigned int bits = 0, i;

	while (bits < 64 && (nr - 1) >> bits)
		bits++;
	perm->nr = nr;
	perm->mask = bits ? ~0ULL >> (64 - bits) : 0;
	perm->shift = bits > 1 ? (bits + 1) / 2 : 1;
	for (i = 0; i < 3; i++)
		perm->key[i] = blkgen_random(&seed);
}

static void cursor_key(struct blkgen_cursor *cur)
{
	blkgen_perm_init(&cur->perm, cur->end, blkgen_hash(cur->seed) + cur->pass);
}

/**
 * blkgen_cursor_init - put a worker at its first block
 * @cur: to set up
 * @random: permuted, else sequential
 * @nr_blocks: blocks in the range, at least @nr_workers
 * @worker: 0 .. @nr_workers - 1
 * @nr_workers: that share the range
 * @seed: of the job
 *
 * The workers' shares of the blocks are disjoint and cover the range. They are
 * what blkgen_share() says, so a run of @nr_blocks I/Os is exactly one pass.
 */
void blkgen_cursor_init(struct blkgen_cursor *cur, bool random, __u64 nr_blocks,
			unsigned int worker, unsigned int nr_workers, __u64 seed)
{
	memset(cur, 0, sizeof(*cur));
	cur->random = random;
	cur->seed = seed;
	if (random) {
		/* places worker, worker + n, ... of one permutation of all */
		cur->first = worker;
		cur->step = nr_workers;
		cur->end = nr_blocks;
		cursor_key(cur);
	} else {
		__u64 extra = nr_blocks % nr_workers;

		cur->first = nr_blocks / nr_workers * worker;
		cur->first += worker < extra ? worker : extra;
		cur->step = 1;
		cur->end = cur->first + blkgen_share(nr_blocks, worker, nr_workers);
	}
	cur->pos = cur->first;
}

/* The pass is over: begin another, in a new order if it is random. */
void blkgen_cursor_wrap(struct blkgen_cursor *cur)
{
	cur->pass++;
	cur->pos = cur->first;
	if (cur->random)
		cursor_key(cur);
}

/**
 * blkgen_share - a worker's part of a total
 * @total: of all workers
 * @worker: 0 .. @nr_workers - 1
 * @nr_workers: that share it, evenly to one
 */
__u64 blkgen_share(__u64 total, unsigned int worker, unsigned int nr_workers)
{
	return total / nr_workers + (worker < total % nr_workers);
}

static void mix_fill(struct blkgen_mix *mix)
{
	unsigned int op;

	mix->nr_left = 0;
	for (op = 0; op < BLKGEN_NR_OPS; op++) {
		mix->left[op] = mix->weight[op];
		mix->nr_left += mix->weight[op];
	}
}

/**
 * blkgen_mix_init - fill the urn
 * @mix: to set up
 * @weight: BLKGEN_NR_OPS weights
 * @seed: of the order of ops
 *
 * Returns 0, or -EINVAL if the weights are all 0 or sum up to more than
 * BLKGEN_MAX_MIX.
 */
int blkgen_mix_init(struct blkgen_mix *mix, const __u32 *weight, __u64 seed)
{
	unsigned int op, used = 0;
	__u64 sum = 0;

	memset(mix, 0, sizeof(*mix));
	for (op = 0; op < BLKGEN_NR_OPS; op++) {
		mix->weight[op] = weight[op];
		sum += weight[op];
		if (weight[op]) {
			mix->only = op;
			used++;
		}
	}
	if (!sum || sum > BLKGEN_MAX_MIX)
		return -EINVAL;
	if (used > 1)
		mix->only = -1;
	mix->rng = seed;
	mix_fill(mix);

	return 0;
}

/**
 * blkgen_mix_draw - draw an op
 * @mix: with more than one op
 *
 * Drawing without putting back: the order is random, yet each round of the urn
 * has exactly the weights asked for, where independent draws would be off by
 * several percent in a short run.
 */
unsigned int blkgen_mix_draw(struct blkgen_mix *mix)
{
	unsigned int op = 0;
	__u32 r;

	if (!mix->nr_left)
		mix_fill(mix);
	r = ((blkgen_random(&mix->rng) >> 32) * mix->nr_left) >> 32;
	while (r >= mix->left[op])
		r -= mix->left[op++];
	mix->left[op]--;
	mix->nr_left--;

	return op;
}
