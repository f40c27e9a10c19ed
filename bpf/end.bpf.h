/* SPDX-License-Identifier: GPL-2.0 */
/* Set mark Z of an I/O. If nothing else is missing, hand the I/O over to user space. */
#ifndef BLKLAT_END_BPF_H
#define BLKLAT_END_BPF_H

#include "cost.bpf.h"

/**
 * io_set_z() - set mark Z of an I/O, and hand it over if nothing else is missing
 * @idx: slot of the I/O
 * @io: the I/O
 * @now: mark Z in ns, 0 when the end of the bio was missed
 * @flags: IO_DONE_Z, and flags that become known at the same moment
 *
 * Before the call, the bio must no longer lead to the I/O, unless blkgen_complete still has to find
 * the I/O through it.
 */
static __always_inline void io_set_z(__u32 idx, struct blklat_io *io, __u64 now, __u32 flags)
{
	io->m[MARK_Z] = now;
	if (now)
		cost_note(&io->z_cost, now);
	if (io->told == TOLD_NONE) {
		if (io_is_over_now(io, flags))
			io_hand_over(idx, io);
		return;
	}
	/*
	 * The program that sees a kiocb complete, or that sees blkgen being told, hands the I/O
	 * over. It runs after this one, so this need not be atomic. A system call, however, can
	 * return at the same time.
	 */
	if (io->told != TOLD_SYSCALL) {
		io->flags |= flags;
		return;
	}
	if (!io_is_over(io, flags, IO_DONE_W))
		return;
	/* The submitter was told before the end, so it did not wait for this I/O. */
	io->m[MARK_W] = 0;
	io_hand_over(idx, io);
}

/**
 * io_end_one() - make the bio of an I/O no longer lead to it, and set mark Z
 * @idx: slot of the I/O
 * @io: the I/O
 * @now: mark Z in ns, 0 when the end of the bio was missed
 * @flags: IO_DONE_Z, and flags that become known at the same moment
 */
static __always_inline void io_end_one(__u32 idx, struct blklat_io *io, __u64 now, __u32 flags)
{
	/*
	 * The bio is free after its end_io and may be queued again at once. blkgen_complete,
	 * which is called in end_io, still needs it.
	 */
	if (io->told != TOLD_BLKGEN)
		io_forget_bio(io);
	io_set_z(idx, io, now, flags);
}

/**
 * end_plain() - end a usual I/O
 * @idx: slot of the I/O
 * @io: the I/O
 * @now: mark Z in ns
 *
 * The bio of a usual I/O was not split, its end is not the end of an I/O above, and the I/O has the
 * marks of its request if it had one.
 *
 * Return: true if the I/O is a usual one; else false: then nothing was done, and the caller must
 * call blklat_end().
 */
static __always_inline bool end_plain(__u32 idx, struct blklat_io *io, __u64 now)
{
	if (!io->alone || io->flags & IO_SELF_ENDED || !(io->flags & IO_JOINED || !io->rq))
		return false;
	/* block_rq_complete was missed, which blklat_end() has to handle. */
	if (io->in_rq == RQ_HERE && !io->m[MARK_C])
		return false;
	io->pending = 0;
	io_end_one(idx, io, now, IO_SELF_ENDED | IO_DONE_Z);
	return true;
}

/**
 * end_after_rq() - handle the end of a bio in the usual cases
 * @ending: the bio
 * @began: argument of mark_time()
 *
 * These are the usual cases: the bio is not followed, and no device is bio_based; or
 * block_bio_complete ends its I/O; or it was the only bio of its request, and the request completed
 * without an error and without anything unusual.
 *
 * Context: at the entry of bio_endio(); once per bio of any device, on the hot path
 * Return: true if nothing is left to do; false in all other cases, in which this does nothing.
 */
static __always_inline bool end_after_rq(struct bio *ending, __u64 began)
{
	__u64 bio = (__u64)ending;
	struct addr_entry *e = addr_first(BIOS, bio);
	struct blklat_io *io;
	__u32 idx;

	if (e->key != bio)
		return !e->away && !cfg.bio_based;
	idx = e->slot;
	io = io_at(idx);
	if (io->in_rq != RQ_HERE)
		return io->flags & IO_OF_LAYER;
	if (!io->m[MARK_C] || !io->alone)
		return false;
	/* If the bio is at another block device than it was queued at, it may be in use again. */
	if (io->bdev != (__u64)ending->bi_bdev)
		return false;
	if (io->told != TOLD_BLKGEN) {
		io->key = IO_KEY_ENDED;
		e->key = 0;
	}
	io_set_z(idx, io, mark_time(began), IO_SELF_ENDED | IO_DONE_Z);
	return true;
}

#endif /* BLKLAT_END_BPF_H */
