/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The quick way to charge an I/O: most have a few usual marks, in order. Then all of it is
 * straight code on one table, without a loop, a call or another lookup. Whatever is not as
 * usual goes the general way in account.bpf.c, which charges the same.
 */
#ifndef BLKLAT_PLAIN_BPF_H
#define BLKLAT_PLAIN_BPF_H

#include "hist.bpf.h"
#include "stack.bpf.h"

/* The usual ones after Q, in the order of time. */
#define PLAIN_MARKS(DO) DO(G) DO(X) DO(D) DO(B) DO(H) DO(C) DO(Z) DO(W)

/* account.bpf.c: of devices with requests, and of those without */
extern struct plain_rows plain_rows[2];

/**
 * struct plain - an I/O that is charged in one go
 * @io: the I/O
 * @table: that gets the samples
 * @tail: its group
 * @rows: of its device
 * @prev: the mark before, as in @rows
 * @prev_ns: when it was
 * @sum: time charged
 * @index: of @table
 * @at_once: extremes are set one by one, not at the end
 */
struct plain {
	struct blklat_io *io;
	struct blklat_table *table;
	struct blklat_tail *tail;
	const struct plain_rows *rows;
	__u64 prev;
	__u64 prev_ns;
	__u64 sum;
	__u32 index;
	bool at_once;
};

/* The end in ns when this I/O is one of most, else 0. */
static __always_inline __u64 plain_end(struct blklat_io *io)
{
	__u64 at = io->m[MARK_Q];

	if (!at || !io->m[MARK_Z] || io->m[MARK_T] | io->m[MARK_R] | io->m[MARK_F] ||
	    io->flags & IO_LOST || io->op == BLKLAT_OP_FLUSH || io->m[MARK_E] > at || is_layer(io))
		return 0;
#define IN_ORDER(mark) \
	if (io->m[MARK_##mark]) { \
		if (io->m[MARK_##mark] < at) \
			return 0; \
		at = io->m[MARK_##mark]; \
	}
	PLAIN_MARKS(IN_ORDER)
#undef IN_ORDER
	return at;
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

static __always_inline void plain_charge(struct plain *p, __u64 stage, __u64 ns)
{
	asm volatile("%0 &= 31" : "+r"(stage));
	plain_sample(p, &p->table->row[stage], stage, bucket_of(ns), ns);
	ADD(p->tail, stage, stage, ns);
	p->sum += ns;
}

static __always_inline void plain_mark(struct plain *p, enum blklat_mark mark)
{
	__u64 ns = p->io->m[mark];

	if (!ns)
		return;
	plain_charge(p, p->rows->gap[p->prev + mark], ns - p->prev_ns);
	p->prev = p->rows->at[mark];
	p->prev_ns = ns;
}

/* From mark Q on. */
static __always_inline void plain_marks(struct plain *p)
{
	p->rows = &plain_rows[dev_cfg(p->io->dev)->bio_based & 1];
	KEEP(p->rows);
	p->prev = p->rows->at[MARK_Q];
	p->prev_ns = p->io->m[MARK_Q];
#define CHARGE(mark) { plain_mark(p, MARK_##mark); }
	PLAIN_MARKS(CHARGE)
#undef CHARGE
}

static __always_inline void plain_total(struct plain *p, __u64 total)
{
	struct blklat_hist *h = &p->table->row[ROW_OF_SPAN(SPAN_TOTAL)];
	__u64 bucket = bucket_of(total);

	asm volatile("" : "+r"(h));
	plain_sample(p, h, ROW_OF_SPAN(SPAN_TOTAL), bucket, total);
	p->tail = tail_at(p->table, bucket >> BLKLAT_TAIL_SHIFT);
	asm volatile("" : "+r"(p->tail));
	ADD(p->tail, total, 0, total);
}

static __always_inline void plain_row(struct plain *p, __u32 row, __u64 ns)
{
	struct blklat_hist *h = &p->table->row[row];

	/* Its offset is too large for an instruction: let it be added once. */
	asm volatile("" : "+r"(h));
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
