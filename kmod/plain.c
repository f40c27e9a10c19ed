// SPDX-License-Identifier: GPL-2.0
/*
 * Run plain loads with a fast path. A plain load has one op and one size, is random or sequential,
 * submits in batches, and has no feature that needs work for each I/O beside its latency and its
 * rate. All slots are the same except for the sector, and work that is the same for all I/Os of a
 * batch is done once. Other loads take the general path of bio.h and worker.h. So does a single I/O
 * that turns out not to be plain, for example because it failed, ended a stall, or began in the
 * ramp.
 */
#include <linux/list.h>
#include <linux/rcupdate.h>
#include "bio.h"
#include "compat.h"
#include "idle.h"
#include "plain.h"
#include "rearm.h"
#include "trace.h"
#include "worker.h"

/**
 * struct plain - local variables of the loop of a plain load
 * @w: worker
 * @idle: slots that are not in flight
 * @again: polled loads: slots whose I/O the device did not take; else NULL
 * @nr_again: length of @again; if it is not 0, no more I/Os are submitted
 * @turn: polled loads: index of the slot that was polled last
 * @bdev: block device
 * @opf: op and flags of all bios
 * @random: true if the pattern is BLKGEN_PATTERN_RANDOM
 * @units: units of the rate that an I/O uses: 1, or its bytes
 * @mult: converts the clock of completions to ns
 * @now: start of the batch
 * @bytes: size of all I/Os
 * @first_sector: first sector of the range
 * @stall_ns: a longer time without completions is a stall
 * @measure_ns: CLOCK_MONOTONIC at the end of the ramp
 * @last_ns: time of the last completion, ns
 * @st: statistics of the op
 * @hist: histogram of latencies in @st
 * @service: histogram of service times in @st, if the load has a rate
 *
 * The functions of the loop take two constants: @paced is true if the load has a rate, @polled if
 * the worker polls. So the compiler makes a separate loop for each combination that is used.
 */
struct plain {
	struct blkgen_worker *w;
	struct blkgen_idle *idle;
	struct list_head *again;
	u32 nr_again;
	u32 turn;
	struct block_device *bdev;
	blk_opf_t opf;
	bool random;
	u32 units;
	u64 mult;
	struct blkgen_now now;
	u32 bytes;
	u64 first_sector;
	s64 stall_ns;
	u64 measure_ns;
	u64 last_ns;
	struct blkgen_stats *st;
	struct blkgen_hist *hist;
	struct blkgen_hist *service;
};

/**
 * blkgen_plain_can() - find out if a worker's load is plain
 * @w: worker
 *
 * A plain load has no feature that needs work for each I/O beside its latency and its rate. A new
 * feature that needs such work must be added here.
 *
 * Return: true if it is
 */
bool blkgen_plain_can(const struct blkgen_worker *w)
{
	const struct blkgen_params *par = &w->job->par;

	return w->mix.only >= 0 && w->mix.only < BLKGEN_NR_DATA_OPS && par->batch > 1 &&
	       !par->flush_every && !par->sizes && !par->verify && !w->streams &&
	       !par->set.think_ns &&
	       (w->cur.pattern == BLKGEN_PATTERN_SEQ || w->cur.pattern == BLKGEN_PATTERN_RANDOM);
}

static struct plain plain_init(struct blkgen_worker *w, struct blkgen_idle *idle,
			       struct list_head *again)
{
	const struct blkgen_params *par = &w->job->par;
	const unsigned int op = w->mix.only;
	struct plain p = {
		.w = w,
		.idle = idle,
		.again = again,
		.bdev = w->job->bdev,
		.opf = blkgen_bio_opf[op] | (again ? REQ_POLLED | REQ_NOWAIT : 0),
		.random = w->cur.pattern == BLKGEN_PATTERN_RANDOM,
		.units = par->set.flags & BLKGEN_SETUP_RATE_BYTES ? par->bs : 1,
		.mult = w->mult,
		.bytes = par->bs,
		.first_sector = par->first_sector,
		.stall_ns = par->stall_ns,
		.measure_ns = w->job->measure_ns,
		.last_ns = w->last_ns,
		.st = w->stats[op],
		.hist = w->stats[op]->lat,
		.service = w->stats[op]->service,
	};

	if (op == BLKGEN_OP_WRITE && par->fua)
		p.opf |= REQ_FUA;

	return p;
}

static void plain_init_slots(struct blkgen_worker *w, bool polled)
{
	const unsigned int op = w->mix.only;
	u32 i;

	for (i = 0; i < w->job->par.qd; i++) {
		struct blkgen_slot *slot = &w->slot[i];

		slot->op = op;
		slot->bytes = w->job->par.bs;
		slot->bio.bi_io_vec = slot->vec[op];
		slot->bio.bi_vcnt = slot->nr_vec[op];
		slot->bio.bi_max_vecs = slot->nr_vec[op];
		/* This tells plain_poll() that the slot is not in flight yet */
		if (polled)
			slot->end = U64_MAX;
	}
}

/* Read the clock and check the limits. Return how many I/Os may be submitted, up to a batch. */
static __always_inline u32 plain_begin(struct plain *p)
{
	struct blkgen_worker *w = p->w;

	if (p->nr_again || READ_ONCE(w->job->stop) || !blkgen_bio_now(w, &p->now))
		return 0;

	return min3((u64)p->idle->nr, (u64)w->job->par.batch, w->left);
}

static __always_inline u64 plain_sector(struct plain *p)
{
	struct blkgen_cursor *cur = &p->w->cur;
	u64 place = cur->pos;

	cur->pos += cur->step;
	if (p->random)
		place = blkgen_perm_at(&cur->perm, place);
	if (unlikely(cur->pos >= cur->end))
		blkgen_cursor_wrap(cur);

	return p->first_sector + place * cur->unit;
}

/* Submit the next I/O with the idle @slot. It was due at @due, ns. */
static __always_inline void plain_issue(struct plain *p, struct blkgen_slot *slot, u64 due,
					const bool polled)
{
	struct bio *bio = &slot->bio;

	blkgen_bio_rearm(bio, p->bdev, p->opf, &p->w->like);
	bio->bi_iter.bi_sector = plain_sector(p);
	bio->bi_iter.bi_size = p->bytes;
	bio->bi_end_io = p->w->end_io;
	slot->start = due;
	slot->sent = p->now.ns;
	/* This pairs with worker_oldest(), as in blkgen_worker_begin() */
	smp_wmb();
	WRITE_ONCE(slot->cycles, p->now.cycles);
	if (polled) {
		/*
		 * With a cookie of 0, bio_poll() would poll a queue that has interrupts: see
		 * blkgen_bio_make_polled()
		 */
		bio->bi_cookie = BLK_QC_T_NONE;
		slot->sector = bio->bi_iter.bi_sector;
		WRITE_ONCE(slot->end, 0);
	}
	p->w->submitted++;
	trace_blkgen_submit(bio);
	submit_bio(bio);
}

/*
 * Submit up to a batch of I/Os: with a rate, submit only those whose time has come; without a rate,
 * submit one for each idle slot. Return false if there was no I/O to submit.
 */
static __always_inline bool plain_submit(struct plain *p, const bool paced, const bool polled)
{
	u32 n = plain_begin(p), max = n;
	struct blkgen_worker *w = p->w;
	u64 due = paced ? w->pacer.next : p->now.ns;
	u64 end = min(p->now.ns + 1, w->job->deadline);
	bool ramp = due < p->measure_ns;
	struct blk_plug plug;

	/* A batch counts for the limits as a whole or not at all, so the ramp must not end in it */
	if (ramp)
		end = min(end, p->measure_ns);
	if (!n || due >= end)
		return false;
	if (w->submitted == w->completed)
		w->busy_ns = p->now.ns;
	blkgen_bio_plug(w, &plug, n);
	do {
		plain_issue(p, blkgen_idle_pop(p->idle), due, polled);
		if (paced) {
			blkgen_pacer_advance(&w->pacer, p->units);
			due = w->pacer.next;
		}
	} while (--n && (!paced || due < end));
	blkgen_bio_unplug(w, &plug);
	if (likely(!ramp))
		w->left -= max - n;
	else
		blkgen_worker_in_ramp(w);

	return true;
}

/*
 * Do the part of blkgen_worker_account() that each I/O needs; the rest is done once per batch. If
 * the I/O is not plain, do nothing and return false.
 */
static __always_inline bool plain_account(struct plain *p, struct blkgen_slot *slot,
					  const bool paced, const bool polled)
{
	u64 took = blkgen_cycles_to_ns(slot->end - slot->cycles, p->mult);
	u64 end = slot->sent + took, lat = end - slot->start;

	/*
	 * The clocks of two CPUs may differ slightly. A time that is negative for this reason is a
	 * large unsigned number here, so plain_not() has to account for the I/O.
	 */
	if (unlikely((lat >> BLKGEN_HIST_ORDER | took >> BLKGEN_LONG_ORDER) ||
		     slot->start < p->measure_ns ||
		     (s64)(end - p->last_ns) > p->stall_ns || slot->bio.bi_status != BLK_STS_OK ||
		     (polled && !(slot->bio.bi_opf & REQ_POLLED))))
		return false;
	p->last_ns = end;
	p->w->end_ns = end;
	p->w->error_run = 0;
	/* Both times are within the range of the histograms */
	blkgen_hist_count(p->hist, lat, loglin_index(lat, BLKGEN_HIST_BITS));
	if (paced)
		blkgen_hist_count(p->service, took, loglin_index(took, BLKGEN_HIST_COARSE));

	return true;
}

/*
 * Account for an I/O that is not plain. If the device did not take a polled I/O, put the slot on
 * @again and return false.
 */
static noinline bool plain_not(struct plain *p, struct blkgen_slot *slot)
{
	if (p->again && slot->bio.bi_status == BLK_STS_AGAIN) {
		list_add_tail(&slot->flying, p->again);
		p->nr_again++;
		return false;
	}
	if (p->again && !(slot->bio.bi_opf & REQ_POLLED))
		p->w->unpolled++;
	blkgen_bio_settle(p->w, slot);
	p->w->last_ns = p->last_ns;
	blkgen_worker_account(p->w, slot);
	p->last_ns = p->w->last_ns;

	return true;
}

static __always_inline void plain_count(struct plain *p, u32 n)
{
	p->w->completed += n;
	p->st->ios += n;
	p->st->bytes += (u64)n * p->bytes;
}

/* Count the I/Os that have completed, and make their slots idle */
static __always_inline void plain_reap(struct plain *p, const bool paced, const bool polled)
{
	struct blkgen_worker *w = p->w;
	struct blkgen_idle done = {};
	struct llist_node *node;
	u32 n = 0;

	for (node = blkgen_worker_reap(w); node;) {
		struct blkgen_slot *slot = llist_entry(node, struct blkgen_slot, done);

		node = node->next;
		if (likely(plain_account(p, slot, paced, polled))) {
			n++;
		} else {
			/*
			 * If this I/O ends a stall, the number of I/Os in flight is noted: count
			 * the I/Os before this one now, as they are not in flight any more
			 */
			plain_count(p, n);
			n = 0;
			if (!plain_not(p, slot))
				continue;
		}
		blkgen_idle_put(&done, slot);
	}
	blkgen_idle_splice(p->idle, &done);
	w->last_ns = p->last_ns;
	plain_count(p, n);
}

/* Poll with another of the bios in flight at each call, for the reasons given at polled_poll() */
static void plain_poll(struct plain *p)
{
	struct blkgen_worker *w = p->w;
	u32 left = w->job->par.qd;
	struct blkgen_slot *slot;

	/* Interrupts may have completed all I/Os since the caller looked: then no slot is found */
	do {
		if (++p->turn >= w->job->par.qd)
			p->turn = 0;
		slot = &w->slot[p->turn];
	} while (READ_ONCE(slot->end) && --left);
	if (left)
		blkgen_bio_poll(w, &slot->bio);
	/* This thread does not sleep, so it must report to RCU Tasks, which waits for it */
	cond_resched_tasks_rcu_qs();
}

/* Wait until an I/O is due or has completed. Return false if the loop is over. */
static __always_inline bool plain_wait(struct plain *p, const bool polled)
{
	struct blkgen_worker *w = p->w;

	if (!polled)
		return blkgen_idle_wait(w, p->idle);
	if (w->submitted - w->completed == p->nr_again)
		return false;
	while (llist_empty(&w->done))
		plain_poll(p);

	return true;
}

static __always_inline void plain_loop(struct plain *p, const bool paced, const bool polled)
{
	do {
		plain_reap(p, paced, polled);
		while (p->idle->nr && plain_submit(p, paced, polled))
			;
	} while (plain_wait(p, polled));
}

/**
 * blkgen_plain_run() - do the I/O of a worker with a plain load
 * @w: worker, in its thread, of which nothing has been in flight
 * @idle: set to the slots that are idle at the end
 * @again: NULL, or an empty list if the worker polls and its load has no rate: set to the slots
 *	whose I/O the device did not take and that are to be submitted again
 *
 * Returns when the run has ended and nothing is in flight. A polled run also returns, with nothing
 * in flight, after the device did not take an I/O: then the caller continues the load with the
 * general loop.
 */
void blkgen_plain_run(struct blkgen_worker *w, struct blkgen_idle *idle, struct list_head *again)
{
	struct plain p = plain_init(w, idle, again);
	struct blkgen_slot *slot;

	plain_init_slots(w, again);
	blkgen_idle_init(w, idle);
	if (again)
		plain_loop(&p, false, true);
	else if (w->job->par.set.rate)
		plain_loop(&p, true, false);
	else
		plain_loop(&p, false, false);
	/* These I/Os are submitted again, so they count as in flight: see worker_oldest() */
	if (again)
		list_for_each_entry(slot, again, flying)
			slot->end = 0;
}
