// SPDX-License-Identifier: GPL-2.0
/*
 * Run plain loads with a rate for engine_bio.c. Their I/Os are due one after another, whatever
 * slot they get, so a stack of idle slots is sufficient.
 */
#include "bio_plain.h"
#include "idle.h"

static __always_inline void put(struct llist_node **idle, struct blkgen_slot *slot)
{
	slot->done.next = *idle;
	*idle = &slot->done;
}

static __always_inline struct blkgen_slot *take(struct llist_node **idle)
{
	struct blkgen_slot *slot = llist_entry(*idle, struct blkgen_slot, done);

	*idle = slot->done.next;

	return slot;
}

/* Count the I/Os that have completed. Return their number. */
static __always_inline u32 reap(struct blkgen_plain *p, struct llist_node **idle)
{
	struct llist_node *node;
	u32 nr;

	for (node = blkgen_worker_reap(p->w, &nr); node;) {
		struct blkgen_slot *slot = llist_entry(node, struct blkgen_slot, done);

		node = node->next;
		blkgen_plain_account(p, slot, true);
		put(idle, slot);
	}
	blkgen_plain_count(p, nr, 0);

	return nr;
}

/* Submit the I/Os that are due, up to a batch and to @max. Return their number. */
static __always_inline u32 submit_due(struct blkgen_plain *p, struct llist_node **idle, u32 max,
				      const bool random)
{
	struct blkgen_worker *w = p->w;
	const struct blkgen_params *par = &w->job->par;
	const u32 units = par->set.flags & BLKGEN_SETUP_RATE_BYTES ? p->bytes : 1;
	u32 n = blkgen_plain_begin(p, min(max, par->batch));
	u64 end = min(p->now + 1, w->job->deadline);
	bool ramp = w->pacer.next < p->measure_ns;
	struct blk_plug plug;

	/* Either all I/Os of this batch are in the ramp, or none of them */
	if (ramp)
		end = min(end, p->measure_ns);
	if (!n || w->pacer.next >= end)
		return 0;
	max = n;
	if (w->submitted == w->completed)
		w->busy_ns = p->now;
	blkgen_bio_plug(w, &plug, par->batch);
	do {
		struct blkgen_slot *slot = take(idle);

		slot->start = w->pacer.next;
		blkgen_pacer_advance(&w->pacer, units);
		blkgen_plain_issue(p, slot, random, false, true);
	} while (--n && w->pacer.next < end);
	blkgen_bio_unplug(w, &plug);
	n = max - n;
	if (likely(!ramp))
		w->left -= n;
	else
		blkgen_worker_in_ramp(w);
	blkgen_plain_count(p, 0, n);

	return n;
}

static __always_inline void paced_loop(struct blkgen_worker *w, const bool random)
{
	struct blkgen_plain p = blkgen_plain_init(w, 0);
	struct llist_node *free = NULL;
	u32 any, sent, nr_free = w->job->par.qd;
	struct blkgen_idle idle;
	u32 i;

	for (i = nr_free; i--;)
		put(&free, &w->slot[i]);
	do {
		do {
			nr_free += reap(&p, &free);
			any = 0;
			while (nr_free && (sent = submit_due(&p, &free, nr_free, random))) {
				nr_free -= sent;
				any += sent;
			}
		} while (any);
		idle.first = free ? llist_entry(free, struct blkgen_slot, done) : NULL;
	} while (blkgen_idle_wait(w, &idle));
	blkgen_idle_end(w);
}

/**
 * blkgen_bio_run_plain_paced() - do all the I/O of a worker with a plain load that has a rate
 * @w: worker, in its thread
 */
void blkgen_bio_run_plain_paced(struct blkgen_worker *w)
{
	if (w->cur.pattern == BLKGEN_PATTERN_RANDOM)
		paced_loop(w, true);
	else
		paced_loop(w, false);
}
