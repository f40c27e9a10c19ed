// SPDX-License-Identifier: GPL-2.0
/*
 * Set marks E and W of blkgen's I/O. These are raw tracepoints, because a module that is built
 * outside the kernel tree has no BTF.
 */
#include "cost.bpf.h"

SEC("?raw_tp/blkgen_submit")
int TP_PROG(blkgen_submit, __u64 bio)
{
	struct task_io *task;

	if (state.phase != PHASE_TRACE)
		return 0;
	task = this_task(true);
	if (!task)
		return 0;
	task->bio = bio;
	task->bio_ns = mark_time(began);
	return 0;
}

SEC("?raw_tp/blkgen_complete")
int TP_PROG(blkgen_complete, __u64 bio)
{
	struct blklat_io *io;
	__u64 now;
	__u32 idx;

	if (state.phase == PHASE_IDLE)
		return 0;
	io = io_of(bio, &idx);
	if (cfg.stack && io && io->flags & IO_SAME_BIO) {
		/*
		 * A layer handed the bio on, and it still leads to the I/O of the device below:
		 * bio_endio was missed.
		 */
		blklat_end(idx, 0);
		io = io_of(bio, &idx);
	}
	if (!io || io->told != TOLD_BLKGEN)
		return 0;
	/* This tracepoint is called from the bio's end_io, so bio_endio was missed. */
	if (!(io->flags & IO_DONE_Z))
		blklat_end(idx, 0);
	io_forget_bio(io);
	now = mark_time(began);
	io->m[MARK_W] = now;
	cost_until(&io->z_cost, now);
	if (io_is_over_now(io, 0))
		io_hand_over(idx, io);
	return 0;
}
