// SPDX-License-Identifier: GPL-2.0
/*
 * Run plain loads for engine_polled.c, as long as the device takes each I/O at its first
 * submission.
 */
#include "bio_plain.h"

/*
 * Poll with one of the bios in flight, and with another one at the next call: they may be in
 * different queues, and dm completes a bio only when that bio is polled.
 */
static void poll(struct blkgen_worker *w, u32 *turn)
{
	u32 left = w->job->par.qd;
	struct blkgen_slot *slot;
	DEFINE_IO_COMP_BATCH(iob);

	/* An interrupt may have completed I/Os that were in flight when the caller looked */
	do {
		if (++*turn >= w->job->par.qd)
			*turn = 0;
		slot = &w->slot[*turn];
	} while (READ_ONCE(slot->end) && --left);
	if (left) {
		bio_poll(&slot->bio, &iob, BLK_POLL_ONESHOT);
		if (iob.complete)
			iob.complete(&iob);
	}
	cond_resched();
	/* If the device does not answer, the deadline must still end the run */
	if (llist_empty(&w->done) && unlikely(ktime_get_ns() >= w->job->deadline))
		blkgen_job_stop(w->job, BLKGEN_STOP_TIME);
}

/*
 * Return true if a completion is to be counted. If the device did not take the I/O, put the slot
 * on @again and return false.
 */
static bool ends(struct blkgen_plain *p, struct blkgen_slot *slot, struct list_head *again,
		 u32 *nr_again)
{
	if (slot->bio.bi_status != BLK_STS_AGAIN) {
		p->w->unpolled += !(slot->bio.bi_opf & REQ_POLLED);
		return true;
	}
	list_add_tail(&slot->flying, again);
	(*nr_again)++;
	p->over = true;

	return false;
}

/*
 * Poll until an I/O has completed. Set @nr to the number of completions and return their slots in
 * the order in which they completed; return NULL if nothing is in flight.
 */
static __always_inline struct llist_node *take(struct blkgen_plain *p, u32 *turn, u32 *nr,
					       struct list_head *again, u32 *nr_again)
{
	struct llist_node *node, *next, *first = NULL;
	struct blkgen_worker *w = p->w;

	*nr = 0;
	while (!first && w->submitted - w->completed != *nr_again) {
		while (llist_empty(&w->done))
			poll(w, turn);
		for (node = llist_del_all(&w->done); node; node = next) {
			struct blkgen_slot *slot = llist_entry(node, struct blkgen_slot, done);

			next = node->next;
			if (unlikely(slot->bio.bi_status != BLK_STS_OK ||
				     !(slot->bio.bi_opf & REQ_POLLED)) &&
			    !ends(p, slot, again, nr_again))
				continue;
			node->next = first;
			first = node;
			(*nr)++;
		}
	}

	return first;
}

static __always_inline void polled_loop(struct blkgen_worker *w, struct list_head *again,
					const bool random)
{
	struct blkgen_plain p = blkgen_plain_init(w, REQ_POLLED | REQ_NOWAIT);
	u32 nr, turn = 0, nr_again = 0;
	struct llist_node *node;
	u32 i;

	for (i = 0; i < w->job->par.qd; i++)
		w->slot[i].end = U64_MAX;
	blkgen_plain_fill(&p, random, true);
	while ((node = take(&p, &turn, &nr, again, &nr_again))) {
		/* A dead device fails each I/O at once: rest, or this thread loops at full speed */
		if (unlikely(w->error_run > BLKGEN_ERROR_REST))
			schedule_timeout_idle(1);
		for (; node; nr -= min(nr, w->job->par.batch))
			node = blkgen_plain_cycle(&p, node, nr, random, true);
	}
}

/**
 * blkgen_polled_run_plain() - do all the I/O of a worker with a plain load
 * @w: worker, in its thread
 * @again: set to the slots whose I/O the device did not take and that are to be submitted again
 *
 * Returns when the run ends; or, with nothing in flight, when the device did not take an I/O:
 * then the caller continues the load with the general loop. Slots that are not in @again are
 * idle: their @end is 0.
 */
void blkgen_polled_run_plain(struct blkgen_worker *w, struct list_head *again)
{
	struct blkgen_slot *slot;
	u32 i;

	if (w->cur.pattern == BLKGEN_PATTERN_RANDOM)
		polled_loop(w, again, true);
	else
		polled_loop(w, again, false);
	for (i = 0; i < w->job->par.qd; i++)
		w->slot[i].end = 0;
	list_for_each_entry(slot, again, flying)
		slot->end = U64_MAX;
}
