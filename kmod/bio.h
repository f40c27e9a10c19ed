/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_BIO_H
#define _BLKGEN_BIO_H

#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include "idle.h"
#include "trace.h"
#include "worker.h"

/* What the engines that submit bios have in common */

extern const blk_opf_t blkgen_bio_opf[BLKGEN_NR_OPS];

void blkgen_bio_init(struct blkgen_worker *w);
void blkgen_bio_uninit(struct blkgen_worker *w);
void blkgen_bio_end(struct bio *bio);
int blkgen_bio_check(const struct blkgen_job *job);

/**
 * blkgen_bio_make - make the bio for where its slot is aimed
 * @w: worker, in its thread
 * @slot: aimed
 *
 * A split takes down __bi_remaining of the bio it splits, a throttled or remapped bio
 * has flags set, and bio_endio() took its cgroup: it can't be used again as it is.
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
		/* bio_reset() leaves what it was used for before */
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
 * blkgen_bio_make_polled - make a bio one that is polled
 * @bio: as made; not submitted
 *
 * bio_reset() leaves a cookie of 0, which is that of a queue with interrupts: until the bio
 * has a request, bio_poll() would take that queue's completions from under its interrupt.
 */
static __always_inline void blkgen_bio_make_polled(struct bio *bio)
{
	bio->bi_opf |= REQ_POLLED | REQ_NOWAIT;
	bio->bi_cookie = BLK_QC_T_NONE;
}

/**
 * blkgen_bio_issue - submit the next I/O
 * @w: worker, in its thread
 * @slot: free
 * @due: ns; 0: now
 * @polled: if it carries data it is polled
 *
 * Returns false if there is to be none: the slot stays free.
 */
static __always_inline bool blkgen_bio_issue(struct blkgen_worker *w, struct blkgen_slot *slot,
					     u64 due, const bool polled)
{
	struct bio *bio = &slot->bio;

	if (!blkgen_worker_more(w))
		return false;
	blkgen_worker_aim(w, slot);
	blkgen_bio_make(w, slot);
	if (polled && slot->op < BLKGEN_NR_DATA_OPS)
		blkgen_bio_make_polled(bio);
	if (!blkgen_worker_begin_now(w, slot, due))
		return false;
	trace_blkgen_submit(bio);
	submit_bio(bio);

	return true;
}

/* Without a plug each I/O goes down on its own */
static inline void blkgen_bio_plug(struct blkgen_worker *w, struct blk_plug *plug,
				   unsigned int nr)
{
	if (w->job->par.batch < 2)
		return;
	blk_start_plug(plug);
	/* blk_start_plug_nr_ios() is not exported. Requests are allocated in bulk. */
	plug->nr_ios = min(nr, w->job->par.batch);
}

static inline void blkgen_bio_unplug(struct blkgen_worker *w, struct blk_plug *plug)
{
	if (w->job->par.batch > 1)
		blk_finish_plug(plug);
}

/**
 * blkgen_bio_submit_due - submit what is due, up to a batch
 * @w: worker, in its thread
 * @idle: its idle slots
 * @flying: slots with bios to be polled go there; NULL if none is
 *
 * Returns how many there were.
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
		/* If not, there are to be no more: the slot is not missed */
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
