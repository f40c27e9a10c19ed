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
 * struct blkgen_column - of an alias table: where a draw ends
 * @threshold: a coin below it says this entry
 * @other: what a coin not below it says
 */
struct blkgen_column {
	__u32 threshold;
	__u32 other;
};

/**
 * struct blkgen_alias - draws entries of a table by their weights, in constant time
 * @nr: entries
 * @column: one for each
 */
struct blkgen_alias {
	__u32 nr;
	struct blkgen_column *column;
};

/* What blkgen_alias_init() needs for each entry: its weight not yet in a column, a stack */
struct blkgen_alias_work {
	__u64 left;
	__u32 index;
};

/**
 * struct blkgen_draw - draws places by the weights of zones; shared by all workers
 * @alias: which zone
 * @zone: alias.nr of them
 * @scatter: places go through @perm, so that those that are drawn often do not
 *	lie side by side
 * @perm: of all places
 */
struct blkgen_draw {
	struct blkgen_alias alias;
	const struct blkgen_zone *zone;
	bool scatter;
	struct blkgen_perm perm;
};

/**
 * struct blkgen_stream - a sequential stream
 * @first: sector where it begins, as all sectors counted from the range's start
 * @end: sector where its part ends
 * @pos: sector of its next I/O
 * @zone_end: where it skips next
 * @pass: how often it has been at its end
 */
struct blkgen_stream {
	__u64 first;
	__u64 end;
	__u64 pos;
	__u64 zone_end;
	__u64 pass;
};

/**
 * struct blkgen_layout - what the cursors of a job have in common
 * @pattern: enum blkgen_pattern
 * @unit: sectors from place to place
 * @max: sectors of the largest I/O
 * @nr_places: where an I/O may begin
 * @sectors: length of the range
 * @seed: of the job
 * @draw: for BLKGEN_PATTERN_DRAW
 * @nr_streams: for BLKGEN_PATTERN_STREAMS
 * @zone_size: sectors of a stream between skips; 0: it does not skip
 * @zone_skip: sectors
 * @zone_range: sectors from one stream's start to the next one's
 */
struct blkgen_layout {
	__u32 pattern;
	__u32 unit;
	__u32 max;
	__u64 nr_places;
	__u64 sectors;
	__u64 seed;
	const struct blkgen_draw *draw;
	__u32 nr_streams;
	__u64 zone_size;
	__u64 zone_skip;
	__u64 zone_range;
};

/**
 * struct blkgen_cursor - a worker's way through the range
 * @pattern: enum blkgen_pattern
 * @unit: sectors from place to place
 * @pos: SEQ, RANDOM: place of the next I/O, permuted if RANDOM
 * @first: where a pass begins
 * @end: where a pass ends: at the first @pos that is not below
 * @step: from one place to the next
 * @pass: passes completed
 * @perm: RANDOM: permutation of this pass
 * @rng: DRAW: state
 * @stream: STREAMS: those of the worker
 * @nr_streams: how many
 * @turn: whose turn it is
 * @layout: of the job
 */
struct blkgen_cursor {
	__u32 pattern;
	__u32 unit;
	__u64 pos;
	__u64 first;
	__u64 end;
	__u64 step;
	__u64 pass;
	struct blkgen_perm perm;
	__u64 rng;
	struct blkgen_stream *stream;
	__u32 nr_streams;
	__u32 turn;
	const struct blkgen_layout *layout;
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

/* A random 64-bit number, brought below @n: unbiased to n / 2^64 */
static inline __u64 blkgen_below(__u64 random, __u64 n)
{
	__u64 lo = (random & 0xffffffff) * (n & 0xffffffff);
	__u64 mid1 = (random >> 32) * (n & 0xffffffff) + (lo >> 32);
	__u64 mid2 = (random & 0xffffffff) * (n >> 32) + (mid1 & 0xffffffff);

	return (random >> 32) * (n >> 32) + (mid1 >> 32) + (mid2 >> 32);
}

__u64 blkgen_perm_again(const struct blkgen_perm *perm, __u64 x);
void blkgen_perm_init(struct blkgen_perm *perm, __u64 nr, __u64 seed);
int blkgen_alias_init(struct blkgen_alias *alias, const __u32 *weight, __u32 nr,
		      struct blkgen_alias_work *work);
__u64 blkgen_layout_places(__u64 sectors, __u32 unit, __u32 max);
__u32 blkgen_streams_of(const struct blkgen_layout *lay, unsigned int worker,
			unsigned int nr_workers);
void blkgen_cursor_init(struct blkgen_cursor *cur, const struct blkgen_layout *lay,
			unsigned int worker, unsigned int nr_workers,
			struct blkgen_stream *stream);
__u64 blkgen_stream_next(struct blkgen_cursor *cur, __u32 sectors);
void blkgen_cursor_wrap(struct blkgen_cursor *cur);
int blkgen_mix_init(struct blkgen_mix *mix, const __u32 *weight, __u64 seed);
unsigned int blkgen_mix_draw(struct blkgen_mix *mix);
__u64 blkgen_share(__u64 total, unsigned int worker, unsigned int nr_workers);

/* One round of blkgen_perm_at() */
static __always_inline __u64 blkgen_perm_step(const struct blkgen_perm *perm, __u64 x)
{
	x = (x + perm->key[0]) & perm->mask;
	x ^= x >> perm->shift;
	x = (x * 0xd1342543de82ef95ULL + perm->key[1]) & perm->mask;
	x ^= x >> perm->shift;
	x = (x * 0xaf251af3b0f025b5ULL + perm->key[2]) & perm->mask;
	x ^= x >> perm->shift;
	x = (x * 0x9e3779b97f4a7c15ULL) & perm->mask;
	x ^= x >> perm->shift;

	return x;
}

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
static __always_inline __u64 blkgen_perm_at(const struct blkgen_perm *perm, __u64 x)
{
	x = blkgen_perm_step(perm, x);
	if (x >= perm->nr)
		x = blkgen_perm_again(perm, x);

	return x;
}

/* An entry of the table */
static inline __u32 blkgen_alias_draw(const struct blkgen_alias *alias, __u64 *rng)
{
	__u64 r = blkgen_random(rng);
	__u32 i = ((r >> 32) * alias->nr) >> 32;

	return (__u32)r < alias->column[i].threshold ? i : alias->column[i].other;
}

/* A place */
static inline __u64 blkgen_draw_next(const struct blkgen_draw *draw, __u64 *rng)
{
	const struct blkgen_zone *zone = &draw->zone[blkgen_alias_draw(&draw->alias, rng)];
	__u64 place = zone->first + blkgen_below(blkgen_random(rng), zone->count);

	return draw->scatter ? blkgen_perm_at(&draw->perm, place) : place;
}

/**
 * blkgen_cursor_next - where the next I/O begins
 * @cur: cursor, moves on
 * @sectors: its length, at most layout.max
 *
 * Returns a sector, counted from the start of the range.
 */
static inline __u64 blkgen_cursor_next(struct blkgen_cursor *cur, __u32 sectors)
{
	__u64 place = cur->pos;

	switch (cur->pattern) {
	case BLKGEN_PATTERN_RANDOM:
		place = blkgen_perm_at(&cur->perm, place);
		break;
	case BLKGEN_PATTERN_DRAW:
		return blkgen_draw_next(cur->layout->draw, &cur->rng) * cur->unit;
	case BLKGEN_PATTERN_STREAMS:
		return blkgen_stream_next(cur, sectors);
	}
	cur->pos += cur->step;
	if (cur->pos >= cur->end)
		blkgen_cursor_wrap(cur);

	return place * cur->unit;
}

/* Op of the next I/O */
static inline unsigned int blkgen_mix_next(struct blkgen_mix *mix)
{
	if (mix->only >= 0)
		return mix->only;

	return blkgen_mix_draw(mix);
}

#endif /* _BLKGEN_PATTERN_H */
