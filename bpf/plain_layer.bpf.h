/* SPDX-License-Identifier: GPL-2.0 */
/*
 * As plain.bpf.h, of the I/O of a layer: most make one I/O below, which was charged in
 * that way too. What the layers and the leaf below did is charged in one go.
 */
#ifndef BLKLAT_PLAIN_LAYER_BPF_H
#define BLKLAT_PLAIN_LAYER_BPF_H

#include "plain.bpf.h"

/* account.bpf.c: charge an I/O of a layer that is one of most; its total + 1, else 0 */
__u64 blklat_charge_plain_layer(__u32 idx, __u32 table);

/*
 * The one I/O that this one of a layer made below, when both are as most are, else NULL.
 * It ended and was charged, so nobody else has it in his hands.
 */
static __always_inline struct blklat_io *plain_child(struct blklat_io *io, __u32 idx)
{
	__u64 q = io->m[MARK_Q], z = io->m[MARK_Z];
	struct blklat_io *child;

	if (!q || !io->child || io->flush_begin | io->m[MARK_T] | io->m[MARK_C] ||
	    io->flags & IO_LOST || !dev_cfg(io->dev)->layer ||
	    io->op == BLKLAT_OP_FLUSH || io->m[MARK_E] > q || (io->m[MARK_W] && io->m[MARK_W] < z))
		return NULL;
	child = io_at(io->child - 1);
	if (child->sibling || child->parent != idx + 1 || child->parent_gen != io->gen ||
	    !(child->flags & IO_CHARGED))
		return NULL;
	if (!child->plain || child->op == BLKLAT_OP_FLUSH ||
	    child->m[MARK_Q] < q || child->m[MARK_Z] > z)
		return NULL;
	return child;
}

static __always_inline void plain_layer_sample(struct plain *p, __u64 row, __u64 ns)
{
	struct blklat_hist *h;

	asm volatile("" : "+r"(row));
	BOUND(row, NR_LAYER_ROWS);
	h = &p->table->layer[row];
	asm volatile("" : "+r"(h));
	ADD(h, bucket, bucket_of(ns), 1);
	if (is_extreme(h, ns))
		hist_extremes(p->index, ROW_OF_LAYER(0, 0) + row, ns);
	ADD(p->tail, layer, row, ns);
	p->sum += ns;
}

/* As charge_cost(). */
static __always_inline void plain_cost(struct plain *p, __u32 row,
				       const struct blklat_cost_note *from,
				       const struct blklat_cost_note *to, __u64 ns)
{
	__u64 spent = to->spent - from->spent;

	if (from->where && from->where == to->where)
		plain_row(p, row, spent < ns ? spent : ns);
}

/* As charge_costs(). */
static __always_inline void plain_costs(struct plain *p, struct blklat_io *io,
					struct blklat_io *child)
{
	plain_cost(p, ROW_OF_SPAN(SPAN_SUBMIT_COST), &io->q_cost, &child->q_cost,
		   child->m[MARK_Q] - io->m[MARK_Q]);
	plain_cost(p, ROW_OF_SPAN(SPAN_COMPLETE_COST), &child->z_cost, &io->z_cost,
		   io->m[MARK_Z] - child->m[MARK_Z]);
}

/*
 * What the layers did, from the one of @io down; the I/O at the leaf, or NULL: the last row
 * has all that is below it. As charge_one_layer().
 */
static __always_inline struct blklat_io *plain_layers(struct plain *p, struct blklat_io *io,
						      struct blklat_io *child)
{
	for (__u32 row = 0; row < NR_LAYER_ROWS; row += NR_LAYER_STAGES) {
		if (row == NR_LAYER_ROWS - NR_LAYER_STAGES && child->plain > 1) {
			plain_layer_sample(p, row + LAYER_WHOLE, io->m[MARK_Z] - io->m[MARK_Q]);
			break;
		}
		plain_layer_sample(p, row + LAYER_SUBMIT, child->m[MARK_Q] - io->m[MARK_Q]);
		plain_layer_sample(p, row + LAYER_COMPLETE, io->m[MARK_Z] - child->m[MARK_Z]);
		if (child->plain == 1)
			return child;
		io = child;
		child = io_at(io->critical - 1);
	}
	return NULL;
}

#endif /* BLKLAT_PLAIN_LAYER_BPF_H */
