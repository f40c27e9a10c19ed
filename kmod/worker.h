/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_WORKER_H
#define _BLKGEN_WORKER_H

#include <linux/bio.h>
#include <linux/cache.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include "job.h"
#include "pacing.h"
#include "pattern.h"
#include "stats.h"

struct task_struct;

/* After so many failures in a row a worker takes a rest before each batch */
#define BLKGEN_ERROR_REST	16

/* Ops that carry data: reads and writes, the first ones */
#define BLKGEN_NR_DATA_OPS	(BLKGEN_OP_WRITE + 1)

/**
 * struct blkgen_slot - one of the I/Os a worker has in flight
 * @done: on the worker's list of completions; then, if I/Os come by the clock, on
 *	that of idle slots
 * @flying: in flight, for an engine that has to know which are
 * @worker: that owns it
 * @start: ns, when it was due; if nothing says when, @sent
 * @sent: ns, right before submission
 * @end: ns, at bi_end_io; of a plain load cycles, up to when it is counted
 * @cycles: at @start, of a plain load
 * @sector: on the device; not of a flush
 * @bytes: 0 of a flush
 * @op: what it does now
 * @stream: statistics of its stream, or NULL
 * @vec: data of reads and of writes
 * @nr_vec: length of each @vec
 * @bio: used again and again
 */
struct blkgen_slot {
	struct llist_node done;
	struct list_head flying;
	struct blkgen_worker *worker;
	u64 start;
	u64 sent;
	u64 end;
	u64 cycles;
	u64 sector;
	u32 bytes;
	unsigned int op;
	struct blkgen_stats *stream;
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
 * @cur_reads: where the next read goes, if reads go apart
 * @mix: what it does
 * @size_rng: state of the draw of sizes
 * @pacer: when it is due, if there is a rate
 * @left: I/Os that may still be submitted
 * @why: the limit that @left comes from
 * @bytes_left: of those, if sizes differ and bytes are limited; else U64_MAX
 * @unflushed: I/Os other than reads since the last flush
 * @error_run: failures in a row
 * @unpolled: I/Os that were to be polled, and completed by interrupt
 * @submitted: I/Os
 * @completed: I/Os
 * @start_ns: first submission, or the end of the ramp
 * @end_ns: last completion that counts
 * @last_ns: last completion
 * @busy_ns: when there was something in flight again
 * @cpu_base: CPU time before START, or up to the last I/O of the ramp, ns
 * @ramp_passes: passes that were over then
 * @stats: by op; NULL for ops not in the mix
 * @streams: statistics of its streams; NULL unless they were asked for
 * @stream: cursors of its streams, or NULL
 * @slot: par.qd of them
 * @like: never submitted; has the device and cgroup of those that are
 * @nr_stalls: there were
 * @stall: the first ones
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
	struct blkgen_cursor cur_reads;
	struct blkgen_mix mix;
	u64 size_rng;
	struct blkgen_pacer pacer;
	u64 left;
	enum blkgen_stop why;
	u64 bytes_left;
	u32 unflushed;
	u32 error_run;
	u64 unpolled;
	u64 submitted;
	u64 completed;
	u64 start_ns;
	u64 end_ns;
	u64 last_ns;
	u64 busy_ns;
	u64 cpu_base;
	u64 ramp_passes;
	struct blkgen_stats *stats[BLKGEN_NR_OPS];
	struct blkgen_stats **streams;
	struct blkgen_stream *stream;
	struct blkgen_slot *slot;
	struct bio like;
	u32 nr_stalls;
	struct blkgen_stall stall[BLKGEN_NR_STALLS];

	struct llist_head done ____cacheline_aligned;
	bool sleeping;
};

struct blkgen_worker *blkgen_worker_create(struct blkgen_job *job, unsigned int index);
void blkgen_worker_stop(struct blkgen_worker *w);
void blkgen_worker_free(struct blkgen_worker *w);
void blkgen_worker_info(const struct blkgen_worker *w, struct blkgen_worker_info *info);
struct llist_node *blkgen_worker_wait(struct blkgen_worker *w, u32 *nr);
struct llist_node *blkgen_worker_reap(struct blkgen_worker *w, u32 *nr);
void blkgen_worker_wait_due(struct blkgen_worker *w, u64 due);
void blkgen_worker_stalled(struct blkgen_worker *w, u64 end);
void blkgen_worker_spent(struct blkgen_worker *w, struct blkgen_slot *slot);
void blkgen_worker_fail(struct blkgen_worker *w, struct blkgen_slot *slot,
			blk_status_t status);
void blkgen_worker_mismatch(struct blkgen_worker *w, struct blkgen_slot *slot);

/* llist_add(), which is a call on older kernels. Returns whether the list was empty. */
static __always_inline bool blkgen_llist_add(struct llist_node *node, struct llist_head *list)
{
	struct llist_node *first = READ_ONCE(list->first);

	do {
		WRITE_ONCE(node->next, first);
	} while (!try_cmpxchg(&list->first, &first, node));

	return !first;
}

/**
 * blkgen_slot_done - hand a completed I/O to its worker
 * @slot: not touched any more by the caller
 *
 * Any context. As soon as the slot is on the list the worker can take it, be
 * done and be freed; only the RCU grace period in blkgen_job_free(), which waits
 * for regions with preemption off, keeps it until it was woken.
 */
static __always_inline void blkgen_slot_done(struct blkgen_slot *slot)
{
	struct blkgen_worker *w = slot->worker;

	preempt_disable();
	/* The list is ordered before the look at sleeping */
	if (blkgen_llist_add(&slot->done, &w->done) && READ_ONCE(w->sleeping))
		wake_up_process(w->task);
	preempt_enable();
}

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
 * blkgen_worker_aim - say what the next I/O does, and where
 * @w: worker, in its thread
 * @slot: free; its op, bytes, sector and stream are set
 */
static inline void blkgen_worker_aim(struct blkgen_worker *w, struct blkgen_slot *slot)
{
	const struct blkgen_params *par = &w->job->par;
	const struct blkgen_sizes *sizes = par->sizes;
	struct blkgen_cursor *cur = &w->cur;

	if (blkgen_worker_flush_due(w)) {
		w->unflushed = 0;
		slot->op = BLKGEN_OP_FLUSH;
		slot->bytes = 0;
		slot->stream = NULL;
		return;
	}
	slot->op = blkgen_mix_next(&w->mix);
	w->unflushed += slot->op != BLKGEN_OP_READ;
	slot->bytes = par->bs;
	if (unlikely(sizes))
		slot->bytes = sizes->bytes[blkgen_alias_draw(&sizes->alias, &w->size_rng)];
	slot->stream = w->streams ? w->streams[w->cur.turn] : NULL;
	if (unlikely(par->apart) && slot->op == BLKGEN_OP_READ)
		cur = &w->cur_reads;
	slot->sector = par->first_sector + blkgen_cursor_next(cur, slot->bytes >> SECTOR_SHIFT);
	if (unlikely(par->verify))
		blkgen_verify_prepare(w->job, slot);
}

/**
 * blkgen_worker_in_ramp - nothing counts of what was done up to now
 * @w: worker, in its thread, which submits an I/O in the ramp
 */
static inline void blkgen_worker_in_ramp(struct blkgen_worker *w)
{
	WRITE_ONCE(w->cpu_base, current->se.sum_exec_runtime);
	w->unpolled = 0;
	w->ramp_passes = w->cur.pass;
}

/**
 * blkgen_worker_begin - an I/O is submitted right after this
 * @w: worker, in its thread
 * @slot: aimed
 * @now: ns
 * @due: ns, when it was due; 0: now
 */
static inline void blkgen_worker_begin(struct blkgen_worker *w, struct blkgen_slot *slot,
				       u64 now, u64 due)
{
	slot->sent = now;
	slot->start = due ?: now;
	if (w->submitted == w->completed)
		w->busy_ns = now;
	w->submitted++;
	if (unlikely(slot->start < w->job->measure_ns)) {
		blkgen_worker_in_ramp(w);
		return;
	}
	if (slot->op != BLKGEN_OP_FLUSH)
		w->left--;
	if (unlikely(w->job->par.limited))
		blkgen_worker_spent(w, slot);
}

/**
 * blkgen_worker_begin_now - the same, unless the time is over
 * @w: worker, in its thread
 * @slot: aimed, and ready to go
 * @due: ns, when it was due; 0: now
 *
 * Returns false if it is, and the slot stays free.
 */
static inline bool blkgen_worker_begin_now(struct blkgen_worker *w, struct blkgen_slot *slot,
					   u64 due)
{
	u64 now = ktime_get_ns();

	if (unlikely(now >= w->job->deadline)) {
		blkgen_job_stop(w->job, BLKGEN_STOP_TIME);
		return false;
	}
	blkgen_worker_begin(w, slot, now, due);

	return true;
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

	/* Clocks of two CPUs may differ by a hair */
	lat = max_t(s64, lat, 0);
	w->completed++;
	if (unlikely((s64)(slot->end - w->last_ns) > (s64)w->job->par.stall_ns))
		blkgen_worker_stalled(w, slot->end);
	w->last_ns = slot->end;
	if (unlikely(status != BLK_STS_OK)) {
		blkgen_worker_fail(w, slot, status);
		return;
	}
	w->error_run = 0;
	if (unlikely(w->job->par.verify && slot->op == BLKGEN_OP_READ) &&
	    !blkgen_verify_read(w->job, slot)) {
		blkgen_worker_mismatch(w, slot);
		return;
	}
	if (unlikely(slot->start < w->job->measure_ns))
		return;
	w->end_ns = slot->end;
	blkgen_stats_add(w->stats[slot->op], slot->bytes, lat);
	if (w->stats[slot->op]->service)
		blkgen_stats_add_service(w->stats[slot->op],
					 max_t(s64, slot->end - slot->sent, 0));
	if (slot->stream)
		blkgen_stats_add_coarse(slot->stream, slot->bytes, lat);
}

#endif /* _BLKGEN_WORKER_H */
