// SPDX-License-Identifier: GPL-2.0
/*
 * Charge many I/Os at a time. The marks of I/Os that wait are kept in columns, so that the times of
 * a stage are computed two at a time. This is what user space does most for each I/O.
 */
#include <stdlib.h>
#include <string.h>
#include "blklat/collect/samples.h"

/* A pair is two times that are computed at once. */
typedef uint64_t pair __attribute__((vector_size(16), may_alias));

/*
 * Times of this length and above have no bucket of their own. This must be a power of two, because
 * it is compared with the bitwise or of many times.
 */
#define TIMES_END (1ULL << BLKLAT_HIST_ORDER)
/* A round of a loop computes this many times. */
#define ROUND 8

void samples_free(struct samples *sm)
{
	if (!sm)
		return;
	rows_free(sm->rows);
	shapes_free(&sm->shapes);
	free(sm);
}

void samples_add(struct samples *sm, const struct io_chain *c)
{
	unsigned int hops = c->kind & CHAIN_HOPS;

	samples_expect(sm, c->kind);
	samples_copy(sm, COLUMN_OF_FIRST(0), c->m[0]);
	for (unsigned int level = 1; level < hops; level++) {
		sm->at[COLUMN_OF_INNER(level, MARK_Q)][sm->n] = c->m[level][MARK_Q];
		sm->at[COLUMN_OF_INNER(level, MARK_Z)][sm->n] = c->m[level][MARK_Z];
	}
	if (hops)
		samples_copy(sm, COLUMN_OF_LAST(0), c->m[hops]);
	if (c->kind & CHAIN_NO_B)
		sm->at[COLUMN_OF_LAST(MARK_B)][sm->n] = 0;
	samples_copied(sm);
}

/* struct blklat_tail is also used as an array of this many sums. */
#define SUMS (sizeof(struct blklat_tail) / sizeof(__u64))
_Static_assert(SUMS == 2 + NR_STAGES + NR_LAYER_ROWS, "struct blklat_tail is no array of sums");
_Static_assert(!offsetof(struct blklat_tail, count), "the first sum is not the number of I/Os");

/* Return the index that the sum of a row has in this array. */
static size_t sum_of(unsigned int row)
{
	size_t offset = row < NR_ROWS ? offsetof(struct blklat_tail, stage[row]) :
					offsetof(struct blklat_tail, layer[row - NR_ROWS]);

	if (row == ROW_OF_SPAN(SPAN_TOTAL))
		offset = offsetof(struct blklat_tail, total);
	return offset / sizeof(__u64);
}

void samples_charge_event(struct samples *sm, const struct io_event *ev)
{
	struct blklat_tail *t = &sm->tail[blklat_tail_group(ev->total_ns)];
	uint64_t ns[NR_ALL_ROWS], sum = 0;
	uint64_t seen = rows_add_event(sm->rows, ev, ns);

	for (; seen; seen &= seen - 1) {
		unsigned int row = __builtin_ctzll(seen);

		sum += ns[row];
		((__u64 *)t)[sum_of(row)] += ns[row];
	}
	t->count++;
	t->total += ev->total_ns;
	sm->singly++;
	sm->ledger->n[COUNT_DISORDER] += ev->disorder;
	sm->ledger->n[COUNT_CHECKED] += sm->check;
	sm->ledger->n[COUNT_CHECK_FAILED] += sm->check && sum != ev->total_ns;
}

/* Charge one I/O that waits: make a record of it and split the record. This works for all I/Os. */
static void charge_one(struct samples *sm, unsigned int k)
{
	unsigned int hops = sm->kind & CHAIN_HOPS;
	__u64 m[BLKLAT_MAX_LAYERS + 1][NR_MARKS];
	struct io_chain c = { .kind = sm->kind };
	struct blklat_event e;
	struct io_event ev;

	for (unsigned int i = 0; i < NR_MARKS; i++) {
		m[0][i] = sm->at[COLUMN_OF_FIRST(i)][k];
		if (hops)
			m[hops][i] = sm->at[COLUMN_OF_LAST(i)][k];
	}
	for (unsigned int level = 1; level < hops; level++) {
		m[level][MARK_Q] = sm->at[COLUMN_OF_INNER(level, MARK_Q)][k];
		m[level][MARK_Z] = sm->at[COLUMN_OF_INNER(level, MARK_Z)][k];
	}
	for (unsigned int level = 0; level <= hops; level++)
		c.m[level] = m[level];
	io_chain_record(&c, &e);
	io_event_decode(&e, &ev);
	samples_charge_event(sm, &ev);
}

/* Return a bit for each mark that the first I/O that waits has, in the columns from @column on. */
static uint16_t marks_at_front(const struct samples *sm, unsigned int column)
{
	uint16_t marks = 0;

	for (unsigned int i = 0; i < NR_MARKS; i++)
		marks |= (sm->at[column + i][0] != 0) << i;
	return marks;
}

static const struct shape *shape_at_front(struct samples *sm)
{
	struct shape_key key = {
		.first = marks_at_front(sm, COLUMN_OF_FIRST(0)),
		.kind = sm->kind,
	};

	if (sm->kind & CHAIN_HOPS)
		key.last = marks_at_front(sm, COLUMN_OF_LAST(0));
	return shape_of(&sm->shapes, &key);
}

static uint64_t time_of(const struct samples *sm, const struct shape_gap *gap, unsigned int k)
{
	return sm->at[gap->to][k] - sm->at[gap->from][k];
}

/* Return true if the stages of an I/O sum to the time from its first mark to its latest mark. */
static bool adds_up(const struct samples *sm, const struct shape *s, unsigned int k)
{
	uint64_t begin = sm->at[s->gap[0].from][k], end = begin, sum = 0;

	for (unsigned int i = 0; i < NR_MARKS; i++)
		if (sm->at[COLUMN_OF_FIRST(i)][k] > end)
			end = sm->at[COLUMN_OF_FIRST(i)][k];
	for (unsigned int i = 0; i < s->n; i++)
		sum += time_of(sm, &s->gap[i], k);
	return sum == end - begin && sum == time_of(sm, &s->gap[s->n], k);
}

/* Return true if one I/O has this shape, with its marks in order. */
static bool has(const struct samples *sm, const struct shape *s, unsigned int k)
{
	uint64_t absent = 0, times = 0;

	for (unsigned int i = 0; i < s->nr_absent; i++)
		absent |= sm->at[s->absent[i]][k];
	for (unsigned int i = 0; i <= s->n; i++)
		times |= time_of(sm, &s->gap[i], k);
	if (!sm->at[s->gap[0].from][k] || absent || times >= TIMES_END)
		return false;
	return !sm->check || adds_up(sm, s, k);
}

/* Return how many columns the I/Os that wait have. */
static unsigned int nr_columns(const struct samples *sm)
{
	unsigned int hops = sm->kind & CHAIN_HOPS;

	return hops ? COLUMN_OF_INNER(hops, MARK_Q) : COLUMN_OF_LAST(0);
}

static void exchange(struct samples *sm, unsigned int j, unsigned int k)
{
	for (unsigned int i = 0; j != k && i < nr_columns(sm); i++) {
		uint64_t was = sm->at[i][j];

		sm->at[i][j] = sm->at[i][k];
		sm->at[i][k] = was;
	}
}

/* Bring the I/Os that have this shape to the front, and return their number. */
static unsigned int sort_out(struct samples *sm, const struct shape *s)
{
	unsigned int n = 0;

	for (unsigned int k = 0; k < sm->n; k++)
		if (has(sm, s, k))
			exchange(sm, n++, k);
	return n;
}

/*
 * A time as a double has its octave in the exponent, from bit 52 on, and its bucket within the
 * octave in the upper BLKLAT_HIST_BITS bits of the mantissa. So the bits from BUCKET_SHIFT on count
 * the buckets of the histograms without a gap. This holds from FIRST_OCTAVE on. The octaves below
 * have fewer values than buckets.
 */
#define FIRST_OCTAVE (1ULL << BLKLAT_HIST_BITS)
#define BUCKET_SHIFT (52 - BLKLAT_HIST_BITS)
/* For the time FIRST_OCTAVE these bits are this number, but its bucket has number FIRST_OCTAVE. */
#define BUCKET_OF_FIRST_OCTAVE ((1023ULL + BLKLAT_HIST_BITS) << BLKLAT_HIST_BITS)
/*
 * These are the bits of the double 2^52. Its mantissa is 0. If an integer below 2^52 is put into
 * the mantissa, the double is 2^52 plus the integer. Subtract 2^52 to get the integer as a double.
 */
#define BITS_OF_2_52 0x4330000000000000ULL

/* Return the numbers of the buckets of two times that are no less than FIRST_OCTAVE. */
static inline pair buckets_of(pair ns)
{
	const double base __attribute__((vector_size(16))) = { 0x1p52, 0x1p52 };
	pair bits = (pair)((__typeof__(base))(ns | BITS_OF_2_52) - base);

	return (bits >> BUCKET_SHIFT) - (BUCKET_OF_FIRST_OCTAVE - FIRST_OCTAVE);
}

/**
 * struct times - how long a stage took in each I/O
 * @ns: the times
 * @bucket: their buckets
 * @sum: the sum of the times
 * @inside: true if no time is below the smallest or above the largest of the histogram, and all are
 *	from FIRST_OCTAVE to TIMES_END - 1; only then can @bucket be used
 */
struct times {
	uint64_t ns[WAITING_MAX] __attribute__((aligned(16)));
	uint64_t bucket[WAITING_MAX] __attribute__((aligned(16)));
	uint64_t sum;
	bool inside;
};

/* Compute the times of a stage for @n I/Os, where @n is a multiple of ROUND. */
static inline void compute(struct times *t, const uint64_t *from, const uint64_t *to, size_t n,
			   const struct hist *h)
{
	typedef int64_t pair_of_signed __attribute__((vector_size(16)));
	int64_t min = h->min < FIRST_OCTAVE ? FIRST_OCTAVE : h->min;
	int64_t max = h->max < TIMES_END ? h->max : TIMES_END - 1;
	pair_of_signed min2 = { min, min }, max2 = { max, max }, outside = { 0 };
	pair sum = { 0 };

	for (size_t first = 0; first < n; first += ROUND) {
#pragma GCC unroll 8
		for (size_t k = first; k < first + ROUND; k += 2) {
			pair ns = *(const pair *)&to[k] - *(const pair *)&from[k];

			outside |= ((pair_of_signed)ns - min2) | (max2 - (pair_of_signed)ns);
			sum += ns;
			*(pair *)&t->ns[k] = ns;
			*(pair *)&t->bucket[k] = buckets_of(ns);
		}
	}
	t->sum = sum[0] + sum[1];
	t->inside = (outside[0] | outside[1]) >= 0;
}

/* Subtract @less from the first @n numbers of a column, and return the or of the differences. */
static inline __attribute__((always_inline))
uint64_t combine(const uint64_t *at, size_t n, uint64_t less)
{
	size_t rounded = n - n % ROUND;
	pair or = { 0 };
	uint64_t rest = 0;

	for (size_t first = 0; first < rounded; first += ROUND)
#pragma GCC unroll 8
		for (size_t k = first; k < first + ROUND; k += 2)
			or |= *(const pair *)&at[k] - less;
	for (size_t k = rounded; k < n; k++)
		rest |= at[k] - less;
	return or[0] | or[1] | rest;
}

/* Return true if a column has only zeros in the first @n places. */
static bool is_clear(const uint64_t *at, size_t n)
{
	return !combine(at, n, 0);
}

/*
 * Return true if a column has no 0 in the first @n places. All marks are below 2^63, so only 0 gets
 * bit 63 when 1 is subtracted.
 */
static bool is_full(const uint64_t *at, size_t n)
{
	return !(combine(at, n, 1) >> 63);
}

/*
 * Compute the times of all stages of the first @n I/Os, and of the total. Return false if an I/O
 * does not have this shape. A missing mark is 0, so its stage seems to end before it begins, unless
 * it is the first mark. The difference is then a very large number, as it is if the marks are out
 * of order.
 */
static bool compute_all(struct samples *sm, const struct shape *s, size_t n, struct times *times)
{
	static const struct hist empty;
	size_t rounded = n - n % ROUND;
	uint64_t or = 0;

	for (unsigned int i = 0; i < s->nr_absent; i++)
		if (!is_clear(sm->at[s->absent[i]], n))
			return false;
	if (!is_full(sm->at[s->gap[0].from], n))
		return false;
	for (unsigned int i = 0; i <= s->n; i++) {
		const uint64_t *from = sm->at[s->gap[i].from], *to = sm->at[s->gap[i].to];

		compute(&times[i], from, to, rounded, sm->rows[s->gap[i].row] ?: &empty);
		for (size_t k = rounded; k < n; k++)
			times[i].ns[k] = to[k] - from[k];
		/* Times that are inside the histogram are below TIMES_END, so leave them out. */
		for (size_t k = times[i].inside ? rounded : 0; k < n; k++)
			or |= times[i].ns[k];
	}
	return or < TIMES_END;
}

/*
 * Add the times of a stage to its histogram, and to the sums of the stage in the tail table, which
 * has a sum for each group of I/Os. @sums points to the sum of the first group. The sum of the
 * group of I/O k is @at[k] places after it.
 */
static void charge_stage(struct hist *h, const struct times *t, size_t n, __u64 *sums,
			 const size_t *at)
{
	size_t rounded = t->inside ? n - n % ROUND : 0;
	uint64_t *buckets = h->buckets;

	for (size_t first = 0; first < rounded; first += ROUND) {
#pragma GCC unroll 8
		for (size_t k = first; k < first + ROUND; k++) {
			sums[at[k]] += t->ns[k];
			buckets[t->bucket[k]]++;
		}
	}
	if (rounded) {
		h->count += rounded;
		h->sum += t->sum;
	}
	for (size_t k = rounded; k < n; k++) {
		sums[at[k]] += t->ns[k];
		hist_add_to(h, t->ns[k], BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS);
	}
}

/*
 * Count the I/Os in the tail table, each in the group that its total belongs to. Set @at[k] to how
 * many places the sums of the group of I/O k are after those of the first group.
 */
static void count_in_tail(struct samples *sm, const struct times *total, size_t n, size_t *at)
{
	size_t rounded = total->inside ? n - n % ROUND : 0;
	__u64 *counts = (__u64 *)sm->tail;

	for (size_t first = 0; first < rounded; first += ROUND) {
#pragma GCC unroll 8
		for (size_t k = first; k < first + ROUND; k++) {
			at[k] = (total->bucket[k] >> BLKLAT_TAIL_SHIFT) * SUMS;
			counts[at[k]]++;
		}
	}
	for (size_t k = rounded; k < n; k++) {
		at[k] = blklat_tail_group(total->ns[k]) * SUMS;
		counts[at[k]]++;
	}
}

/* Charge the first @n I/Os, which have this shape. */
static void charge_alike(struct samples *sm, const struct shape *s, size_t n,
			 const struct times *times)
{
	size_t at[WAITING_MAX];

	count_in_tail(sm, &times[s->n], n, at);
	for (unsigned int i = 0; i <= s->n; i++) {
		unsigned int row = s->gap[i].row;
		__u64 *sums = (__u64 *)sm->tail + sum_of(row);

		charge_stage(rows_hist(sm->rows, row), &times[i], n, sums, at);
	}
	sm->ledger->n[COUNT_CHECKED] += sm->check ? n : 0;
}

/* Remove the first @n I/Os. The order of the others does not matter. */
static void drop(struct samples *sm, unsigned int n)
{
	unsigned int left = sm->n - n, moved = left < n ? left : n;

	for (unsigned int i = 0; moved && i < nr_columns(sm); i++)
		memcpy(sm->at[i], sm->at[i] + sm->n - moved, moved * sizeof(sm->at[i][0]));
	sm->n = left;
}

void samples_charge(struct samples *sm)
{
	struct times times[SHAPE_STAGES + 1];

	while (sm->n) {
		const struct shape *s = shape_at_front(sm);
		unsigned int n = s && s->n && has(sm, s, 0) ? sm->n : 0;

		if (n && (sm->check || !compute_all(sm, s, n, times))) {
			n = sort_out(sm, s);
			compute_all(sm, s, n, times);
		}
		if (n)
			charge_alike(sm, s, n, times);
		else
			charge_one(sm, 0);
		drop(sm, n ?: 1);
	}
}
