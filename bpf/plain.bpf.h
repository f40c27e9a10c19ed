/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The quick way to charge an I/O: most have a few usual marks, in order. Then all of it is
 * straight code on one table, without a loop, a call or another lookup. Whatever is not as
 * usual goes the general way in account.bpf.c, which charges the same.
 */
#ifndef BLKLAT_PLAIN_BPF_H
#define BLKLAT_PLAIN_BPF_H

#include "gaps.h"
#include "hist.bpf.h"
#include "stack.bpf.h"

/**
 * struct plain - an I/O that is charged in one go
 * @io: the I/O
 * @table: that gets the samples
 * @tail: its group
 * @sum: time charged
 * @index: of @table
 * @at_once: extremes are set one by one, not at the end
 * @leaf_is_charged: to its own account: its buckets are known
 */
struct plain {
	struct blklat_io *io;
	struct blklat_table *table;
	struct blklat_tail *tail;
	__u64 sum;
	__u32 index;
	bool at_once;
	bool leaf_is_charged;
};

/* From G to C all is in order. */
static __always_inline bool plain_driver(struct blklat_io *io, __u64 c)
{
	__u64 g = io->m[MARK_G], x = io->m[MARK_X], b = io->m[MARK_B], h = io->m[MARK_H] ?: c;

	if (!x) {
		x = io->m[MARK_D];
		if (!x || b)
			return false;
	}
	b = b ?: x;
	return g <= x && x <= b && b <= h && h <= c;
}

/*
 * The end in ns when this I/O is one of most, else 0: it has G, X or D, C and Z, or is one of a
 * device without requests and has Z.
 */
static __always_inline __u64 plain_end(struct blklat_io *io)
{
	__u64 q = io->m[MARK_Q], g = io->m[MARK_G], c = io->m[MARK_C];
	__u64 z = io->m[MARK_Z], w = io->m[MARK_W];

	if (!q || io->m[MARK_E] > q || io->m[MARK_T] | io->m[MARK_R] | io->m[MARK_F] ||
	    io->flags & IO_LOST || io->op == BLKLAT_OP_FLUSH || is_layer(io))
		return 0;
	if (!c) {
		if (g | io->m[MARK_X] | io->m[MARK_D] | io->m[MARK_B] | io->m[MARK_H] ||
		    !dev_cfg(io->dev)->bio_based || z < q)
			return 0;
	} else if (g < q || z < c || !plain_driver(io, c)) {
		return 0;
	}
	return !w ? z : w >= z ? w : 0;
}

static __always_inline void plain_sample(struct plain *p, struct blklat_hist *h, __u32 row,
					 __u64 bucket, __u64 ns)
{
	ADD(h, bucket, bucket, 1);
	if (!is_extreme(h, ns))
		return;
	if (p->at_once)
		hist_extremes(p->index, row, ns);
	else
		/* In the slot: else the verifier would walk on with it and without. */
		p->io->extreme = 1;
}

static __always_inline void plain_stage(struct plain *p, __u32 stage, __u64 bucket, __u64 ns)
{
	struct blklat_hist *h = &p->table->row[stage];

	/* Its offset is too large for an instruction: let it be added once. */
	KEEP(h);
	plain_sample(p, h, stage, bucket, ns);
	ADD(p->tail, stage, stage, ns);
	p->sum += ns;
}

static __always_inline void plain_charge(struct plain *p, __u32 stage, __u64 ns)
{
	plain_stage(p, stage, bucket_of(ns), ns);
}

/* To a leaf's own account first, then to those of the layers above it. */
static __always_inline void plain_gap(struct plain *p, __u32 stage, __u32 mark, __u64 ns)
{
	__u64 bucket;

	if (p->leaf_is_charged) {
		bucket = bound_bucket(p->io->bucket[mark]);
	} else {
		bucket = bucket_of(ns);
		if (in_stack())
			p->io->bucket[mark] = bucket;
	}
	plain_stage(p, stage, bucket, ns);
}

/* From the driver's begin, which is D where X is not known, to the completion. */
static __always_inline void plain_device(struct plain *p, __u64 x, __u64 c)
{
	__u64 b = p->io->m[MARK_B], h = p->io->m[MARK_H];

	_Static_assert(GAP_D_H == GAP_X_H && GAP_D_C == GAP_X_C, "D is not as X");
	if (!(b | h)) {
		plain_gap(p, GAP_X_C, MARK_C, c - x);
		return;
	}
	if (!b) {
		plain_gap(p, GAP_X_H, MARK_H, h - x);
	} else {
		plain_gap(p, GAP_X_B, MARK_B, b - x);
		if (!h) {
			plain_gap(p, GAP_B_C, MARK_C, c - b);
			return;
		}
		plain_gap(p, GAP_B_H, MARK_H, h - b);
	}
	plain_gap(p, GAP_H_C, MARK_C, c - h);
}

/* From mark Q on, of an I/O for which there is a plain_end(). */
static __always_inline void plain_marks(struct plain *p)
{
	struct blklat_io *io = p->io;
	__u64 g = io->m[MARK_G], x = io->m[MARK_X];

	if (io->m[MARK_C]) {
		plain_gap(p, GAP_Q_G, MARK_G, g - io->m[MARK_Q]);
		if (x) {
			plain_gap(p, GAP_G_X, MARK_X, x - g);
		} else {
			x = io->m[MARK_D];
			plain_gap(p, GAP_G_D, MARK_D, x - g);
		}
		plain_device(p, x, io->m[MARK_C]);
		plain_gap(p, GAP_C_Z, MARK_Z, io->m[MARK_Z] - io->m[MARK_C]);
	} else {
		plain_gap(p, STAGE_BIO_DRIVER, MARK_Z, io->m[MARK_Z] - io->m[MARK_Q]);
	}
	if (io->m[MARK_W])
		plain_gap(p, GAP_Z_W, MARK_W, io->m[MARK_W] - io->m[MARK_Z]);
}

static __always_inline void plain_total(struct plain *p, __u64 total)
{
	struct blklat_hist *h = &p->table->row[ROW_OF_SPAN(SPAN_TOTAL)];
	__u64 bucket = bucket_of(total);

	KEEP(h);
	plain_sample(p, h, ROW_OF_SPAN(SPAN_TOTAL), bucket, total);
	p->tail = tail_at(p->table, bucket >> BLKLAT_TAIL_SHIFT);
	KEEP(p->tail);
	ADD(p->tail, total, 0, total);
}

static __always_inline void plain_row(struct plain *p, __u32 row, __u64 ns)
{
	struct blklat_hist *h = &p->table->row[row];

	KEEP(h);
	ADD(h, sum, 0, ns);
	plain_sample(p, h, row, bucket_of(ns), ns);
}

/* As charge_spans(). */
static __always_inline void plain_spans(struct plain *p, struct blklat_io *io)
{
	__u64 q = io->queue_ns ?: io->m[MARK_Q], g = io->m[MARK_G], c = io->m[MARK_C];

	if (io->m[MARK_E] && io->told != TOLD_BLKGEN)
		plain_row(p, STAGE_THINK, io->think_ns);
	if (!cfg.spans || !c)
		return;
	plain_row(p, ROW_OF_SPAN(SPAN_Q2C), c - q);
	if (g)
		plain_row(p, ROW_OF_SPAN(SPAN_Q2G), g - q);
	if (g && io->insert_ns >= g)
		plain_row(p, ROW_OF_SPAN(SPAN_G2I), io->insert_ns - g);
	if (io->issue_ns && io->insert_ns && io->issue_ns >= io->insert_ns)
		plain_row(p, ROW_OF_SPAN(SPAN_I2D), io->issue_ns - io->insert_ns);
	if (io->issue_ns && c >= io->issue_ns)
		plain_row(p, ROW_OF_SPAN(SPAN_D2C), c - io->issue_ns);
}

#endif /* BLKLAT_PLAIN_BPF_H */
