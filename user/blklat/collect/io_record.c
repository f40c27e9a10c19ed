// SPDX-License-Identifier: GPL-2.0
/* Make the record of an I/O from its own marks and those of the critical I/Os below. */
#include <string.h>
#include "blklat/collect/io_record.h"

/*
 * Return true if @child carries the data of an I/O with PREFLUSH, and had to wait for the flushes
 * that the I/O sent below before.
 */
static bool waits_for_flushes(const struct blklat_io *io, const struct io_below *b,
			      const struct blklat_io *child)
{
	return child->op != BLKLAT_OP_FLUSH && b->flush_begin >= io->m[MARK_Q] &&
	       b->flush_end >= b->flush_begin && b->flush_end <= begin_of(child);
}

/*
 * Return slot + 1 of the critical child of the I/O in slot @idx, which is @depth layers below the
 * I/O that is charged; 0 if it has none, or one whose times do not lie within its own.
 */
static inline uint32_t child_of(const struct blklat_state *state, const struct blklat_io *slots,
				const struct io_below *below, uint32_t idx, unsigned int depth)
{
	const struct blklat_io *io = &slots[idx], *child;
	uint32_t critical = below[idx].critical;

	if (!critical || depth == BLKLAT_MAX_LAYERS)
		return 0;
	child = &slots[critical - 1];
	if (begin_of(child) < (depth ? begin_of(io) : io->m[MARK_Q]) ||
	    ended_at(child) > io->m[MARK_Z] ||
	    (depth == BLKLAT_MAX_LAYERS - 1 && io_is_layer(state, child)))
		return 0;
	return critical;
}

/*
 * Add the critical child of the I/O in slot @idx to the record, as hop number @depth. Return slot
 * + 1 of the child if it can have a critical child of its own, else 0.
 */
static uint32_t add_hop(const struct blklat_state *state, const struct blklat_io *slots,
			const struct io_below *below, uint32_t idx, unsigned int depth,
			struct blklat_event *e)
{
	const struct blklat_io *io = &slots[idx], *child;
	uint32_t critical = child_of(state, slots, below, idx, depth);
	const struct io_below *b = &below[idx];
	struct blklat_hop *hop = &e->hops[depth];

	if (!critical)
		return 0;
	child = &slots[critical - 1];
	*hop = (struct blklat_hop){
		.begin = begin_of(child),
		.end = child->m[MARK_Z] ?: child->m[MARK_W] ?: ended_at(child),
		.ended = ended_at(child),
		.dev = child->dev,
		.op = child->op,
		.bio_based = state->devs[child->dev].bio_based,
	};
	if (waits_for_flushes(io, b, child)) {
		hop->flush_begin = b->flush_begin;
		hop->flush_end = b->flush_end;
	}
	e->nr_hops = depth + 1;
	if (io_is_layer(state, child))
		return critical;
	memcpy(e->leaf, child->m, sizeof(e->leaf));
	if (below[critical - 1].no_b)
		e->leaf[MARK_B] = 0;
	e->flags |= EVENT_LEAF;
	return 0;
}

void io_record_times(const struct blklat_state *state, const struct blklat_io *slots,
		     const struct io_below *below, uint32_t idx, struct blklat_event *e)
{
	const struct blklat_io *io = &slots[idx];
	uint32_t at = idx + 1;

	memcpy(e->m, io->m, sizeof(e->m));
	e->dev = io->dev;
	e->op = io->op;
	e->nr_hops = 0;
	e->flags = state->devs[io->dev].bio_based ? EVENT_BIO_BASED : 0;
	if (!io_is_layer(state, io))
		return;
	e->flags |= EVENT_LAYER;
	for (unsigned int depth = 0; depth < BLKLAT_MAX_LAYERS && at; depth++)
		at = add_hop(state, slots, below, at - 1, depth, e);
}

bool io_chain_below(const struct blklat_state *state, const struct blklat_io *slots,
		    const struct io_below *below, uint32_t idx, struct io_chain *c)
{
	uint32_t at = child_of(state, slots, below, idx, 0);
	const struct blklat_io *io = &slots[idx], *child;
	unsigned int hops = 1;

	if (!at || io->op > BLKLAT_OP_WRITE || below[idx].flush_begin)
		return false;
	child = &slots[at - 1];
	/*
	 * A chain ends its child at mark Z. Without Z, the end of the child's bio was missed. If
	 * another mark is later than Z, the request ended after the bio.
	 */
	if (child->op > BLKLAT_OP_WRITE || !child->m[MARK_Z] ||
	    child->m[MARK_Z] != ended_at(child))
		return false;
	c->m[1] = child->m;
	if (!io_is_layer(state, child)) {
		c->kind = hops | (state->devs[child->dev].bio_based ? CHAIN_BIO_BASED : 0) |
			  (below[at - 1].no_b ? CHAIN_NO_B : 0);
		return true;
	}
	/* The shape expects mark Q, but a throttled I/O begins at mark T. */
	if (!below[at - 1].chain || begin_of(child) != child->m[MARK_Q])
		return false;
	c->kind = below[at - 1].chain + 1;
	if ((c->kind & CHAIN_HOPS) + !!(c->kind & CHAIN_WHOLE) > BLKLAT_MAX_LAYERS)
		c->kind = (BLKLAT_MAX_LAYERS - 1) | CHAIN_WHOLE;
	while (hops < (c->kind & CHAIN_HOPS)) {
		at = below[at - 1].critical;
		c->m[++hops] = slots[at - 1].m;
	}
	return true;
}

void io_chain_record(const struct io_chain *c, struct blklat_event *e)
{
	unsigned int hops = c->kind & CHAIN_HOPS;

	memcpy(e->m, c->m[0], sizeof(e->m));
	e->dev = 0;
	e->op = c->kind / CHAIN_OP(1);
	e->nr_hops = hops;
	if (!hops) {
		e->flags = c->kind & CHAIN_BIO_BASED ? EVENT_BIO_BASED : 0;
		return;
	}
	e->flags = EVENT_LAYER;
	for (unsigned int d = 0; d < hops; d++) {
		const __u64 *m = c->m[d + 1];

		e->hops[d] = (struct blklat_hop){
			.begin = m[MARK_Q], .end = m[MARK_Z], .ended = m[MARK_Z],
		};
	}
	if (c->kind & CHAIN_WHOLE)
		return;
	memcpy(e->leaf, c->m[hops], sizeof(e->leaf));
	e->hops[hops - 1].begin = e->leaf[MARK_E] ?: e->leaf[MARK_T] ?: e->leaf[MARK_Q];
	e->hops[hops - 1].bio_based = !!(c->kind & CHAIN_BIO_BASED);
	e->flags |= EVENT_LEAF;
}

void io_record(const struct blklat_state *state, const struct blklat_io *slots,
	       const struct io_below *below, uint32_t idx, struct blklat_event *e)
{
	const struct blklat_io *io = &slots[idx];

	io_record_times(state, slots, below, idx, e);
	e->think_ns = io->think_ns;
	e->origin = io->origin;
	memcpy(e->comm, io->comm, sizeof(e->comm));
	e->status = io->status;
	if (io->thinks)
		e->flags |= EVENT_THINK;
}
