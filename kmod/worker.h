/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_WORKER_H
#define _BLKGEN_WORKER_H

#include <linux/bio.h>
#include <linux/cache.h>
#include <linux/llist.h>
#include <linux/timekeeping.h>
#include "job.h"
#include "pattern.h"
#include "stats.h"

struct task_struct;

/* Ops that carry data: reads and writes, the first ones */
#define BLKGEN_NR_DATA_OPS	(BLKGEN_OP_WRITE + 1)

/**
 * struct blkgen_slot - one of the I/Os a worker has in flight
 * @done: on the worker's list of completions
 * @worker: that owns it
 * @start: ns, right before submission
 * @end: ns, at bi_end_io
 * @op: what it does now
 * @vec: data of reads and of writes
 * @nr_vec: length of each @vec
 * @bio: used again and again
 */
struct blkgen_slot {
	struct llist_node done;
	struct blkgen_worker *worker;
	u64 start;
	u64 end;
	unsigned int op;
	unsigned short nr_vec[BLKGEN_NR_DATA_OPS];
	struct bio_vec *vec[BLKGEN_NR_DATA_OPS];
	struct bio bio;
};

/**
 * struct blkgen_worker - a kernel thread and all that is its own
 * @job: that it works for
 * @index: 0 .. nr_workers - 1
 * @task: the thread; holds a reference
 * @cur: where the next I/O goes
 * @mix: what it does
 * @left: I/Os that may still be submitted
 * @unflushed: I/Os other than reads since the last flush
 * @error_run: failures in a row
 * @submitted: I/Os
 * @completed: I/Os
 * @start_ns: first submission
 * @end_ns: last completion
 * @cpu_base: CPU time before START, ns
 * @stats: by op; NULL for ops not in the mix
 * @slot: par.qd of them
 * @sleeping: the thread wants to be woken by the next completion
 * @done: completed slots that the thread has not seen yet
 *
 * The thread is the only writer, but for @done, to which completions add from
 * any context. @done and @sleeping have a cache line of their own.
 */
struct blkgen_worker {
	struct blkgen_job *job;
	unsigned int index;
	struct task_struct *task;
	struct blkgen_cursor cur;
	struct blkgen_mix mix;
	u64 left;
	u32 unflushed;
	u32 error_run;
	u64 submitted;
	u64 completed;
	u64 start_ns;
	u64 end_ns;
	u64 cpu_base;
	struct blkgen_stats *stats[BLKGEN_NR_OPS];
	struct blkgen_slot *slot;

	struct llist_head done ____cacheline_aligned;
	bool sleeping;
};

struct blkgen_worker *blkgen_worker_create(struct blkgen_job *job, unsigned int index);
void blkgen_worker_stop(struct blkgen_worker *w);
void blkgen_worker_free(struct blkgen_worker *w);
void blkgen_worker_info(const struct blkgen_worker *w, struct blkgen_worker_info *info);
struct llist_node *blkgen_worker_wait(struct blkgen_worker *w);
void blkgen_worker_fail(struct blkgen_worker *w, struct blkgen_slot *slot,
			blk_status_t status);
void blkgen_slot_done(struct blkgen_slot *slot);

/* Is the next I/O a flush? */
static inline bool blkgen_worker_flush_due(const struct blkgen_worker *w)
{
	return unlikely(w->job->par.flush_every && w->unflushed >= w->job->par.flush_every);
}

/* May another I/O be submitted? Time is checked where the clock is read. */
static inline bool blkgen_worker_more(const struct blkgen_worker *w)
{
	return (w->left || blkgen_worker_flush_due(w)) && !READ_ONCE(w->job->stop);
}

/**
 * blkgen_worker_account - count a completed I/O
 * @w: worker, in its thread
 * @slot: completed; not in flight any more
 */
static inline void blkgen_worker_account(struct blkgen_worker *w,
					 struct blkgen_slot *slot)
{
	blk_status_t status = slot->bio.bi_status;
	s64 lat = slot->end - slot->start;

	w->completed++;
	w->end_ns = slot->end;
	if (unlikely(status != BLK_STS_OK)) {
		blkgen_worker_fail(w, slot, status);
		return;
	}
	w->error_run = 0;
	/* Clocks of two CPUs may differ by a hair */
	blkgen_stats_add(w->stats[slot->op], slot->op == BLKGEN_OP_FLUSH ? 0 : w->job->par.bs,
			 max_t(s64, lat, 0));
}

#endif /* _BLKGEN_WORKER_H */
