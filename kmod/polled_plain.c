// SPDX-License-Identifier: GPL-2.0
/*
 * The loop of engine_polled.c for plain loads, as long as the device takes all I/Os
 * at once.
 */
#include "bio_plain.h"

/*
 * Look for completions where a bio is that is in flight, and where the next one is at
 * the next time: they may be in different queues, and dm ends a bio only when that one
 * is polled.
 */
static void poll(struct blkgen_worker *w, u32 *turn)
{
	u32 left = w->job->par.qd;
	struct blkgen_slot *slot;
	DEFINE_IO_COMP_BATCH(iob);

	/* An interrupt may end what was in flight when the caller looked */
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
	/* A device that does not answer is no reason to go on */
	if (llist_empty(&w->done) && unlikely(ktime_get_ns() >= w->job->deadline))
		blkgen_job_stop(w->job, BLKGEN_STOP_TIME);
}

/* Whether a completion is one to be counted. If not, it is put on @again. */
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
 * Poll until something has completed. Returns slots in the order in which they did
 * and sets @nr; or NULL if nothing is in flight.
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
		/* A dead device fails at once, at the speed of a loop */
		if (unlikely(w->error_run > BLKGEN_ERROR_REST))
			schedule_timeout_idle(1);
		for (; node; nr -= min(nr, w->job->par.batch))
			node = blkgen_plain_cycle(&p, node, nr, random, true);
	}
}

/**
 * blkgen_polled_run_plain - the life of a worker with a plain load
 * @w: worker, in its thread
 * @again: slots whose I/O was not taken and is to be submitted again go there
 *
 * Ends with the run; or, with nothing in flight, when an I/O was not taken: then the
 * load is to go on in another way. Slots that are not in @again are idle: their end
 * is 0.
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
