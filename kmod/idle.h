/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_IDLE_H
#define _BLKGEN_IDLE_H

#include "worker.h"

/**
 * struct blkgen_idle - list of the slots that are not in flight
 * @nr: number of slots in the list
 * @first: slot that has been idle for the longest time, or NULL
 * @last: slot that became idle last; only valid if @first is not NULL
 */
struct blkgen_idle {
	u32 nr;
	struct blkgen_slot *first;
	struct blkgen_slot *last;
};

void blkgen_idle_init(struct blkgen_worker *w, struct blkgen_idle *idle);
bool blkgen_idle_wait(struct blkgen_worker *w, struct blkgen_idle *idle);
void blkgen_idle_end(struct blkgen_worker *w);

/**
 * blkgen_idle_put() - put a slot in the list, because it is not in flight any more
 * @idle: list
 * @slot: slot, which is in no list of completions or idle slots
 */
static inline void blkgen_idle_put(struct blkgen_idle *idle, struct blkgen_slot *slot)
{
	idle->nr++;
	slot->done.next = NULL;
	if (idle->first)
		idle->last->done.next = &slot->done;
	else
		idle->first = slot;
	idle->last = slot;
}

/**
 * blkgen_idle_splice() - put all slots of another list in the list, behind those that are there
 * @idle: list
 * @more: the other list, which may be empty; not to be used any more
 */
static inline void blkgen_idle_splice(struct blkgen_idle *idle, const struct blkgen_idle *more)
{
	if (!more->nr)
		return;
	idle->nr += more->nr;
	if (idle->first)
		idle->last->done.next = &more->first->done;
	else
		idle->first = more->first;
	idle->last = more->last;
}

/**
 * blkgen_idle_pop() - take the slot that has been idle for the longest time
 * @idle: list, not empty
 *
 * Return: the slot
 */
static inline struct blkgen_slot *blkgen_idle_pop(struct blkgen_idle *idle)
{
	struct blkgen_slot *slot = idle->first;

	idle->nr--;
	idle->first = slot->done.next ? llist_entry(slot->done.next, struct blkgen_slot, done) :
		      NULL;

	return slot;
}

/**
 * blkgen_idle_next() - find out when the next I/O is due
 * @w: worker of a paced load, in its thread
 * @idle: idle slots of @w
 *
 * Return: CLOCK_MONOTONIC in ns: a time in the past if it is due as soon as possible, U64_MAX if
 *	   no slot is idle
 */
static inline u64 blkgen_idle_next(const struct blkgen_worker *w, const struct blkgen_idle *idle)
{
	if (!idle->first)
		return U64_MAX;
	if (w->job->par.set.rate)
		return w->pacer.next;

	/* A slot that was never in flight has an @end of 0: no think time precedes its first I/O */
	if (!idle->first->end)
		return 0;

	return idle->first->end + w->job->par.set.think_ns;
}

/**
 * blkgen_idle_take() - take an idle slot if an I/O is due
 * @w: worker, in its thread
 * @idle: idle slots of @w
 * @now: current time, ns; unused if the load is not paced
 * @due: set to the time when the latency of the I/O begins, ns; 0: at submission
 *
 * Without a rate or think time, an I/O is always due. A flush has no time of its own in the
 * timetable: it is due at once.
 *
 * Return: a slot, or NULL
 */
static inline struct blkgen_slot *blkgen_idle_take(struct blkgen_worker *w,
						   struct blkgen_idle *idle, u64 now, u64 *due)
{
	u64 next;

	*due = 0;
	if (!idle->first)
		return NULL;
	if (w->job->par.paced && !blkgen_worker_flush_due(w)) {
		next = blkgen_idle_next(w, idle);
		if (next > now || next >= w->job->deadline)
			return NULL;
		if (w->job->par.set.rate)
			*due = next;
	}

	return blkgen_idle_pop(idle);
}

/**
 * blkgen_idle_advance() - move the pacer on, after an I/O was submitted
 * @w: worker, in its thread
 * @slot: slot of the I/O
 */
static inline void blkgen_idle_advance(struct blkgen_worker *w, const struct blkgen_slot *slot)
{
	if (w->job->par.set.rate && slot->op != BLKGEN_OP_FLUSH)
		blkgen_pacer_advance(&w->pacer, w->job->par.set.flags & BLKGEN_SETUP_RATE_BYTES ?
				     slot->bytes : 1);
}

#endif /* _BLKGEN_IDLE_H */
