/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_SINGLE_H
#define _BLKGEN_SINGLE_H

#include "idle.h"
#include "worker.h"

static inline void blkgen_single_end(struct blkgen_worker *w, struct blkgen_slot *slot,
				     blk_status_t status)
{
	slot->end = ktime_get_ns();
	slot->bio.bi_status = status;
	blkgen_worker_account(w, slot);
}

/*
 * Do the next I/O, from blkgen_worker_aim() to the accounting. Return false if there is to be no
 * further I/O.
 */
static __always_inline bool
blkgen_single_io(struct blkgen_worker *w, struct blkgen_slot *slot, u64 due,
		 void (*make)(struct blkgen_worker *w, struct blkgen_slot *slot),
		 blk_status_t (*io)(struct blkgen_worker *w, struct blkgen_slot *slot))
{
	if (!blkgen_worker_more(w))
		return false;
	blkgen_worker_aim(w, slot);
	make(w, slot);
	if (!blkgen_worker_begin_now(w, slot, due)) {
		blkgen_worker_unaim(w, slot);
		return false;
	}
	blkgen_single_end(w, slot, io(w, slot));
	/* This lets other tasks run, and rests if there are only failures */
	blkgen_worker_reap(w);

	return true;
}

/**
 * blkgen_single_run() - do all the I/O of a worker that does one I/O at a time
 * @w: worker, in its thread
 * @make: prepares the I/O, before its latency begins
 * @io: does the I/O and returns its status
 */
static __always_inline void
blkgen_single_run(struct blkgen_worker *w,
		  void (*make)(struct blkgen_worker *w, struct blkgen_slot *slot),
		  blk_status_t (*io)(struct blkgen_worker *w, struct blkgen_slot *slot))
{
	struct blkgen_idle idle;
	struct blkgen_slot *slot;
	u64 due;

	blkgen_idle_init(w, &idle);
	do {
		while ((slot = blkgen_idle_take(w, &idle, ktime_get_ns(), &due))) {
			/* The slot need not be put back: see blkgen_bio_submit_due() */
			if (!blkgen_single_io(w, slot, due, make, io))
				break;
			blkgen_idle_advance(w, slot);
			blkgen_idle_put(&idle, slot);
		}
	} while (blkgen_idle_wait(w, &idle));
	blkgen_idle_end(w);
}

#endif /* _BLKGEN_SINGLE_H */
