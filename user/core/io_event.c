// SPDX-License-Identifier: GPL-2.0
/* Split one I/O into stages, from its marks. */
#include <stdbool.h>
#include "core/io_event.h"

_Static_assert(NR_ALL_ROWS <= 64, "a set of rows is 64 bits");

#define GAP(from, to, stage) [MARK_##from][MARK_##to] = STAGE_##stage + 1,
/* The entry of two marks is 1 + the stage of the time between them, or 0 if there is no stage. */
static const uint8_t stage_of_gap[NR_MARKS][NR_MARKS] = { BLKLAT_GAPS(GAP) };
#undef GAP

/*
 * Return the stage between two marks that follow one another, of an I/O of kind @op. A device that
 * is @bio_based has no requests.
 */
static enum blklat_stage stage_between(enum blklat_mark from, enum blklat_mark to, uint8_t op,
				       bool bio_based)
{
	uint8_t stage;

	if (from == MARK_Q && bio_based)
		return to == MARK_Z ? STAGE_BIO_DRIVER : STAGE_BIO_DELIVER;
	stage = stage_of_gap[from][to];
	if (!stage)
		return STAGE_UNATTRIBUTED;
	stage--;
	/*
	 * An I/O with PREFLUSH that has its request waits for the flush first. Only then is its
	 * data handed to the driver.
	 */
	if (op == BLKLAT_OP_FLUSH && from == MARK_G && to != MARK_R)
		return STAGE_FLUSH;
	return stage;
}

static void add(struct io_event *ev, unsigned int row, unsigned int depth, uint64_t at,
		uint64_t end)
{
	if (ev->nr_stages < IO_EVENT_STAGES)
		ev->stages[ev->nr_stages++] = (struct io_stage){ row, depth, at, end - at };
}

/* Add the layer's time until @child began, and the flushes that @child waited for. */
static void add_submit(struct io_event *ev, unsigned int depth, uint64_t begin,
		       const struct blklat_hop *child)
{
	if (child->flush_begin) {
		if (child->flush_begin > begin)
			add(ev, ROW_OF_LAYER(depth, LAYER_SUBMIT), depth, begin,
			    child->flush_begin);
		add(ev, STAGE_FLUSH, depth, child->flush_begin, child->flush_end);
		begin = child->flush_end;
	}
	add(ev, ROW_OF_LAYER(depth, LAYER_SUBMIT), depth, begin, child->begin);
}

static void add_marks(struct io_event *ev, const __u64 *m, unsigned int depth, unsigned int op,
		      bool bio_based, bool layer);

/* Add the stages from mark Q of a layer to its end: down to the leaf and up again. */
static void add_layers(struct io_event *ev)
{
	const struct blklat_event *e = ev->raw;
	const struct blklat_hop *hops = e->hops;
	/*
	 * Mark Z is missing if bio_endio was missed, and W if no task waited. If both are missing,
	 * the latest mark is the end.
	 */
	uint64_t end = e->m[MARK_Z] ?: e->m[MARK_W] ?: ev->begin_ns + ev->total_ns;
	unsigned int n = e->nr_hops;

	for (unsigned int d = 0; d < n; d++)
		add_submit(ev, d, d ? hops[d - 1].begin : e->m[MARK_Q], &hops[d]);
	if (e->flags & EVENT_LEAF && n)
		add_marks(ev, e->leaf, n, hops[n - 1].op, hops[n - 1].bio_based, false);
	else
		add(ev, ROW_OF_LAYER(n, LAYER_WHOLE), n, n ? hops[n - 1].begin : e->m[MARK_Q],
		    n ? hops[n - 1].end : end);
	for (unsigned int d = n; d-- > 0;)
		add(ev, ROW_OF_LAYER(d, LAYER_COMPLETE), d, hops[d].ended,
		    d ? hops[d - 1].end : end);
}

/* Add the stages of the gaps between marks. With @layer, add_layers() adds those from Q to Z. */
static void add_marks(struct io_event *ev, const __u64 *m, unsigned int depth, unsigned int op,
		      bool bio_based, bool layer)
{
	unsigned int prev = NR_MARKS;
	uint64_t prev_ns = 0;

	for (unsigned int i = 0; i < NR_MARKS; i++) {
		if (!m[i] || (layer && i > MARK_Q && i < MARK_Z))
			continue;
		if (m[i] < prev_ns) {
			/* A mark out of order at the leaf is counted with the leaf's own I/O. */
			ev->disorder += !depth;
			continue;
		}
		if (layer && prev == MARK_Q)
			add_layers(ev);
		else if (prev < NR_MARKS)
			add(ev, stage_between(prev, i, op, bio_based), depth, prev_ns, m[i]);
		prev = i;
		prev_ns = m[i];
	}
	/* If no mark follows Q, the end of the layer's bio was missed, and no task waited. */
	if (layer && prev == MARK_Q)
		add_layers(ev);
}

void io_event_decode(const struct blklat_event *e, struct io_event *ev)
{
	uint64_t end;

	ev->raw = e;
	ev->nr_stages = 0;
	ev->disorder = 0;
	ev->begin_ns = end = e->m[MARK_E] ?: e->m[MARK_T] ?: e->m[MARK_Q];
	for (unsigned int i = 0; i < NR_MARKS; i++)
		if (e->m[i] > end)
			end = e->m[i];
	ev->total_ns = end - ev->begin_ns;
	ev->path[0] = e->dev;
	ev->nr_path = 1;
	for (unsigned int d = 0;
	     e->flags & EVENT_LAYER && d < e->nr_hops && d < BLKLAT_MAX_LAYERS; d++)
		ev->path[ev->nr_path++] = e->hops[d].dev;
	add_marks(ev, e->m, 0, e->op, e->flags & EVENT_BIO_BASED, e->flags & EVENT_LAYER);
}

uint64_t io_event_times(const struct io_event *ev, uint64_t *ns)
{
	uint64_t seen = 0;

	for (unsigned int i = 0; i < ev->nr_stages; i++) {
		const struct io_stage *s = &ev->stages[i];

		ns[s->row] = s->ns + (seen >> s->row & 1 ? ns[s->row] : 0);
		seen |= 1ULL << s->row;
	}
	return seen;
}
