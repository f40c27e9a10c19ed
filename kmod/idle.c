// SPDX-License-Identifier: GPL-2.0
/*
 * Keep the slots that are not in flight. Slots are taken in the order in which they became idle,
 * which is also the order in which their think times end. Without a rate or think time, a slot is
 * taken at once, else when the clock says that its I/O is due.
 */
#include <linux/minmax.h>
#include "idle.h"

/**
 * blkgen_idle_init() - make all slots idle
 * @w: worker, in its thread
 * @idle: list of idle slots to set up
 */
void blkgen_idle_init(struct blkgen_worker *w, struct blkgen_idle *idle)
{
	u32 i;

	*idle = (struct blkgen_idle) {};
	for (i = 0; i < w->job->par.qd; i++)
		blkgen_idle_put(idle, &w->slot[i]);
}

/**
 * blkgen_idle_wait() - wait until an I/O is due or has completed
 * @w: worker, in its thread, without a plug
 * @idle: idle slots of @w
 *
 * Stops a paced run when its time is over, even if no I/O is due or completes; other runs check
 * the time with their next completion.
 *
 * Return: false if nothing is in flight, and nothing will be submitted any more
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
 * blkgen_idle_end() - set the end of a run that has a rate
 * @w: worker, in its thread
 *
 * Such a run lasts until the next I/O would have been due, but not past its time limit, unless its
 * last I/O completes later. So ten I/Os at one per second take ten seconds, although the last of
 * them may complete after nine seconds. The workers take turns, so the next I/O of the run is due
 * earlier than the next one of the worker that began last: by the lag of that worker. A run that
 * is stopped does not wait for its next I/O.
 */
void blkgen_idle_end(struct blkgen_worker *w)
{
	u64 end = w->pacer.next > w->pacer.lag ? w->pacer.next - w->pacer.lag : 0;
	u32 why = READ_ONCE(w->job->stop);

	end = min(end, w->job->deadline);
	if (why == BLKGEN_STOP_USER || why == BLKGEN_STOP_ERRORS)
		end = min(end, ktime_get_ns());
	if (w->job->par.set.rate && w->end_ns && end > w->end_ns)
		w->end_ns = end;
}
