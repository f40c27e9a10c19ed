/* SPDX-License-Identifier: GPL-2.0 */
/* Mark Z of an I/O, and what comes of it. */
#ifndef BLKLAT_END_BPF_H
#define BLKLAT_END_BPF_H

#include "cost.bpf.h"

/*
 * Mark Z of an I/O whose bio is forgotten, if it may be used again now.
 * @flags: IO_DONE_Z, and what else becomes known at the same moment
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
	if (!io_is_over(io, flags, IO_DONE_W))
		return;
	/* Told before the end: nobody waited for this one. */
	io->m[MARK_W] = 0;
	io_hand_over(idx, io);
}

static __always_inline void io_end_one(__u32 idx, struct blklat_io *io, __u64 now, __u32 flags)
{
	/* The bio is free after its end_io and may be queued at once. */
	if (io->told != TOLD_BLKGEN)
		io_forget_bio(io);
	io_set_z(idx, io, now, flags);
}

/*
 * The end of an I/O as most are: one bio, whose request's marks it has if it had
 * one, and not that of one above. Whether it was; else blklat_end() knows what to do.
 */
static __always_inline bool end_plain(__u32 idx, struct blklat_io *io, __u64 now)
{
	if (!io->alone || io->flags & IO_SELF_ENDED || !(io->flags & IO_JOINED || !io->rq))
		return false;
	/* block_rq_complete was missed. */
	if (io->in_rq == RQ_HERE && !io->m[MARK_C])
		return false;
	io->pending = 0;
	io_end_one(idx, io, now, IO_SELF_ENDED | IO_DONE_Z);
	return true;
}

/*
 * The end of nearly every bio: it is not followed, or it was the only one of its request, which
 * completed without an error and to which nothing unusual happened. Returns false if this is
 * another one.
 */
static __always_inline bool end_after_rq(struct bio *ending)
{
	__u64 bio = (__u64)ending;
	struct addr_entry *e = &bios[addr_home(bio)];
	struct blklat_io *io;
	__u32 idx;

	KEEP_ADDRESS(e);
	if (e->key != bio)
		return !e->away && !cfg.bio_based;
	if (ending->bi_status)
		return false;
	idx = e->slot;
	io = io_at(idx);
	if (io->in_rq != RQ_HERE || !io->m[MARK_C] || !io->alone)
		return false;
	/* Elsewhere than it was queued it may be what its bio is used for now. */
	if (io->bdev != (__u64)ending->bi_bdev)
		return false;
	if (io->told != TOLD_BLKGEN) {
		io->key = IO_KEY_ENDED;
		e->key = 0;
	}
	io_set_z(idx, io, bpf_ktime_get_ns(), IO_SELF_ENDED | IO_DONE_Z);
	return true;
}

#endif /* BLKLAT_END_BPF_H */
