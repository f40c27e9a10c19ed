/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_BIO_H
#define _BLKGEN_BIO_H

#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include "compat.h"
#include "idle.h"
#include "trace.h"
#include "worker.h"

/* All engines that submit bios share these functions */

extern const blk_opf_t blkgen_bio_opf[BLKGEN_NR_OPS];

void blkgen_bio_init(struct blkgen_worker *w);
void blkgen_bio_uninit(struct blkgen_worker *w);
void blkgen_bio_end(struct bio *bio);
int blkgen_bio_check(const struct blkgen_job *job);

/**
 * blkgen_bio_make() - prepare the bio of a slot for the slot's op, size and sector
 * @w: worker, in its thread
 * @slot: slot of the I/O, set up by blkgen_worker_aim()
 *
 * A bio cannot be used again as it is, for the reasons given at blkgen_bio_rearm().
 */
static inline void blkgen_bio_make(struct blkgen_worker *w, struct blkgen_slot *slot)
{
	struct bio *bio = &slot->bio;

	bio_reset(bio, w->job->bdev, blkgen_bio_opf[slot->op]);
	if (slot->op < BLKGEN_NR_DATA_OPS) {
		bio->bi_io_vec = slot->vec[slot->op];
		bio->bi_vcnt = slot->nr_vec[slot->op];
		bio->bi_max_vecs = slot->nr_vec[slot->op];
	} else {
		/* bio_reset() leaves the data buffers of the bio's last I/O */
		bio->bi_io_vec = NULL;
		bio->bi_max_vecs = 0;
	}
	if (slot->op != BLKGEN_OP_FLUSH) {
		bio->bi_iter.bi_sector = slot->sector;
		bio->bi_iter.bi_size = slot->bytes;
	}
	if (slot->op == BLKGEN_OP_WRITE && w->job->par.fua)
		bio->bi_opf |= REQ_FUA;
	bio->bi_end_io = blkgen_bio_end;
}

/**
 * blkgen_bio_make_polled() - prepare the bio of a slot for a queue that its worker polls
 * @slot: slot whose bio was prepared and is not submitted yet
 *
 * submit_bio() must not wait for a tag or for the end of a freeze: both depend on I/Os in flight
 * that complete only when this worker polls. A flush cannot be polled.
 *
 * bio_reset() sets the cookie to 0, which is the cookie of a queue that has interrupts. Until the
 * bio has a request, bio_poll() would take completions of that queue, in a race with its
 * interrupt.
 */
static __always_inline void blkgen_bio_make_polled(struct blkgen_slot *slot)
{
	slot->bio.bi_opf |= REQ_NOWAIT;
	if (slot->op >= BLKGEN_NR_DATA_OPS)
		return;
	slot->bio.bi_opf |= REQ_POLLED;
	slot->bio.bi_cookie = BLK_QC_T_NONE;
}

/**
 * blkgen_bio_look_at_time() - end the run if its time is over
 * @w: worker that polls, in its thread
 *
 * The time is usually checked when an I/O is submitted. While the device does not answer, no I/O is
 * submitted, so the worker also checks the time while it polls.
 */
static __always_inline void blkgen_bio_look_at_time(struct blkgen_worker *w)
{
	if (unlikely(ktime_get_ns() >= w->job->deadline))
		blkgen_job_stop(w->job, BLKGEN_STOP_TIME);
}

/**
 * blkgen_bio_poll() - poll for completions, and end the run if its time is over
 * @w: worker, in its thread
 * @bio: bio of the worker that was submitted; it may complete at any time
 *
 * NVMe multipath and other stacked drivers may change bi_bdev to a device that can be removed as
 * soon as the bio has completed. That device is freed after a grace period of RCU. While the list
 * of completions is empty, @bio has not completed, so RCU keeps its device during bio_poll().
 */
static __always_inline void blkgen_bio_poll(struct blkgen_worker *w, struct bio *bio)
{
	DEFINE_IO_COMP_BATCH(iob);

	rcu_read_lock();
	if (llist_empty(&w->done))
		bio_poll(bio, &iob, BLK_POLL_ONESHOT | BLKGEN_POLL_NOSLEEP);
	rcu_read_unlock();
	if (iob.complete)
		iob.complete(&iob);
	if (llist_empty(&w->done))
		blkgen_bio_look_at_time(w);
}

/**
 * blkgen_bio_issue() - submit the next I/O
 * @w: worker, in its thread
 * @slot: idle slot
 * @due: when the I/O was due, ns; 0: now
 * @polled: true: the worker polls
 *
 * Return: false if there are to be no more I/Os; the slot then stays idle
 */
static __always_inline bool blkgen_bio_issue(struct blkgen_worker *w, struct blkgen_slot *slot,
					     u64 due, const bool polled)
{
	struct bio *bio = &slot->bio;

	if (!blkgen_worker_more(w))
		return false;
	blkgen_worker_aim(w, slot);
	blkgen_bio_make(w, slot);
	if (polled)
		blkgen_bio_make_polled(slot);
	if (!blkgen_worker_begin_now(w, slot, due))
		return false;
	trace_blkgen_submit(bio);
	submit_bio(bio);

	return true;
}

/**
 * blkgen_bio_plug() - start a plug, unless a batch is one I/O
 * @w: worker, in its thread
 * @plug: plug on the stack of the caller, who ends it with blkgen_bio_unplug()
 * @nr: most I/Os that the caller can submit in this plug
 *
 * Without a plug, each I/O goes to the device on its own.
 */
static inline void blkgen_bio_plug(struct blkgen_worker *w, struct blk_plug *plug,
				   unsigned int nr)
{
	if (w->job->par.batch < 2)
		return;
	blk_start_plug(plug);
	/*
	 * Set nr_ios so that requests are allocated in bulk: blk_start_plug_nr_ios() is not
	 * exported
	 */
	plug->nr_ios = min(nr, w->job->par.batch);
}

/**
 * blkgen_bio_unplug() - send the I/Os of a plug to the device, and end the plug
 * @w: worker, in its thread
 * @plug: plug that blkgen_bio_plug() has started, or has not because a batch is one I/O
 */
static inline void blkgen_bio_unplug(struct blkgen_worker *w, struct blk_plug *plug)
{
	if (w->job->par.batch > 1)
		blk_finish_plug(plug);
}

/**
 * blkgen_bio_submit_due() - submit the I/Os that are due, up to a batch
 * @w: worker, in its thread
 * @idle: idle slots of @w
 * @flying: list for the slots whose bios are to be polled; NULL if no bio is polled
 *
 * Return: the number of I/Os submitted
 */
static __always_inline unsigned int
blkgen_bio_submit_due(struct blkgen_worker *w, struct blkgen_idle *idle,
		      struct list_head *flying)
{
	struct blkgen_slot *slot;
	struct blk_plug plug;
	unsigned int nr = 0;
	u64 now = 0, due;

	if (!idle->nr)
		return 0;
	if (w->job->par.paced)
		now = ktime_get_ns();
	blkgen_bio_plug(w, &plug, idle->nr);
	while (nr < w->job->par.batch && (slot = blkgen_idle_take(w, idle, now, &due))) {
		/*
		 * If this returns false, no more I/Os are submitted, so the slot need not be put
		 * back
		 */
		if (!blkgen_bio_issue(w, slot, due, flying))
			break;
		blkgen_idle_advance(w, slot);
		if (flying && slot->op < BLKGEN_NR_DATA_OPS)
			list_add_tail(&slot->flying, flying);
		nr++;
	}
	blkgen_bio_unplug(w, &plug);

	return nr;
}

#endif /* _BLKGEN_BIO_H */
