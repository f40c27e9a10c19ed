/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_SINGLE_H
#define _BLKGEN_SINGLE_H

#include "idle.h"
#include "worker.h"

/**
 * blkgen_single_end() - note that an I/O has ended now, and count it
 * @w: worker, in its thread
 * @slot: slot of the I/O
 * @status: status of the I/O
 */
static inline void blkgen_single_end(struct blkgen_worker *w, struct blkgen_slot *slot,
				     blk_status_t status)
{
	slot->end = ktime_get_ns();
	slot->bio.bi_status = status;
	blkgen_worker_account(w, slot);
}

/**
 * blkgen_single_io() - do the next I/O, from blkgen_worker_aim() to the accounting
 * @w: worker, in its thread
 * @slot: idle slot; not put back in the list of idle slots
 * @due: when the I/O was due, ns; 0: now
 * @make: as for blkgen_single_run()
 * @io: as for blkgen_single_run()
 *
 * Context: process, sleeps
 * Return: false, without an I/O, if there are to be no more I/Os
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
