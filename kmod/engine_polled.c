// SPDX-License-Identifier: GPL-2.0
/*
 * Submit bios to queues that have no interrupts. The worker polls for its completions itself, and
 * finds them in batches.
 *
 * Nobody else polls. So submit_bio() must not wait for anything that only a completion can
 * release: the bios are REQ_NOWAIT. Where other bios would wait for a tag, these return with
 * BLK_STS_AGAIN. The worker submits them again after some I/O has completed.
 */
#include <linux/blkdev.h>
#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/sched.h>
#include "bio.h"
#include "buffer.h"
#include "compat.h"
#include "engine.h"
#include "idle.h"
#include "plain.h"
#include "trace.h"

/*
 * After the end of the run, the worker retries I/Os that the device did not take for this long, ns
 */
#define GIVE_UP		NSEC_PER_SEC

/* The worker rests this long between tries if it has nothing in flight, ns */
#define AGAIN_REST	20000

/**
 * struct polled - the I/Os of a polling worker
 * @w: worker
 * @idle: slots that are not in flight
 * @flying: slots in flight whose bio is to be polled, so no flushes; the first one is polled next
 * @again: slots whose bio the device did not take
 * @give_up: when the worker stops retrying the bios of @again, and they fail, ns; 0: no bio
 *	was refused after the end of the run
 */
struct polled {
	struct blkgen_worker *w;
	struct blkgen_idle idle;
	struct list_head flying;
	struct list_head again;
	u64 give_up;
};

/* Return true if no I/O crosses the end of a chunk */
static bool polled_fits_chunk(const struct blkgen_job *job, u32 chunk)
{
	const struct blkgen_params *par = &job->par;
	u64 first = get_start_sect(job->bdev) + par->first_sector;
	u32 max = par->bs >> SECTOR_SHIFT;

	return !chunk || !(chunk % max || par->layout.unit % max || do_div(first, max) ||
			   par->sizes);
}

/*
 * Return true if an I/O of the largest size is never split, wherever it begins. A request queue
 * that would have to split a REQ_NOWAIT bio ends it with BLK_STS_AGAIN, each time. A stacked
 * device has the limits of the devices below it.
 */
static bool polled_fits(const struct blkgen_job *job)
{
	struct request_queue *q = bdev_get_queue(job->bdev);
	u32 most = queue_max_segment_size(q), bs = job->par.bs;
	u32 segments = bs / BLKGEN_BUF_PIECE * DIV_ROUND_UP(BLKGEN_BUF_PIECE, most) +
		       DIV_ROUND_UP(bs % BLKGEN_BUF_PIECE, most);
	/*
	 * The block layer splits an I/O earlier if it is not aligned to physical blocks, so that
	 * the rest is aligned
	 */
	u64 need = (u64)bs + queue_physical_block_size(q) - queue_logical_block_size(q);

	return need <= (u64)queue_max_sectors(q) << SECTOR_SHIFT &&
	       segments <= queue_max_segments(q) &&
	       polled_fits_chunk(job, q->limits.chunk_sectors);
}

/*
 * Return true if a bio that the device did not take is to be submitted again. Limits of the device
 * that changed during the run may make it refuse the bio each time: then the I/O has failed.
 */
static bool polled_try_again(struct polled *p)
{
	if (!polled_fits(p->w->job))
		return false;
	if (likely(!READ_ONCE(p->w->job->stop)))
		return true;
	if (!p->give_up)
		p->give_up = ktime_get_ns() + GIVE_UP;

	return ktime_get_ns() < p->give_up;
}

/* Count the I/Os that have completed. Return their number, without those that go to @again. */
static unsigned int polled_reap(struct polled *p)
{
	struct blkgen_worker *w = p->w;
	struct llist_node *node;
	unsigned int nr = 0;

	for (node = blkgen_worker_reap(w); node;) {
		struct blkgen_slot *slot = llist_entry(node, struct blkgen_slot, done);
		blk_status_t status = slot->bio.bi_status;
		bool data = slot->op < BLKGEN_NR_DATA_OPS;

		node = node->next;
		if (data)
			list_del(&slot->flying);
		if (unlikely(status == BLK_STS_AGAIN) && polled_try_again(p)) {
			slot->end = 0;
			list_add_tail(&slot->flying, &p->again);
			continue;
		}
		if (data)
			w->unpolled += !(slot->bio.bi_opf & REQ_POLLED);
		blkgen_bio_settle(w, slot);
		blkgen_worker_account(w, slot);
		blkgen_idle_put(&p->idle, slot);
		nr++;
	}

	return nr;
}

/* Submit up to a batch of the bios in @again */
static void polled_again(struct polled *p)
{
	unsigned int nr = p->w->job->par.batch;
	struct blkgen_slot *slot, *next;
	struct blk_plug plug;

	blkgen_bio_plug(p->w, &plug, nr);
	list_for_each_entry_safe(slot, next, &p->again, flying) {
		if (!nr--)
			break;
		blkgen_bio_make(p->w, slot);
		blkgen_bio_make_polled(slot);
		list_del(&slot->flying);
		if (slot->op < BLKGEN_NR_DATA_OPS)
			list_add_tail(&slot->flying, &p->flying);
		trace_blkgen_submit(&slot->bio);
		submit_bio(&slot->bio);
	}
	blkgen_bio_unplug(p->w, &plug);
}

/* Rest, because other users of the device must release the resources that this worker needs */
static void polled_rest(struct blkgen_worker *w)
{
	ktime_t rest = AGAIN_REST;

	blkgen_worker_in_time(w, ktime_get_ns());
	set_current_state(TASK_IDLE);
	schedule_hrtimeout(&rest, HRTIMER_MODE_REL);
}

/*
 * Poll with the first bio, and move it to the end of the list, so that the next call polls
 * another bio: they may be in different queues, and dm completes a bio only when that bio is
 * polled.
 */
static void polled_poll(struct polled *p)
{
	struct blkgen_slot *slot = list_first_entry(&p->flying, struct blkgen_slot, flying);

	list_rotate_left(&p->flying);
	blkgen_bio_poll(p->w, &slot->bio);
}

static bool polled_step(struct polled *p)
{
	unsigned int nr = polled_reap(p);

	if (!list_empty(&p->again)) {
		if (!nr && list_empty(&p->flying))
			polled_rest(p->w);
		if (nr || list_empty(&p->flying))
			polled_again(p);
	} else {
		while (blkgen_bio_submit_due(p->w, &p->idle, &p->flying) ==
		       p->w->job->par.batch)
			;
	}
	if (list_empty(&p->flying))
		return blkgen_idle_wait(p->w, &p->idle);
	polled_poll(p);

	return true;
}

static void polled_run(struct blkgen_worker *w)
{
	struct polled p = {
		.w = w,
		.flying = LIST_HEAD_INIT(p.flying),
		.again = LIST_HEAD_INIT(p.again),
	};

	blkgen_bio_init(w);
	if (blkgen_plain_can(w) && !w->job->par.paced)
		blkgen_plain_run(w, &p.idle, &p.again);
	else
		blkgen_idle_init(w, &p.idle);
	while (polled_step(&p))
		;
	blkgen_idle_end(w);
	blkgen_bio_uninit(w);
}

static int polled_check(const struct blkgen_job *job)
{
	if (!blkgen_disk_polls(job->bdev->bd_disk) || !bdev_nowait(job->bdev) ||
	    !polled_fits(job))
		return -EOPNOTSUPP;

	return 0;
}

const struct blkgen_engine_ops blkgen_engine_polled = {
	.ops = BIT_ULL(BLKGEN_OP_READ) | BIT_ULL(BLKGEN_OP_WRITE),
	.check = polled_check,
	.run = polled_run,
};
