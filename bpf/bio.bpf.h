/* SPDX-License-Identifier: GPL-2.0 */
/* Begin the I/O of a bio. */
#ifndef BLKLAT_BIO_BPF_H
#define BLKLAT_BIO_BPF_H

#include "cost.bpf.h"
#include "rq.bpf.h"
#include "stack.bpf.h"

/* bio.bpf.c: the bio of the I/O in this slot is used again, but its end was not seen */
int blklat_missed_end(__u32 idx);
/* bio.bpf.c: return 1 if the I/O that the current task submits passes the filters, else 0 */
int blklat_task_is_traced(void);

/**
 * io_begin() - take a slot for the I/O of a bio, and set the members that each I/O has
 * @key: address of the bio, which leads to no I/O
 * @dev: index of the traced device
 * @index: set to the slot
 *
 * The caller fills in the rest.
 *
 * Return: the I/O, or NULL if there is no room.
 */
static __always_inline struct blklat_io *io_begin(__u64 key, __u32 dev, __u32 *index)
{
	struct blklat_io *io = io_take(key, index);

	if (!io)
		return NULL;
	/* A program that was preempted may have written to the slot after it was freed. */
	io->flags = 0;
	io->m[MARK_B] = 0;
	io->m[MARK_W] = 0;
	io->pending = 1;
	io->dev = dev;
	return io;
}

/**
 * slots_ran_out() - note that no slot was free
 *
 * User space sets the number back to 0 when it has not changed for a while: the number need not be
 * exact.
 */
static __always_inline void slots_ran_out(void)
{
	state.full++;
}

/**
 * count_full() - count an I/O for which no slot is free
 * @dev: index of the traced device
 * @op: enum blklat_op
 * @bytes: length of the I/O
 */
static __always_inline void count_full(__u32 dev, __u32 op, unsigned int bytes)
{
	struct blklat_flow *flow = &ledger_of(dev)->op[op & (NR_OPS - 1)];

	slots_ran_out();
	__sync_fetch_and_add(&flow->ios, 1);
	__sync_fetch_and_add(&flow->bytes, bytes);
	count(dev, COUNT_LOST_FULL);
}

/**
 * io_new() - count a new I/O and take a slot for it
 * @bio: address of its bio, which leads to no I/O
 * @bytes: its length
 * @dev: index of the traced device
 * @index: set to the slot
 *
 * Context: any; once per I/O, on the hot path
 * Return: the I/O, whose @op the caller sets; or NULL if there is no room: then the caller must
 * call count_full().
 */
static __always_inline struct blklat_io *io_new(__u64 bio, unsigned int bytes, int dev,
						__u32 *index)
{
	struct blklat_io *io;

	count(dev, COUNT_STARTED);
	io = io_begin(bio, dev, index);
	if (io)
		io->bytes = bytes;
	return io;
}

#endif /* BLKLAT_BIO_BPF_H */
