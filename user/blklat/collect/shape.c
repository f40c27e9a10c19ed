// SPDX-License-Identifier: GPL-2.0
/* Find the stages that follow from the marks of an I/O. */
#include <stdlib.h>
#include <string.h>
#include "blklat/collect/shape.h"
#include "core/io_event.h"

void shapes_free(struct shapes *s)
{
	struct shape *next;

	for (struct shape *shape = s->first; shape; shape = next) {
		next = shape->next;
		free(shape);
	}
	s->first = NULL;
}

/*
 * The marks of this chain have the times 1, 2, 3... in their order, so that a time tells which mark
 * it is.
 */
struct numbered {
	struct io_chain chain;
	__u64 m[BLKLAT_MAX_LAYERS + 1][NR_MARKS];
	uint8_t column[NR_COLUMNS + 1];		/* by time */
	unsigned int n;
};

/* Give the next time to a mark of the I/O that is @level levels below the first one. */
static void number(struct numbered *r, unsigned int level, unsigned int mark, unsigned int column)
{
	r->m[level][mark] = ++r->n;
	r->column[r->n] = column;
}

static void number_first(struct numbered *r, uint32_t marks)
{
	for (unsigned int i = 0; i < NR_MARKS; i++)
		if (marks >> i & 1)
			number(r, 0, i, COLUMN_OF_FIRST(i));
}

/* These marks bound stages of a layer's own I/O, before and after the I/Os below. */
#define LAYER_BEGIN (1U << MARK_E | 1U << MARK_T | 1U << MARK_Q)
#define LAYER_END (1U << MARK_Z | 1U << MARK_W)

/* Number the marks from the I/O of the layer down to the last one below and up again. */
static void number_chain(struct numbered *r, const struct shape_key *k)
{
	unsigned int hops = k->kind & CHAIN_HOPS;

	r->chain.kind = k->kind;
	for (unsigned int level = 0; level <= hops; level++)
		r->chain.m[level] = r->m[level];
	number_first(r, hops ? k->first & LAYER_BEGIN : k->first);
	if (!hops)
		return;
	for (unsigned int level = 1; level < hops; level++)
		number(r, level, MARK_Q, COLUMN_OF_INNER(level, MARK_Q));
	for (unsigned int i = 0; i < NR_MARKS; i++)
		if (k->last >> i & 1)
			number(r, hops, i, COLUMN_OF_LAST(i));
	for (unsigned int level = hops - 1; level; level--)
		number(r, level, MARK_Z, COLUMN_OF_INNER(level, MARK_Z));
	number_first(r, k->first & LAYER_END);
}

/* Find the stages of a shape by decoding the record of a chain with numbered marks. */
static void find_stages(struct shape *shape)
{
	struct numbered r = { .n = 0 };
	struct blklat_event e;
	struct io_event ev;
	uint64_t seen = 0, end;

	number_chain(&r, &shape->key);
	io_chain_record(&r.chain, &e);
	io_event_decode(&e, &ev);
	end = ev.begin_ns;
	if (!ev.begin_ns || ev.nr_stages > SHAPE_STAGES)
		return;
	for (unsigned int i = 0; i < ev.nr_stages; i++) {
		const struct io_stage *s = &ev.stages[i];

		if (seen >> s->row & 1 || s->at_ns != end)
			return;
		end = s->at_ns + s->ns;
		seen |= 1ULL << s->row;
		shape->gap[i] = (struct shape_gap){
			.row = s->row,
			.from = r.column[s->at_ns],
			.to = r.column[s->at_ns + s->ns],
		};
	}
	shape->gap[ev.nr_stages] = (struct shape_gap){
		.row = ROW_OF_SPAN(SPAN_TOTAL),
		.from = r.column[ev.begin_ns],
		.to = r.column[ev.begin_ns + ev.total_ns],
	};
	shape->n = ev.nr_stages;
}

static void note_absent(struct shape *shape, uint32_t marks, unsigned int column)
{
	for (unsigned int i = 0; i < NR_MARKS; i++)
		if (!(marks >> i & 1))
			shape->absent[shape->nr_absent++] = column + i;
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

const struct shape *shape_of(struct shapes *s, const struct shape_key *key)
{
	struct shape *shape;

	for (shape = s->first; shape; shape = shape->next)
		if (!memcmp(&shape->key, key, sizeof(*key)))
			return shape;
	shape = calloc(1, sizeof(*shape));
	if (!shape)
		return NULL;
	shape->key = *key;
	note_absent(shape, key->first, COLUMN_OF_FIRST(0));
	if (key->kind & CHAIN_HOPS)
		note_absent(shape, key->last, COLUMN_OF_LAST(0));
	if (is_usual(key))
		find_stages(shape);
	shape->next = s->first;
	s->first = shape;
	return shape;
}
