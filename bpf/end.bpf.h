/* SPDX-License-Identifier: GPL-2.0 */
/* Mark Z of an I/O, and what comes of it. */
#ifndef BLKLAT_END_BPF_H
#define BLKLAT_END_BPF_H

#include "cost.bpf.h"

/* @flags: IO_DONE_Z, and what else becomes known at the same moment */
static __always_inline void io_end_one(__u32 idx, struct blklat_io *io, __u64 now, __u32 flags)
{
	io->m[MARK_Z] = now;
	if (now)
		cost_note(&io->z_cost, now);
	if (io->told == TOLD_NONE) {
		io->flags |= flags & IO_SELF_ENDED;
		io_hand_over(idx, io);
		return;
	}
	/* The bio is free after its end_io and may be queued at once. */
	if (io->told != TOLD_BLKGEN)
		io_forget_bio(io);
	if (!(__sync_fetch_and_or(&io->flags, flags) & IO_DONE_W))
		return;
	/* Told before the end: nobody waited for this one. */
	io->m[MARK_W] = 0;
	io_hand_over(idx, io);
}

/*
 * The end of an I/O as most are: one bio, whose request's marks it has if it had
 * one, and not that of one above. Whether it was; else blklat_end() knows what to do.
 */
static __always_inline bool end_plain(__u32 idx, struct blklat_io *io, __u64 now)
{
	__u32 kind = io->flags & (IO_CHILD | IO_ENDS_PARENT | IO_SELF_ENDED);

	/* What has a parent and is no child is a piece of it. */
	if (kind != (io->parent ? IO_CHILD : 0) || io->pending != 1 ||
	    !(io->flags & IO_JOINED || !io->rq))
		return false;
	io->pending = 0;
	io_end_one(idx, io, now, IO_SELF_ENDED | IO_DONE_Z);
	return true;
}

#endif /* BLKLAT_END_BPF_H */
