/* SPDX-License-Identifier: GPL-2.0 */
/* Count I/Os in the ledger of a device, and hand those that are over to user space. */
#ifndef BLKLAT_COUNT_BPF_H
#define BLKLAT_COUNT_BPF_H

#include "devs.bpf.h"
#include "entries.bpf.h"

/**
 * ledger_of() - find the ledger of a device
 * @dev: index of the traced device; a mask keeps it within the ledgers
 *
 * Return: the ledger, never NULL.
 */
static __always_inline struct blklat_ledger *ledger_of(__u32 dev)
{
	struct blklat_ledger *l = &ledgers[dev & (BLKLAT_MAX_DEVS - 1)];

	KEEP_ADDRESS(l);
	return l;
}

/**
 * count() - add 1 to a counter of a device
 * @dev: index of the traced device
 * @c: the counter
 */
static __always_inline void count(__u32 dev, enum blklat_counter c)
{
	__sync_fetch_and_add(&ledger_of(dev)->n[c], 1);
}

/**
 * io_hand_over() - hand an I/O over to user space
 * @idx: slot of the I/O
 * @io: the I/O
 *
 * User space makes samples of its marks and frees its slot. Before this, the bio must have been
 * made to lead to the I/O no longer (io_forget_bio()). Only the program that completed the pair of
 * IO_DONE_Z and IO_DONE_W may hand the I/O over: see io_is_over(). ended[] has a place for each
 * slot, so it is never full.
 *
 * Context: any; once per I/O, on the hot path
 */
static __always_inline void io_hand_over(__u32 idx, struct blklat_io *io)
{
	__u32 at;

	io->over = IO_OVER | (__u32)ledger_of(io->dev)->n[COUNT_STARTED];
	at = __sync_fetch_and_add(&state.ended, 1) & (BLKLAT_MAX_SLOTS - 1);
	store_release(&ended[at], idx + 1);
}

/**
 * io_is_over() - set IO_DONE_Z or IO_DONE_W, and check if the I/O is over now
 * @io: the I/O
 * @flags: one of these two flags, and other flags to set with it
 * @other: the other one of the two
 *
 * Return: true if @other was set before: only one program gets true, and it must call
 * io_hand_over().
 */
static __always_inline bool io_is_over(struct blklat_io *io, __u32 flags, __u32 other)
{
	return (__sync_fetch_and_or(&io->flags, flags) & (IO_DONE_Z | IO_DONE_W)) == other;
}

/**
 * io_is_over_now() - set IO_DONE_Z and IO_DONE_W, so that the I/O is over
 * @io: the I/O
 * @flags: other flags to set with these two; they may be among them
 *
 * Return: true if one of the two was not set before: only one program gets true, and it must call
 * io_hand_over().
 */
static __always_inline bool io_is_over_now(struct blklat_io *io, __u32 flags)
{
	__u32 both = IO_DONE_Z | IO_DONE_W;

	return (__sync_fetch_and_or(&io->flags, flags | both) & both) != both;
}

/**
 * count_retried() - count an I/O that was refused with BLK_STS_AGAIN
 * @idx: slot of the I/O, or of a piece of it
 * @status: blk_status_t of the bio; nothing is counted for any other status
 *
 * The bio has REQ_NOWAIT, but would have had to wait. io_uring submits it again from a worker. A
 * piece of a split bio does not count, because its end is not the end of the whole.
 */
static __always_inline void count_retried(__u32 idx, __u8 status)
{
	struct blklat_io *io = status == BLK_STS_AGAIN ? io_at(idx) : NULL;

	if (io && !(io->flags & IO_SELF_ENDED) && !io_is_piece(io))
		count(io->dev, COUNT_RETRIED);
}

/**
 * count_missed_start() - count an I/O as started and lost, because no program saw its start
 * @dev: index of the traced device
 *
 * The I/O is not counted with a filter, because it may not pass the filter, nor while draining,
 * because it may be new.
 */
static __always_inline void count_missed_start(__u32 dev)
{
	/* If slots ran out, the I/O may have been counted at its start, in count_full(). */
	if (state.phase != PHASE_TRACE || state.full || cfg.filter)
		return;
	count(dev, COUNT_STARTED);
	count(dev, COUNT_LOST_QUEUE);
}

/*
 * A bio may have waited this long before it got its request: for its layer to return, for a tag
 * or for a CPU.
 */
#define QUEUED_BEFORE_NS 250000000ULL

/**
 * count_unseen_start() - count an I/O whose start no program saw
 * @dev: index of the traced device
 * @seen_ns: when the I/O was first seen, monotonic clock in ns
 *
 * If that was before the trace, or not long after the trace began (QUEUED_BEFORE_NS), the I/O
 * counts as begun before the trace, else as missed. With a filter it is not counted, because it may
 * not pass the filter. While draining, and after slots ran out, it is counted only if it was seen
 * before the trace: otherwise it may be new, or be counted already.
 */
static __always_inline void count_unseen_start(__u32 dev, __u64 seen_ns)
{
	__u64 since = dev_cfg(dev)->since_ns ?: state.armed_ns;

	if (cfg.filter)
		return;
	if (seen_ns < since || (seen_ns - since < QUEUED_BEFORE_NS &&
				state.phase == PHASE_TRACE && !state.full))
		count(dev, COUNT_BEFORE);
	else
		count_missed_start(dev);
}

#endif /* BLKLAT_COUNT_BPF_H */
