// SPDX-License-Identifier: GPL-2.0
/*
 * Marks E and W of blkgen's own I/O. A module built outside the kernel tree
 * has no BTF, so these are raw tracepoints; argument 0 is the bio.
 */
#include "tables.bpf.h"

SEC("?raw_tp/blkgen_submit")
int blkgen_submit(struct bpf_raw_tracepoint_args *ctx)
{
	struct cpu_state *cpu = this_cpu();

	if (state.phase != PHASE_TRACE || !cpu)
		return 0;
	cpu->bio = ctx->args[0];
	cpu->bio_ns = bpf_ktime_get_ns();
	return 0;
}

SEC("?raw_tp/blkgen_complete")
int blkgen_complete(struct bpf_raw_tracepoint_args *ctx)
{
	struct blklat_io *io;
	int idx;

	if (state.phase == PHASE_IDLE)
		return 0;
	idx = io_find(ctx->args[0]);
	io = idx < 0 ? NULL : io_at(idx);
	if (io && io->flags & IO_SAME_BIO) {
		/* bio_endio was missed: it still leads to what a layer handed it on as. */
		blklat_end(idx, 0);
		idx = io_find(ctx->args[0]);
		io = idx < 0 ? NULL : io_at(idx);
	}
	if (!io || io->told != TOLD_BLKGEN)
		return 0;
	/* This is called from its end_io: bio_endio was missed. */
	if (!(io->flags & IO_DONE_Z))
		blklat_end(idx, 0);
	io->m[MARK_W] = bpf_ktime_get_ns();
	blklat_account(idx);
	return 0;
}
