/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Choose the block and the op of the next I/O. This is pure arithmetic: the same file is built
 * and tested in user space.
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
 * @key: constants of the rounds, derived from the seed
 * @shift: half of the mask's bits, rounded up
 */
struct blkgen_perm {
	__u64 nr;
	__u64 mask;
	__u64 key[3];
	unsigned int shift;
};

/**
 * struct blkgen_column - column of an alias table: decides between two entries
 * @threshold: a random number below it chooses the entry of this column
 * @other: entry that any other random number chooses
 */
struct blkgen_column {
	__u32 threshold;
	__u32 other;
};

/**
 * struct blkgen_alias - alias table: draws entries of a table by their weights, in constant time
 * @nr: number of entries
 * @column: one column for each entry
 */
struct blkgen_alias {
	__u32 nr;
	struct blkgen_column *column;
};

/*
 * blkgen_alias_init() uses one of these per entry as scratch memory. @left is the part of the
 * entry's weight that is not in a column yet. @index does not belong to the entry: the @index
 * members of all elements together hold two stacks of entries.
 */
struct blkgen_alias_work {
	__u64 left;
	__u32 index;
};

/**
 * struct blkgen_draw - draws places by the weights of zones; all workers share it
 * @alias: draws the zone
 * @zone: the zones, alias.nr of them
 * @scatter: places go through @perm, so that places that are drawn often do not lie side by side
 * @perm: permutation of all places
 */
struct blkgen_draw {
	struct blkgen_alias alias;
	const struct blkgen_zone *zone;
	bool scatter;
	struct blkgen_perm perm;
};

/**
 * struct blkgen_stream - a sequential stream
 * @first: sector where the stream begins; all sectors are counted from the range's start
 * @end: sector where the stream's part of the range ends
 * @pos: sector of the next I/O
 * @zone_end: sector where the stream skips next
 * @pass: how often the stream has reached its end
 */
struct blkgen_stream {
	__u64 first;
	__u64 end;
	__u64 pos;
	__u64 zone_end;
	__u64 pass;
};

/**
 * struct blkgen_layout - parameters that all cursors of a job share
 * @pattern: enum blkgen_pattern
 * @unit: sectors from place to place
 * @max: sectors of the largest I/O
 * @nr_places: number of places, which are where an I/O may begin
 * @sectors: length of the range
 * @seed: seed of the job
 * @draw: draws places, for BLKGEN_PATTERN_DRAW
 * @nr_streams: number of streams, for BLKGEN_PATTERN_STREAMS
 * @zone_size: sectors of a stream between skips; 0: the stream does not skip
 * @zone_skip: sectors that a stream skips
 * @zone_range: sectors from the start of one stream to the start of the next
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
 * struct blkgen_cursor - a worker's position in the range
 * @pattern: enum blkgen_pattern
 * @unit: sectors from place to place
 * @pos: SEQ, RANDOM: place of the next I/O; for RANDOM, the place before it is permuted
 * @first: SEQ, RANDOM: @pos at the start of a pass
 * @end: SEQ, RANDOM: a pass ends when @pos reaches or passes this
 * @step: SEQ, RANDOM: added to @pos for the next place
 * @pass: passes completed
 * @perm: RANDOM: permutation of the current pass
 * @rng: DRAW: state of the random numbers
 * @stream: STREAMS: the streams of the worker
 * @nr_streams: STREAMS: number of @stream
 * @turn: STREAMS: index of the stream that takes the next I/O
 * @layout: layout of the job
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
 * @only: the op if the mix has only one op, else negative
 * @left: number of each op that is left in the urn
 * @nr_left: sum of @left
 * @rng: state of the random numbers
 * @weight: number of each op in a full urn
 */
struct blkgen_mix {
	int only;
	__u32 left[BLKGEN_NR_OPS];
	__u32 nr_left;
	__u64 rng;
	__u32 weight[BLKGEN_NR_OPS];
};

#define BLKGEN_GOLDEN	0x9e3779b97f4a7c15ULL

/**
 * blkgen_hash() - mix the bits of a number, so that near seeds give unrelated results
 * @x: number
 *
 * This is the output of the splitmix64 generator for the state @x (Steele, Lea and Flood, Fast
 * splittable pseudorandom number generators, 2014).
 *
 * Return: the result; no two numbers have the same one
 */
static inline __u64 blkgen_hash(__u64 x)
{
	x += BLKGEN_GOLDEN;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

/**
 * blkgen_random() - draw the next number of the splitmix64 generator
 * @state: state of the generator, which moves on; any start value is good
 *
 * Return: 64 random bits
 */
static inline __u64 blkgen_random(__u64 *state)
{
	__u64 x = *state;

	*state = x + BLKGEN_GOLDEN;
	return blkgen_hash(x);
}

/**
 * blkgen_below() - map a random number to a number below a limit
 * @random: 64 random bits
 * @n: limit, not 0
 *
 * The result is the upper half of the product of both, which has 128 bits.
 *
 * Return: a number below @n, with a bias of at most n / 2^64
 */
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

/**
 * blkgen_perm_step() - do one round of blkgen_perm_at()
 * @perm: the permutation
 * @x: number, at most @perm->mask
 *
 * Return: a number, at most @perm->mask, so it may be outside the domain
 */
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
 * blkgen_perm_at() - permute a number
 * @perm: the permutation
 * @x: the number, below @perm->nr
 *
 * Every step (add a key, multiply by an odd number, fold the upper half of the bits onto the
 * lower) is invertible modulo a power of two. A number that leaves the domain goes through
 * another round until it is back in the domain. This takes less than two rounds on average, as
 * the domain is more than half of the power of two. So no bitmap is needed, and no block comes
 * twice in a pass.
 *
 * Return: a number below @perm->nr
 */
static __always_inline __u64 blkgen_perm_at(const struct blkgen_perm *perm, __u64 x)
{
	x = blkgen_perm_step(perm, x);
	if (x >= perm->nr)
		x = blkgen_perm_again(perm, x);

	return x;
}

/**
 * blkgen_alias_draw() - draw an entry by the weights
 * @alias: table that blkgen_alias_init() has set up
 * @rng: state of the random numbers, which moves on
 *
 * Return: the index of the entry
 */
static inline __u32 blkgen_alias_draw(const struct blkgen_alias *alias, __u64 *rng)
{
	__u64 r = blkgen_random(rng);
	__u32 i = ((r >> 32) * alias->nr) >> 32;

	return (__u32)r < alias->column[i].threshold ? i : alias->column[i].other;
}

/**
 * blkgen_draw_next() - draw a place by the weights of zones
 * @draw: the zones
 * @rng: state of the random numbers, which moves on
 *
 * Return: the place, counted from the start of the range
 */
static inline __u64 blkgen_draw_next(const struct blkgen_draw *draw, __u64 *rng)
{
	const struct blkgen_zone *zone = &draw->zone[blkgen_alias_draw(&draw->alias, rng)];
	__u64 place = zone->first + blkgen_below(blkgen_random(rng), zone->count);

	return draw->scatter ? blkgen_perm_at(&draw->perm, place) : place;
}

/**
 * blkgen_cursor_next() - return where the next I/O begins
 * @cur: cursor; it moves on
 * @sectors: length of the I/O, at most layout.max
 *
 * Return: a sector, counted from the start of the range
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

/**
 * blkgen_mix_next() - choose the op of the next I/O
 * @mix: mix that blkgen_mix_init() has set up
 *
 * Return: enum blkgen_op
 */
static inline unsigned int blkgen_mix_next(struct blkgen_mix *mix)
{
	if (mix->only >= 0)
		return mix->only;

	return blkgen_mix_draw(mix);
}

#endif /* _BLKGEN_PATTERN_H */
