// SPDX-License-Identifier: GPL-2.0
/* Charge I/Os that have the same marks as others, many at a time. */
#include <stdlib.h>
#include <string.h>
#include "blklat/collect/shape.h"
#include "core/io_event.h"

/* Two I/Os whose keys are equal have the same stages. */
struct shape_key {
	uint16_t first;		/* bit per mark that the I/O has */
	uint16_t last;		/* of a layer's I/O: bit per mark that the last I/O below it has */
	uint32_t kind;		/* CHAIN_* */
};

/* Marks are looked at in pairs, which must be aligned in struct shape. */
#define ABSENT_MARKS ((NR_MARKS + 1) / 2 * 2)

/**
 * struct shape - the stages of all I/Os of a kind that have the same marks, in order
 * @n: number of stages; 0 if shape_of() returns NULL for such I/Os
 * @begin: the mark at which the first stage begins; each other stage begins where the one before
 *	ends
 * @gap: the row of each stage, and where it ends: the number of layers between the I/O and that of
 *	the mark, and the mark
 * @absent: of the first I/O of the chain, and of the last one if it is another: all bits are set
 *	for a mark that these I/Os must not have, else none
 * @key: what these I/Os have in common
 * @next: the next shape
 */
struct shape {
	uint8_t n;
	uint8_t begin;
	struct {
		uint8_t row;
		uint8_t level;
		uint8_t mark;
	} gap[SHAPED_COLUMNS];
	__u64 absent[2][ABSENT_MARKS] __attribute__((aligned(16)));
	struct shape_key key;
	struct shape *next;
};

struct shapes {
	struct shape *first;
};

struct shapes *shapes_new(void)
{
	return calloc(1, sizeof(struct shapes));
}

void shapes_free(struct shapes *s)
{
	struct shape *next;

	for (struct shape *shape = s ? s->first : NULL; shape; shape = next) {
		next = shape->next;
		free(shape);
	}
	free(s);
}

/*
 * A record whose marks have the times 1, 2, 3... in their order, so that a time tells which mark it
 * is: level[time] and mark[time] are those of struct shape.
 */
#define TIMES_MAX (2 * NR_MARKS + 2 * BLKLAT_MAX_LAYERS + 1)

struct numbered {
	struct blklat_event raw;
	uint8_t level[TIMES_MAX];
	uint8_t mark[TIMES_MAX];
	unsigned int n;
};

/* Give the next time to a mark, whose place in the record is @at. */
static void number(struct numbered *r, __u64 *at, unsigned int level, unsigned int mark)
{
	*at = ++r->n;
	r->level[r->n] = level;
	r->mark[r->n] = mark;
}

static void number_marks(struct numbered *r, __u64 *m, unsigned int level, uint32_t marks)
{
	for (unsigned int i = 0; i < NR_MARKS; i++)
		if (marks >> i & 1)
			number(r, &m[i], level, i);
}

/* The marks that bound stages of a layer's own I/O, before and after the I/Os below */
#define LAYER_BEGIN (1U << MARK_E | 1U << MARK_T | 1U << MARK_Q)
#define LAYER_END (1U << MARK_Z | 1U << MARK_W)

/*
 * Number the marks from the I/O of the layer down to the last one below and up again. The times at
 * which the last one begins and ends are marks of this I/O, and its hop only repeats them.
 */
static void number_layer(struct numbered *r, const struct shape_key *k)
{
	unsigned int hops = k->kind & CHAIN_HOPS;
	struct blklat_hop *last = &r->raw.hops[hops - 1];
	__u64 *leaf = r->raw.leaf;

	r->raw.flags = EVENT_LAYER | (k->kind & CHAIN_WHOLE ? 0 : EVENT_LEAF);
	r->raw.nr_hops = hops;
	number_marks(r, r->raw.m, 0, k->first & LAYER_BEGIN);
	for (unsigned int d = 0; d + 1 < hops; d++)
		number(r, &r->raw.hops[d].begin, d + 1, MARK_Q);
	number_marks(r, leaf, hops, k->last);
	last->begin = leaf[MARK_E] ?: leaf[MARK_T] ?: leaf[MARK_Q];
	last->end = last->ended = r->n;
	last->bio_based = !!(k->kind & CHAIN_BIO_BASED);
	for (unsigned int d = hops - 1; d-- > 0;) {
		number(r, &r->raw.hops[d].ended, d + 1, MARK_Z);
		/* @end and @ended differ only if the end of the hop's bio was missed. */
		r->raw.hops[d].end = r->raw.hops[d].ended;
	}
	number_marks(r, r->raw.m, 0, k->first & LAYER_END);
}

static void number_disk(struct numbered *r, const struct shape_key *k)
{
	r->raw.flags = k->kind & CHAIN_BIO_BASED ? EVENT_BIO_BASED : 0;
	r->raw.op = k->kind & CHAIN_FLUSH ? BLKLAT_OP_FLUSH : BLKLAT_OP_READ;
	number_marks(r, r->raw.m, 0, k->first);
}

/* Find the stages of a shape by decoding a record with numbered marks. */
static void find_stages(struct shape *shape)
{
	struct numbered r = { .n = 0 };
	struct io_event ev;
	uint64_t seen = 0;

	if (shape->key.kind & CHAIN_HOPS)
		number_layer(&r, &shape->key);
	else
		number_disk(&r, &shape->key);
	io_event_decode(&r.raw, &ev);
	if (!ev.begin_ns || ev.nr_stages >= SHAPED_COLUMNS)
		return;
	for (unsigned int i = 0; i < ev.nr_stages; i++) {
		const struct io_stage *s = &ev.stages[i];

		if (seen >> s->row & 1)
			return;
		seen |= 1ULL << s->row;
		shape->gap[i].row = s->row;
		shape->gap[i].level = r.level[s->at_ns + s->ns];
		shape->gap[i].mark = r.mark[s->at_ns + s->ns];
	}
	shape->begin = r.mark[ev.begin_ns];
	shape->n = ev.nr_stages;
}

static void note_absent(__u64 *absent, uint32_t marks)
{
	for (unsigned int i = 0; i < NR_MARKS; i++)
		absent[i] = marks >> i & 1 ? 0 : ~0ULL;
}

static uint16_t marks_of(const __u64 *m)
{
	uint16_t marks = 0;

	for (unsigned int i = 0; i < NR_MARKS; i++)
		marks |= (m[i] != 0) << i;
	return marks;
}

/* Return false if an I/O of a layer has marks that such I/Os seldom have, or lacks a usual one. */
static bool is_usual(const struct shape_key *k)
{
	const uint32_t ends = 1U << MARK_Q | 1U << MARK_Z;

	if (!(k->kind & CHAIN_HOPS))
		return true;
	return (k->first & ends) == ends && !(k->first & ~(LAYER_BEGIN | LAYER_END)) &&
	       (k->last & (1U << MARK_Q | 1U << MARK_W)) == 1U << MARK_Q;
}

/* Return the marks of the last I/O of a chain that no stage uses. */
static uint32_t marks_ignored(uint32_t kind)
{
	if (kind & CHAIN_WHOLE)
		return ~(1U << MARK_Q | 1U << MARK_Z);
	return kind & CHAIN_NO_B ? 1U << MARK_B : 0;
}

const struct shape *shape_of(struct shapes *s, const struct io_chain *c)
{
	struct shape_key k = { .first = marks_of(c->m[0]), .kind = c->kind };
	uint32_t ignored = marks_ignored(c->kind);
	struct shape *shape;

	if (c->kind & CHAIN_HOPS)
		k.last = marks_of(c->m[c->kind & CHAIN_HOPS]) & ~ignored;
	for (shape = s->first; shape; shape = shape->next)
		if (!memcmp(&shape->key, &k, sizeof(k)))
			return shape->n ? shape : NULL;
	shape = calloc(1, sizeof(*shape));
	if (!shape)
		return NULL;
	shape->key = k;
	note_absent(shape->absent[0], k.first);
	note_absent(shape->absent[1], k.last | ignored);
	if (is_usual(&k))
		find_stages(shape);
	shape->next = s->first;
	s->first = shape;
	return shape->n ? shape : NULL;
}

unsigned int shape_stages(const struct shape *shape)
{
	return shape->n;
}

unsigned int shape_row(const struct shape *shape, unsigned int stage)
{
	return shape->gap[stage].row;
}

/* Return a value other than 0 if an I/O has a mark that is absent in its shape. */
static inline uint64_t has_more(const __u64 *m, const __u64 *absent)
{
	typedef uint64_t pair __attribute__((vector_size(16), may_alias));
	typedef uint64_t pair_in_slot __attribute__((vector_size(16), aligned(8), may_alias));
	pair more = { 0 };
	uint64_t last = NR_MARKS % 2 ? m[NR_MARKS - 1] & absent[NR_MARKS - 1] : 0;

#pragma GCC unroll 16
	for (unsigned int i = 0; i + 1 < NR_MARKS; i += 2)
		more |= *(const pair_in_slot *)&m[i] & *(const pair *)&absent[i];
	return more[0] | more[1] | last;
}

/*
 * A missing mark is 0, so its stage seems to end before it begins. The difference is then a very
 * large number, and the check of BLKLAT_HIST_ORDER refuses the I/O.
 */
uint64_t shaped_add(struct shaped *s, const struct io_chain *c)
{
	const struct shape *shape = s->shape;
	uint64_t begin = c->m[0][shape->begin], from = begin, *ns = &s->ns[0][s->n], bad;
	unsigned int n = shape->n, hops = c->kind & CHAIN_HOPS;

	if (!begin || c->kind != shape->key.kind || has_more(c->m[0], shape->absent[0]))
		return UINT64_MAX;
	if (hops && has_more(c->m[hops], shape->absent[1]))
		return UINT64_MAX;
	bad = 0;
	for (unsigned int i = 0; i < n; i++, ns += SHAPED_MAX) {
		uint64_t to = c->m[shape->gap[i].level][shape->gap[i].mark];

		*ns = to - from;
		bad |= to - from;
		from = to;
	}
	*ns = from - begin;
	/* A time may be beyond the last bucket. add_samples() does not check that. */
	if ((bad | (from - begin)) >> BLKLAT_HIST_ORDER)
		return UINT64_MAX;
	s->n++;
	return from - begin;
}

/*
 * Add the @n times of a column to a histogram, and each time to the sum in its I/O's group of the
 * tail table. @sum is the offset of that sum. This is what user space does most for each I/O, so
 * it keeps in registers what hist_add() has in memory.
 */
static void add_samples(const uint64_t *ns, uint32_t n, struct hist *h, size_t sum,
			struct blklat_tail **tails)
{
	uint64_t min = h->count ? h->min : *ns, range = h->count ? h->max - min : 0;
	uint64_t all = 0, *buckets = h->buckets;

#pragma GCC unroll 4
	for (uint32_t k = 0; k < n; k++) {
		uint64_t v = ns[k];

		*(__u64 *)((char *)tails[k] + sum) += v;
		all += v;
		/* One unsigned comparison finds both v < min and v > max. */
		if (__builtin_expect(v - min > range, 0)) {
			range = v < min ? min + range - v : v - min;
			min = v < min ? v : min;
		}
		buckets[loglin_index(v, BLKLAT_HIST_BITS)]++;
	}
	h->min = min;
	h->max = min + range;
	h->count += n;
	h->sum += all;
}

static size_t place_in_tail(unsigned int row)
{
	return row < NR_ROWS ? offsetof(struct blklat_tail, stage[row]) :
			       offsetof(struct blklat_tail, layer[row - NR_ROWS]);
}

void shaped_flush(struct shaped *s)
{
	struct blklat_tail *tails[SHAPED_MAX];
	unsigned int n = s->shape->n;

	for (uint32_t k = 0; k < s->n; k++) {
		tails[k] = &s->tail[blklat_tail_group(s->ns[n][k])];
		tails[k]->count++;
	}
	for (unsigned int i = 0; i < n; i++)
		add_samples(s->ns[i], s->n, s->hist[i], place_in_tail(s->shape->gap[i].row), tails);
	add_samples(s->ns[n], s->n, s->total, offsetof(struct blklat_tail, total), tails);
	s->n = 0;
}
