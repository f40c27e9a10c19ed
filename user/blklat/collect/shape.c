// SPDX-License-Identifier: GPL-2.0
/* Charge I/Os that have the same marks as others, many at a time. */
#include <stdlib.h>
#include "blklat/collect/shape.h"
#include "core/io_event.h"

/* The stages of an I/O depend on its marks and on this kind. */
enum kind { KIND_USUAL, KIND_FLUSH, KIND_BIO_BASED, NR_KINDS };

/**
 * struct shape - the stages of all I/Os of a kind that have the same marks, in order
 * @known: true if the rest is filled in
 * @n: number of stages; 0 if a stage occurs more than once, or if there are no marks
 * @first: the mark at which the first stage begins; each other stage begins where the one before
 *	it ends
 * @gap: the row of each stage, and the mark at which it ends
 * @nr_absent: number of entries of @absent
 * @absent: the marks that these I/Os do not have
 */
struct shape {
	bool known;
	uint8_t n;
	uint8_t first;
	struct {
		uint8_t row;
		uint8_t to;
	} gap[NR_MARKS];
	uint8_t nr_absent;
	uint8_t absent[NR_MARKS];
};

struct shapes {
	struct shape v[NR_KINDS << NR_MARKS];	/* by kind and set of marks */
};

struct shapes *shapes_new(void)
{
	return calloc(1, sizeof(struct shapes));
}

void shapes_free(struct shapes *s)
{
	free(s);
}

/*
 * Find the stages of the I/Os of a kind that have these marks. For that, decode an I/O whose
 * marks lie one ns apart, so that the time of a mark tells which mark it is.
 */
static void find_shape(struct shape *shape, enum kind kind, uint32_t marks)
{
	struct blklat_event raw = {
		.op = kind == KIND_FLUSH ? BLKLAT_OP_FLUSH : BLKLAT_OP_READ,
		.flags = kind == KIND_BIO_BASED ? EVENT_BIO_BASED : 0,
	};
	struct io_event ev;
	uint64_t seen = 0;

	for (unsigned int i = 0; i < NR_MARKS; i++)
		raw.m[i] = marks >> i & 1 ? i + 1 : 0;
	io_event_decode(&raw, &ev);
	shape->known = true;
	for (unsigned int i = 0; i < ev.nr_stages; i++) {
		const struct io_stage *s = &ev.stages[i];

		if (seen >> s->row & 1)
			return;
		seen |= 1ULL << s->row;
		shape->gap[i].row = s->row;
		shape->gap[i].to = s->at_ns + s->ns - 1;
	}
	for (unsigned int i = 0; i < NR_MARKS; i++)
		if (!(marks >> i & 1))
			shape->absent[shape->nr_absent++] = i;
	if (!ev.begin_ns)
		return;
	shape->first = ev.begin_ns - 1;
	shape->n = ev.nr_stages;
}

const struct shape *shape_of(struct shapes *s, const struct blklat_io *io, bool bio_based)
{
	enum kind kind = bio_based ? KIND_BIO_BASED :
			 io->op == BLKLAT_OP_FLUSH ? KIND_FLUSH : KIND_USUAL;
	struct shape *shape;
	uint32_t marks = 0;

	for (unsigned int i = 0; i < NR_MARKS; i++)
		marks |= (uint32_t)(io->m[i] != 0) << i;
	shape = &s->v[kind << NR_MARKS | marks];
	if (!shape->known)
		find_shape(shape, kind, marks);
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

/* A mark that is missing is 0, so it makes a stage end before it begins. */
uint64_t shaped_add(struct shaped *s, const struct blklat_io *io)
{
	const struct shape *shape = s->shape;
	uint64_t begin = io->m[shape->first], from = begin, bad = 0, *ns = s->ns[s->n];

	for (unsigned int i = 0; i < shape->nr_absent; i++)
		bad |= io->m[shape->absent[i]];
	if (bad || !from)
		return UINT64_MAX;
	for (unsigned int i = 0; i < shape->n; i++) {
		uint64_t to = io->m[shape->gap[i].to];

		ns[i] = to - from;
		bad |= to - from;
		from = to;
	}
	ns[shape->n] = from - begin;
	/* add_samples() does not look if a time is beyond the last bucket. */
	if ((bad | (from - begin)) >> BLKLAT_HIST_ORDER)
		return UINT64_MAX;
	s->n++;
	return from - begin;
}

/*
 * Add column @i of the times to a histogram, and each time to the sum in its I/O's group of the
 * tail table. @sum is the offset of that sum. This is what user space does most for each I/O, so
 * it keeps in registers what hist_add() has in memory.
 */
static void add_samples(const struct shaped *s, unsigned int i, struct hist *h, size_t sum,
			struct blklat_tail **tails)
{
	const uint64_t *at = &s->ns[0][i];
	uint64_t min = h->count ? h->min : *at, range = h->count ? h->max - min : 0;
	uint64_t all = 0, *buckets = h->buckets;

#pragma GCC unroll 4
	for (uint32_t k = 0; k < s->n; k++, at += SHAPED_COLUMNS) {
		uint64_t v = *at;

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
	h->count += s->n;
	h->sum += all;
}

void shaped_flush(struct shaped *s)
{
	struct blklat_tail *tails[SHAPED_MAX];
	unsigned int n = s->shape->n;

	for (uint32_t k = 0; k < s->n; k++) {
		tails[k] = &s->tail[blklat_tail_group(s->ns[k][n])];
		tails[k]->count++;
	}
	for (unsigned int i = 0; i < n; i++)
		add_samples(s, i, s->hist[i],
			    offsetof(struct blklat_tail, stage[s->shape->gap[i].row]), tails);
	add_samples(s, n, s->total, offsetof(struct blklat_tail, total), tails);
	s->n = 0;
}
