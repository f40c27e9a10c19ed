// SPDX-License-Identifier: GPL-2.0
/*
 * Run once, after the trace, when no other program runs any more: I/Os whose
 * bio_endio was missed, and those that ended while their submitter was never
 * told in a way we see (a CQE that is skipped, a syscall still going on), are
 * accounted without the missing marks.
 */
#include "tables.bpf.h"

static long sweep_one(__u32 idx, void *unused)
{
	struct blklat_io *io = io_at(idx);

	if (!io || !io->key)
		return 0;
	if (io->m[MARK_C] && !(io->flags & IO_SELF_ENDED))
		blklat_end(idx, 0);
	if (!io->key || !(io->flags & IO_DONE_Z) || io->flags & IO_DONE_W)
		return 0;
	__sync_fetch_and_or(&io->flags, IO_DONE_W);
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
