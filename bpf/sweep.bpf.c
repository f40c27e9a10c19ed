// SPDX-License-Identifier: GPL-2.0
/*
 * Hand over I/Os that no other program ends. User space runs this program, and frees no slot
 * meanwhile. During the trace it is for I/Os whose end was missed, which was noticed only when
 * their bio or kiocb was used again. After the trace, when all programs are detached, it is also
 * for I/Os that ended and whose submitter was never told in a way that the programs see (a CQE
 * that is skipped, a system call that goes on): they are handed over without the missing marks.
 */
#include "count.bpf.h"

/*
 * End an I/O whose end was missed. If the completion of its request was seen, or its submitter was
 * told (@told), or if it is a piece of a split bio, it ends without mark Z. Otherwise its times are
 * lost.
 */
static __always_inline void end_missed(__u32 idx, struct blklat_io *io, bool told)
{
	__sync_fetch_and_and(&io->flags, ~IO_MISSED_END);
	if (!(io->flags & IO_SELF_ENDED) &&
	    (told || io->m[MARK_C] || io_is_piece(io)))
		blklat_end(idx, 0);
	else if (!(io->flags & IO_DONE_Z))
		blklat_lose(idx);
}

static long sweep_one(__u32 idx, void *unused)
{
	bool last = state.phase == PHASE_IDLE, missed, told = false;
	struct blklat_io *io = io_at(idx);

	if (!io->key || io->over)
		return 0;
	missed = io->flags & IO_MISSED_END;
	if (!missed && !last)
		return 0;
	if (missed && !(io->flags & IO_DONE_Z)) {
		/*
		 * A kiocb completes only after all its bios have ended. Then tell() clears @owner.
		 */
		told = io->told == TOLD_KIOCB && !io->owner;
		end_missed(idx, io, told);
		/* During the trace the submitter may still be told. */
		if (!last && !told)
			return 0;
	} else if (io->m[MARK_C] && !(io->flags & IO_SELF_ENDED)) {
		blklat_end(idx, 0);
	}
	if (!io->key || io->over || !(io->flags & IO_DONE_Z))
		return 0;
	if (!io_is_over(io, IO_DONE_W, IO_DONE_Z))
		return 0;
	io_forget_bio(io);
	if (!told)
		io->m[MARK_W] = 0;
	io_hand_over(idx, io);
	return 0;
}

SEC("syscall")
int sweep(void *ctx)
{
	/*
	 * An I/O that is marked after this sets state.missed again, even if sweep_one() sees the
	 * mark.
	 */
	__sync_lock_test_and_set(&state.missed, 0);
	/* bpf_loop() does at most 2^23 rounds, which is more than there can be slots. */
	bpf_loop(state.window + 1, sweep_one, NULL, 0);
	return 0;
}
