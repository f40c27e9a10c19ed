// SPDX-License-Identifier: GPL-2.0
/*
 * Set up and advance offsets and the op mix: the parts that do not run for each I/O. This file
 * uses no kernel services; the unit tests build it in user space.
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
 * blkgen_perm_init() - choose a permutation
 * @perm: permutation to set up
 * @nr: numbers 0 .. @nr - 1 are permuted, at least 1
 * @seed: selects the permutation
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

/**
 * blkgen_alias_init() - set up a table that draws entries by weight
 * @alias: alias table to set up; @alias->column has room for @nr columns
 * @weight: weight of each entry
 * @nr: number of entries, 1 .. BLKGEN_MAX_TABLE
 * @work: scratch memory, room for @nr
 *
 * This is Vose's method (A linear algorithm for generating random numbers with a given
 * distribution, 1991): each of @nr equally likely columns holds a part of one entry's weight, and
 * is filled up with a part of another entry's weight. The arithmetic is in integers, so
 * probabilities are off by less than 2^-32.
 *
 * Return: 0, or -EINVAL if the weights are all 0 or their sum is more than BLKGEN_MAX_WEIGHT
 */
int blkgen_alias_init(struct blkgen_alias *alias, const __u32 *weight, __u32 nr,
		      struct blkgen_alias_work *work)
{
	__u32 nr_small = 0, large = nr, i;
	__u64 sum = 0;

	for (i = 0; i < nr; i++)
		sum += weight[i];
	if (!sum || sum > BLKGEN_MAX_WEIGHT)
		return -EINVAL;
	alias->nr = nr;
	/*
	 * A full column holds a weight of @sum. Entries with less weight go to the front of
	 * @work, the other entries to its end.
	 */
	for (i = 0; i < nr; i++) {
		work[i].left = (__u64)weight[i] * nr;
		alias->column[i] = (struct blkgen_column) { .threshold = ~0U, .other = i };
		if (work[i].left < sum)
			work[nr_small++].index = i;
		else
			work[--large].index = i;
	}
	while (nr_small && large < nr) {
		__u32 s = work[--nr_small].index, l = work[large].index;

		alias->column[s].threshold = (work[s].left << 32) / sum;
		alias->column[s].other = l;
		work[l].left -= sum - work[s].left;
		if (work[l].left < sum) {
			large++;
			work[nr_small++].index = l;
		}
	}

	return 0;
}

/**
 * blkgen_layout_places() - count the places where an I/O may begin
 * @sectors: length of the range
 * @unit: sectors from place to place, not 0
 * @max: sectors of the largest I/O, not 0
 *
 * Return: the number of places; 0 if the range is too short
 */
__u64 blkgen_layout_places(__u64 sectors, __u32 unit, __u32 max)
{
	return sectors < max ? 0 : (sectors - max) / unit + 1;
}

/**
 * blkgen_perm_again() - repeat the rounds of a permutation until a number is back in the domain
 * @perm: the permutation
 * @x: number that left the domain in the first round, at most @perm->mask
 *
 * Return: a number below @perm->nr
 */
__u64 blkgen_perm_again(const struct blkgen_perm *perm, __u64 x)
{
	do {
		x = blkgen_perm_step(perm, x);
	} while (x >= perm->nr);

	return x;
}

static void cursor_key(struct blkgen_cursor *cur)
{
	blkgen_perm_init(&cur->perm, cur->end, blkgen_hash(cur->layout->seed) + cur->pass);
}

/* Set up stream number @index: its part of the range, and its first skip */
static void stream_init(struct blkgen_stream *st, const struct blkgen_layout *lay,
			unsigned int index)
{
	st->first = index * lay->zone_range;
	st->end = st->first + lay->zone_range;
	if (st->end > lay->sectors)
		st->end = lay->sectors;
	st->pos = st->first;
	st->zone_end = st->first + lay->zone_size;
	st->pass = 0;
}

/*
 * Begin the stream again. A pass of the worker is over when all of its streams have been at the
 * end.
 */
static void stream_wrap(struct blkgen_cursor *cur, struct blkgen_stream *st)
{
	__u32 i;

	st->pos = st->first;
	st->zone_end = st->first + cur->layout->zone_size;
	st->pass++;
	cur->pass = st->pass;
	for (i = 0; i < cur->nr_streams; i++)
		if (cur->stream[i].pass < cur->pass)
			cur->pass = cur->stream[i].pass;
}

/**
 * blkgen_stream_next() - return where the next I/O of the worker's streams begins
 * @cur: cursor of streams; it moves on, and @cur->turn becomes the index of the stream that takes
 *	the I/O after this one
 * @sectors: length of the I/O
 *
 * Return: a sector, counted from the start of the range
 */
__u64 blkgen_stream_next(struct blkgen_cursor *cur, __u32 sectors)
{
	const struct blkgen_layout *lay = cur->layout;
	struct blkgen_stream *st = &cur->stream[cur->turn];
	__u64 at;

	at = st->pos;
	st->pos += (sectors + cur->unit - 1) / cur->unit * cur->unit;
	/* Skip and wrap now, not at the next I/O, because a pass is over with its last I/O */
	if (lay->zone_size && st->pos + lay->max > st->zone_end) {
		st->pos = st->zone_end + lay->zone_skip;
		st->zone_end = st->pos + lay->zone_size;
	}
	if (st->pos + lay->max > st->end)
		stream_wrap(cur, st);
	if (++cur->turn == cur->nr_streams)
		cur->turn = 0;

	return at;
}

/**
 * blkgen_streams_of() - compute how many streams a worker has
 * @lay: layout of the job
 * @worker: 0 .. @nr_workers - 1
 * @nr_workers: number of workers that share the streams
 *
 * Return: the number of streams; 0 if the pattern has none
 */
__u32 blkgen_streams_of(const struct blkgen_layout *lay, unsigned int worker,
			unsigned int nr_workers)
{
	return blkgen_share(lay->nr_streams, worker, nr_workers);
}

/**
 * blkgen_cursor_init() - put a worker at its first place
 * @cur: cursor to set up
 * @lay: layout of the job; outlives the cursor
 * @worker: 0 .. @nr_workers - 1
 * @nr_workers: number of workers that share the range; there are at least as many places and
 *	streams
 * @stream: room for as many streams as blkgen_streams_of() returns; unused without streams
 *
 * The workers' shares of the places are disjoint and cover the range. Each worker's share has the
 * size that blkgen_share() returns, so a run of nr_places I/Os is exactly one pass. Worker w of n
 * has the streams w, w + n, w + 2n...
 */
void blkgen_cursor_init(struct blkgen_cursor *cur, const struct blkgen_layout *lay,
			unsigned int worker, unsigned int nr_workers,
			struct blkgen_stream *stream)
{
	__u64 extra = lay->nr_places % nr_workers;
	__u32 i;

	memset(cur, 0, sizeof(*cur));
	cur->pattern = lay->pattern;
	cur->unit = lay->unit;
	cur->layout = lay;
	switch (lay->pattern) {
	case BLKGEN_PATTERN_RANDOM:
		/*
		 * The worker takes places worker, worker + n, ... of one permutation of all
		 * places
		 */
		cur->first = worker;
		cur->step = nr_workers;
		cur->end = lay->nr_places;
		cursor_key(cur);
		break;
	case BLKGEN_PATTERN_DRAW:
		cur->rng = blkgen_hash(blkgen_hash(lay->seed) + worker);
		break;
	case BLKGEN_PATTERN_STREAMS:
		cur->stream = stream;
		cur->nr_streams = blkgen_streams_of(lay, worker, nr_workers);
		for (i = 0; i < cur->nr_streams; i++)
			stream_init(&stream[i], lay, worker + i * nr_workers);
		break;
	default:
		cur->first = lay->nr_places / nr_workers * worker;
		cur->first += worker < extra ? worker : extra;
		cur->step = 1;
		cur->end = cur->first + blkgen_share(lay->nr_places, worker, nr_workers);
	}
	cur->pos = cur->first;
}

/**
 * blkgen_cursor_wrap() - begin another pass, in a new order if the pattern is random
 * @cur: cursor of a sequential or random pattern, at the end of a pass
 */
void blkgen_cursor_wrap(struct blkgen_cursor *cur)
{
	cur->pass++;
	cur->pos = cur->first;
	if (cur->pattern == BLKGEN_PATTERN_RANDOM)
		cursor_key(cur);
}

/**
 * blkgen_share() - compute a worker's share of a total
 * @total: total of all workers
 * @worker: 0 .. @nr_workers - 1
 * @nr_workers: number of workers that share it, not 0
 *
 * Return: the share; the shares of all workers differ by at most 1
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
 * blkgen_mix_init() - set up a mix and fill its urn
 * @mix: mix to set up
 * @weight: BLKGEN_NR_OPS weights
 * @seed: selects the order of ops
 *
 * Return: 0, or -EINVAL if the weights are all 0 or their sum is more than BLKGEN_MAX_MIX
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
 * blkgen_mix_draw() - draw an op from the urn
 * @mix: mix that has more than one op
 *
 * The drawn op is not put back. So the order is random, yet each round of the urn has exactly the
 * weights that the caller asked for. Independent draws would be off by several percent in a short
 * run.
 *
 * Return: enum blkgen_op
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
