// SPDX-License-Identifier: GPL-2.0
/* Start and stop jobs. A job is a checked set of parameters, a device and its workers. */
#include <linux/atomic.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include "job.h"

/**
 * blkgen_job_start() - let the workers go
 * @job: job whose state is READY
 */
void blkgen_job_start(struct blkgen_job *job)
{
	job->start_ns = ktime_get_ns();
	if (check_add_overflow(job->start_ns, job->par.set.ramp_ns, &job->measure_ns))
		job->measure_ns = U64_MAX;
	/*
	 * A kernel timer does not accept a time above KTIME_MAX: treat such a deadline as no limit
	 */
	if (check_add_overflow(job->measure_ns, job->par.time_ns, &job->deadline) ||
	    job->deadline > KTIME_MAX)
		job->deadline = U64_MAX;
	atomic_set(&job->nr_running, job->par.nr_workers);
	/* A worker that sees @go also sees the stores above */
	smp_store_release(&job->go, true);
	wake_up_all(&job->gate);
}

/**
 * blkgen_job_stop() - make the workers submit no more I/O
 * @job: job whose state is RUNNING or DONE
 * @why: the reason, which is kept if it is the first one
 *
 * A worker sees the stop when it handles its next completion. Workers of a paced load may be
 * waiting for the clock instead, so they are woken.
 *
 * Context: any
 */
void blkgen_job_stop(struct blkgen_job *job, enum blkgen_stop why)
{
	unsigned int i;

	if (cmpxchg(&job->stop, BLKGEN_STOP_NONE, why) != BLKGEN_STOP_NONE || !job->par.paced)
		return;
	for (i = 0; i < job->par.nr_workers; i++)
		wake_up_process(job->task[i]);
}

/**
 * blkgen_job_done() - end the run, called by the last worker
 * @job: job whose state is RUNNING until now, and DONE from here on
 * @why: the limit that the last worker reached; kept if nothing else stopped the run
 */
void blkgen_job_done(struct blkgen_job *job, enum blkgen_stop why)
{
	blkgen_job_stop(job, why);
	/*
	 * A thread that sees DONE sees all results. It may free the job, but not before
	 * blkgen_worker_stop() has ended this worker's thread.
	 */
	smp_store_release(&job->end_ns, ktime_get_ns());
	wake_up_all(job->wait);
}

/**
 * blkgen_job_state() - find out the state of a job
 * @job: job, or NULL
 *
 * Return: the state; BLKGEN_STATE_IDLE for NULL
 */
enum blkgen_state blkgen_job_state(const struct blkgen_job *job)
{
	if (!job)
		return BLKGEN_STATE_IDLE;
	if (!READ_ONCE(job->go))
		return BLKGEN_STATE_READY;
	/* This pairs with blkgen_job_done() */
	if (!smp_load_acquire(&job->end_ns))
		return BLKGEN_STATE_RUNNING;

	return BLKGEN_STATE_DONE;
}
