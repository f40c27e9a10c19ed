// SPDX-License-Identifier: GPL-2.0
/*
 * Slots that are not in flight: they are taken in the order in which they became idle.
 * That is at once, or by the clock: at a rate, or after a time to think, which is over
 * in the same order.
 */
#include <linux/minmax.h>
#include "idle.h"

/**
 * blkgen_idle_init - all slots are idle
 * @w: worker, in its thread
 * @idle: to set up
 */
void blkgen_idle_init(struct blkgen_worker *w, struct blkgen_idle *idle)
{
	u32 i;

	*idle = (struct blkgen_idle) {};
	for (i = 0; i < w->job->par.qd; i++)
		blkgen_idle_put(idle, &w->slot[i]);
}

/**
 * blkgen_idle_wait - wait until something is due or has completed
 * @w: worker, in its thread, without a plug
 * @idle: its idle slots
 *
 * Stops a run by the clock when its time is over, though nothing may be due or come
 * back; others look at it with their next completion. Returns false if there is
 * nothing in flight, and will be nothing.
 */
bool blkgen_idle_wait(struct blkgen_worker *w, struct blkgen_idle *idle)
{
	u64 due, deadline = w->job->deadline;

	if (!w->job->par.paced || !blkgen_worker_more(w)) {
		if (w->submitted == w->completed)
			return false;
		blkgen_worker_wait_due(w, U64_MAX);
		return true;
	}
	due = blkgen_idle_next(w, idle);
	if (due < deadline)
		deadline = due;
	else if (ktime_get_ns() >= deadline)
		blkgen_job_stop(w->job, BLKGEN_STOP_TIME);
	blkgen_worker_wait_due(w, deadline);

	return true;
}

/**
 * blkgen_idle_end - the run is over
 * @w: worker, in its thread
 *
 * Each I/O of a timetable stands for the time up to the next one: ten of them at
 * one a second take ten seconds, though the last may be done after nine.
 */
void blkgen_idle_end(struct blkgen_worker *w)
{
	u64 end = min(w->pacer.next, w->job->deadline);

	if (w->job->par.set.rate && w->end_ns && end > w->end_ns)
		w->end_ns = end;
}
