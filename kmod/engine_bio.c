// SPDX-License-Identifier: GPL-2.0
/*
 * The default path: submit_bio(), completion by interrupt, the worker submits
 * again. Works on every block device.
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/sched.h>
#include "engine.h"
#include "trace.h"
#include "worker.h"

/*
 * Writes are marked as O_DIRECT's are: what is not is taken for writeback and
 * throttled by wbt.
 */
static const blk_opf_t bio_opf[] = {
	[BLKGEN_OP_READ] = REQ_OP_READ,
	[BLKGEN_OP_WRITE] = REQ_OP_WRITE | REQ_SYNC | REQ_IDLE,
	[BLKGEN_OP_TRIM] = REQ_OP_DISCARD,
	[BLKGEN_OP_ZEROES] = REQ_OP_WRITE_ZEROES,
	[BLKGEN_OP_FLUSH] = REQ_OP_WRITE | REQ_SYNC | REQ_PREFLUSH,
};

/* Any context; also from inside submit_bio() */
static void bio_end(struct bio *bio)
{
	struct blkgen_slot *slot = container_of(bio, struct blkgen_slot, bio);

	slot->end = ktime_get_ns();
	trace_blkgen_complete(bio);
	blkgen_slot_done(slot);
}

static unsigned int bio_next_op(struct blkgen_worker *w)
{
	unsigned int op;

	if (blkgen_worker_flush_due(w)) {
		w->unflushed = 0;
		return BLKGEN_OP_FLUSH;
	}
	op = blkgen_mix_next(&w->mix);
	w->unflushed += op != BLKGEN_OP_READ;

	return op;
}

/* Where the next I/O goes, and its data */
static void bio_aim(struct blkgen_worker *w, struct blkgen_slot *slot, unsigned int op)
{
	const struct blkgen_params *par = &w->job->par;
	struct bio *bio = &slot->bio;

	bio->bi_iter.bi_sector = par->first_sector + blkgen_cursor_next(&w->cur) * par->bs_sectors;
	bio->bi_iter.bi_size = par->bs;
	if (op < BLKGEN_NR_DATA_OPS) {
		bio->bi_io_vec = slot->vec[op];
		bio->bi_vcnt = slot->nr_vec[op];
		bio->bi_max_vecs = slot->nr_vec[op];
	} else {
		/* bio_reset() leaves what it was used for before */
		bio->bi_io_vec = NULL;
		bio->bi_max_vecs = 0;
	}
}

/*
 * Submit the next I/O on a free slot. Returns false if there is to be none:
 * the slot stays free.
 */
static bool bio_issue(struct blkgen_worker *w, struct blkgen_slot *slot)
{
	struct blkgen_job *job = w->job;
	struct bio *bio = &slot->bio;
	unsigned int op;
	u64 now;

	if (!blkgen_worker_more(w))
		return false;

	/*
	 * A split takes down __bi_remaining of the bio it splits, a throttled
	 * or remapped bio has flags set, and bio_endio() took its cgroup: it
	 * can't be used again as it is.
	 */
	op = bio_next_op(w);
	bio_reset(bio, job->bdev, bio_opf[op]);
	if (op != BLKGEN_OP_FLUSH)
		bio_aim(w, slot, op);
	else
		bio->bi_io_vec = NULL;
	if (op == BLKGEN_OP_WRITE && job->par.fua)
		bio->bi_opf |= REQ_FUA;
	bio->bi_end_io = bio_end;
	slot->op = op;

	now = ktime_get_ns();
	if (unlikely(now >= job->deadline)) {
		blkgen_job_stop(job, BLKGEN_STOP_TIME);
		return false;
	}
	slot->start = now;
	if (op != BLKGEN_OP_FLUSH)
		w->left--;
	w->submitted++;
	trace_blkgen_submit(bio);
	submit_bio(bio);

	return true;
}

/* Without a plug each I/O goes down on its own */
static void bio_plug(struct blkgen_worker *w, struct blk_plug *plug, unsigned int nr)
{
	if (w->job->par.batch < 2)
		return;
	blk_start_plug(plug);
	/* blk_start_plug_nr_ios() is not exported. Requests are allocated in bulk. */
	plug->nr_ios = min(nr, w->job->par.batch);
}

static void bio_unplug(struct blkgen_worker *w, struct blk_plug *plug)
{
	if (w->job->par.batch > 1)
		blk_finish_plug(plug);
}

/* Put the first par.qd I/Os in flight */
static void bio_fill(struct blkgen_worker *w)
{
	u32 i, batch = 0;
	struct blk_plug plug;

	for (i = 0; i < w->job->par.qd; i++) {
		if (!batch) {
			batch = w->job->par.batch;
			bio_plug(w, &plug, w->job->par.qd - i);
		}
		if (!bio_issue(w, &w->slot[i]))
			break;
		if (!--batch)
			bio_unplug(w, &plug);
	}
	if (batch)
		bio_unplug(w, &plug);
}

/* Count up to par.batch completions and submit as many; returns the others */
static struct llist_node *bio_cycle(struct blkgen_worker *w, struct llist_node *node,
				    unsigned int nr)
{
	u32 batch = w->job->par.batch;
	struct blk_plug plug;

	bio_plug(w, &plug, nr);
	while (node && batch--) {
		struct blkgen_slot *slot = llist_entry(node, struct blkgen_slot, done);

		/* The slot may complete and be on the list again at once */
		node = node->next;
		blkgen_worker_account(w, slot);
		bio_issue(w, slot);
	}
	bio_unplug(w, &plug);

	return node;
}

static void bio_run(struct blkgen_worker *w)
{
	struct llist_node *node, *n;
	u32 i, nr;

	for (i = 0; i < w->job->par.qd; i++)
		bio_init(&w->slot[i].bio, NULL, NULL, 0, REQ_OP_READ);
	w->start_ns = ktime_get_ns();
	bio_fill(w);
	while ((node = blkgen_worker_wait(w))) {
		nr = 0;
		for (n = node; n; n = n->next)
			nr++;
		for (; node; nr -= min(nr, w->job->par.batch))
			node = bio_cycle(w, node, nr);
	}
	/* One that was made ready when the time was over has a cgroup */
	for (i = 0; i < w->job->par.qd; i++)
		bio_uninit(&w->slot[i].bio);
}

/* submit_bio() would fail each one */
static int bio_check(const struct blkgen_job *job)
{
	if (job->par.mix[BLKGEN_OP_TRIM] && !bdev_max_discard_sectors(job->bdev))
		return -EOPNOTSUPP;
	if (job->par.mix[BLKGEN_OP_ZEROES] && !bdev_write_zeroes_sectors(job->bdev))
		return -EOPNOTSUPP;

	return 0;
}

const struct blkgen_engine_ops blkgen_engine_bio = {
	.ops = BIT_ULL(BLKGEN_OP_READ) | BIT_ULL(BLKGEN_OP_WRITE) |
	       BIT_ULL(BLKGEN_OP_TRIM) | BIT_ULL(BLKGEN_OP_ZEROES),
	.check = bio_check,
	.run = bio_run,
};
