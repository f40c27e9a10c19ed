// SPDX-License-Identifier: GPL-2.0
/*
 * Run once, after the trace: I/Os that ended while their submitter was never
 * told in a way we see (a CQE that is skipped, a syscall still going on) are
 * accounted without mark W.
 */
#include "tables.bpf.h"

static long sweep_one(__u32 idx, void *unused)
{
	struct blklat_io *io = io_at(idx);

	if (!io || !io->key || !(io->flags & IO_DONE_Z) || io->flags & IO_DONE_W)
		return 0;
	if (__sync_fetch_and_or(&io->flags, IO_DONE_W) & IO_DONE_W)
		return 0;
	io->m[MARK_W] = 0;
	blklat_account(idx);
	return 0;
}

SEC("syscall")
int sweep(void *ctx)
{
	/* bpf_loop() goes 2^23 times at most, above any size of the map. */
	bpf_loop(cfg.slot_mask + 1, sweep_one, NULL, 0);
	return 0;
}
