/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_BIO_H
#define _BLKGEN_BIO_H

#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include "compat.h"
#include "cycles.h"
#include "idle.h"
#include "rearm.h"
#include "trace.h"
#include "worker.h"

/* All engines that submit bios share these functions */

extern const blk_opf_t blkgen_bio_opf[BLKGEN_NR_OPS];

void blkgen_bio_init(struct blkgen_worker *w);
void blkgen_bio_uninit(struct blkgen_worker *w);
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
	const bool data = slot->op < BLKGEN_NR_DATA_OPS;
	blk_opf_t opf = blkgen_bio_opf[slot->op];
	struct bio *bio = &slot->bio;

	if (slot->op == BLKGEN_OP_WRITE && w->job->par.fua)
		opf |= REQ_FUA;
	bio->bi_io_vec = data ? slot->vec[slot->op] : NULL;
	bio->bi_vcnt = data ? slot->nr_vec[slot->op] : 0;
	bio->bi_max_vecs = bio->bi_vcnt;
	blkgen_bio_rearm(bio, w->job->bdev, opf, &w->like);
	bio->bi_iter.bi_sector = slot->op == BLKGEN_OP_FLUSH ? 0 : slot->sector;
	bio->bi_iter.bi_size = slot->bytes;
	bio->bi_end_io = w->end_io;
}

/**
 * blkgen_bio_make_polled() - prepare the bio of a slot for a queue that its worker polls
 * @slot: slot whose bio was prepared and is not submitted yet
 *
 * submit_bio() must not wait for a tag or for the end of a freeze: both depend on I/Os in flight
 * that complete only when this worker polls. A flush cannot be polled.
 *
 * blkgen_bio_rearm() sets the cookie to 0, which is the cookie of a queue that has interrupts.
 * Until the bio has a request, bio_poll() would take completions of that queue, in a race with its
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
	/*
	 * The time is usually checked when an I/O is submitted. While the device does not answer,
	 * no I/O is submitted.
	 */
	if (llist_empty(&w->done))
		blkgen_worker_in_time(w, ktime_get_ns());
}

/* Clocks of two CPUs differ by less than this number of cycles */
#define BLKGEN_SKEW		(1 << 20)

/* An I/O that took longer than this, in ns, ends at the latest now: see blkgen_bio_settle() */
#define BLKGEN_LONG_ORDER	30
#define BLKGEN_LONG_NS		(1ULL << BLKGEN_LONG_ORDER)

/**
 * struct blkgen_now - the time at which the I/Os of a batch are submitted
 * @ns: CLOCK_MONOTONIC, ns; 0: not read yet
 * @cycles: the same time by the clock of completions, see blkgen_bio_init()
 */
struct blkgen_now {
	u64 ns;
	u64 cycles;
};

/**
 * blkgen_bio_now() - read the clocks, and end the run if its time is over
 * @w: worker, in its thread, whose bios are initialized
 * @now: set to the time
 *
 * Return: false if the time is over
 */
static __always_inline bool blkgen_bio_now(struct blkgen_worker *w, struct blkgen_now *now)
{
	now->ns = ktime_get_ns();
	now->cycles = w->by_cycles ? blkgen_cycles() : now->ns;

	return blkgen_worker_in_time(w, now->ns);
}

/**
 * blkgen_bio_issue() - submit the next I/O
 * @w: worker, in its thread
 * @slot: idle slot
 * @due: when the I/O was due, ns; 0: now
 * @now: zeroed for the first I/O of a batch, which sets it; else the time of that I/O. An I/O that
 *	is verified sets it again, because to make or check its data takes longer than the I/O.
 * @polled: true: the worker polls
 *
 * Return: false if there are to be no more I/Os; the slot then stays idle
 */
static __always_inline bool blkgen_bio_issue(struct blkgen_worker *w, struct blkgen_slot *slot,
					     u64 due, struct blkgen_now *now, const bool polled)
{
	struct bio *bio = &slot->bio;

	if (!blkgen_worker_more(w))
		return false;
	blkgen_worker_aim(w, slot);
	blkgen_bio_make(w, slot);
	if (polled)
		blkgen_bio_make_polled(slot);
	if ((!now->ns || unlikely(w->job->par.verify)) && !blkgen_bio_now(w, now))
		return false;
	blkgen_worker_begin(w, slot, now->ns, due);
	WRITE_ONCE(slot->cycles, now->cycles);
	trace_blkgen_submit(bio);
	submit_bio(bio);

	return true;
}

/**
 * blkgen_bio_settle() - convert the end of a completed I/O to ns
 * @w: worker, in its thread
 * @slot: slot of the I/O
 */
static __always_inline void blkgen_bio_settle(struct blkgen_worker *w, struct blkgen_slot *slot)
{
	s64 took = slot->end - slot->cycles;
	u64 end;

	/*
	 * The clocks of two CPUs may differ slightly, so the time may be negative. If it is far
	 * below 0, the counter has begun anew, as it may after the machine has slept.
	 */
	if (unlikely(took < 0))
		end = took > -BLKGEN_SKEW ? slot->sent : ktime_get_ns();
	else
		end = slot->sent + blkgen_cycles_to_ns(took, w->mult);
	/* The cycle counter goes on while the machine sleeps, and CLOCK_MONOTONIC does not */
	if (unlikely(end - slot->sent > BLKGEN_LONG_NS))
		end = min(end, ktime_get_ns());
	/* When @end is in ns, worker_oldest() must not compare it with cycles */
	WRITE_ONCE(slot->cycles, 0);
	WRITE_ONCE(slot->end, end);
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
	struct blkgen_now now = {};
	struct blk_plug plug;
	unsigned int nr = 0;
	u64 paced = 0, due;

	if (!idle->nr)
		return 0;
	if (w->job->par.paced)
		paced = ktime_get_ns();
	blkgen_bio_plug(w, &plug, idle->nr);
	while (nr < w->job->par.batch && (slot = blkgen_idle_take(w, idle, paced, &due))) {
		/*
		 * If this returns false, no more I/Os are submitted, so the slot need not be put
		 * back
		 */
		if (!blkgen_bio_issue(w, slot, due, &now, flying))
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
