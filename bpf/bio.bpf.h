/* SPDX-License-Identifier: GPL-2.0 */
/* The I/O of a bio: how it begins, and what becomes of it when its end is missed. */
#ifndef BLKLAT_BIO_BPF_H
#define BLKLAT_BIO_BPF_H

#include "cost.bpf.h"
#include "rq.bpf.h"
#include "stack.bpf.h"

/* A slot with cleared state, or NULL; the caller fills in the rest. */
static __always_inline struct blklat_io *io_begin(__u64 key, __u32 dev, __u8 op, __u32 *index)
{
	struct blklat_io *io = io_take(key, index);

	if (!io)
		return NULL;
#pragma unroll
	for (int i = 0; i < NR_MARKS; i++)
		io->m[i] = 0;
	io->insert_ns = 0;
	io->issue_ns = 0;
	io->queue_ns = 0;
	io->think_ns = 0;
	io->owner = 0;
	io->flags = 0;
	io->pending = 1;
	io->parent = 0;
	io->gen++;
	io->rq = 0;
	io->next = 0;
	io->dev = dev;
	io->op = op;
	io->told = TOLD_NONE;
	io->polled = 0;
	/* Without a stack nobody sets these. */
	if (in_stack()) {
		io->child = 0;
		io->sibling = 0;
		io->q_cost.where = 0;
		io->z_cost.where = 0;
	}
	return io;
}

/*
 * The bio is used again but its end was not seen: a program was skipped, since
 * it was running on that CPU already. That is rare, and what to do about it much
 * work for the verifier: it is left to sweep.
 */
static __always_inline void io_missed_end(int idx)
{
	struct blklat_io *io = io_at(idx);

	if (!(io->flags & IO_JOINED))
		rq_join_missed(io);
	io_forget_bio(io);
	__sync_fetch_and_or(&io->flags, IO_MISSED_END);
	state.missed = 1;
}

/* One more I/O under way; the most at once may miss a race, not the count. */
static __always_inline void count_start(struct blklat_ledger *l, __u32 op, unsigned int bytes)
{
	op &= NR_OPS - 1;
	__sync_fetch_and_add(&l->op[op].ios, 1);
	__sync_fetch_and_add(&l->op[op].bytes, bytes);
	__sync_fetch_and_add(&l->n[COUNT_INFLIGHT], 1);
	if (l->n[COUNT_INFLIGHT] > l->n[COUNT_INFLIGHT_MAX])
		l->n[COUNT_INFLIGHT_MAX] = l->n[COUNT_INFLIGHT];
}

/* Count and record a new I/O; NULL when there is no slot. */
static __always_inline struct blklat_io *io_new(__u64 bio, unsigned int bytes, int dev, __u8 op,
						__u32 *index)
{
	struct blklat_io *io;

	count_start(ledger_of(dev), op, bytes);
	io = io_begin(bio, dev, op, index);
	if (!io) {
		state.full = 1;
		count(dev, COUNT_LOST_FULL);
		count_add(dev, COUNT_INFLIGHT, -1);
		return NULL;
	}
	return io;
}

#endif /* BLKLAT_BIO_BPF_H */
