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

/* After this many failures in a row a worker rests before each batch */
#define BLKGEN_ERROR_REST	16

/* Only reads and writes carry data. They are the first ops, so this is the number of such ops. */
#define BLKGEN_NR_DATA_OPS	(BLKGEN_OP_WRITE + 1)

/**
 * struct blkgen_slot - one of the I/Os that a worker has in flight
 * @done: node in the worker's list of completions; afterwards, node in the list of idle slots
 * @flying: node in a list of the slots in flight, for an engine that has to find them
 * @worker: worker that owns the slot
 * @start: ns, when the I/O was due; without a rate the same as @sent
 * @sent: ns, right before submission; I/Os of a batch have the same
 * @end: at bi_end_io, in the unit of @cycles; 0: in flight, or never used; U64_MAX: not used yet by
 *	a polled plain load
 * @cycles: the clock of completions at @sent, see blkgen_bio_now(); 0: @end is in ns, as always
 *	with the engines sync and buffered
 * @sector: sector on the device; unused by a flush
 * @bytes: length of the I/O; 0 for a flush
 * @op: enum blkgen_op of the current I/O
 * @stream: statistics of the I/O's stream, or NULL
 * @vec: data buffers of reads and of writes
 * @nr_vec: length of each @vec
 * @bio: the bio, which is reused for each I/O of the slot
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
 * struct blkgen_worker - a kernel thread and everything that belongs to it alone
 * @job: job that the worker belongs to
 * @index: 0 .. nr_workers - 1
 * @task: the thread; the worker holds a reference to it
 * @cur: where the next I/O goes
 * @cur_reads: where the next read goes, if reads have a cursor of their own
 * @mix: draws the op of the next I/O
 * @size_rng: state of the random numbers that draw sizes
 * @pacer: when the next I/O is due, if there is a rate
 * @left: I/Os that may still be submitted
 * @why: the limit that set @left
 * @bytes_left: bytes that may still be submitted, if sizes differ and bytes are limited; else
 *	U64_MAX
 * @unflushed: I/Os other than reads since the last flush
 * @error_run: failures in a row
 * @unpolled: I/Os that were submitted as polled, but completed by interrupt
 * @submitted: I/Os submitted
 * @completed: I/Os completed
 * @start_ns: when the worker began, or the end of the ramp if that is later
 * @end_ns: last completion that counts in the results; see blkgen_idle_end() for loads with a
 *	rate
 * @last_ns: last completion
 * @busy_ns: last submission at which nothing else was in flight
 * @cpu_base: CPU time of the thread, in ns, before START, or up to the last I/O of the ramp
 * @ramp_passes: passes that were over at the last I/O of the ramp
 * @stats: statistics by op; NULL for an op that the load does not have
 * @streams: statistics of the worker's streams; NULL if the caller did not ask for streams
 * @stream: cursors of the worker's streams, or NULL
 * @slot: array of par.qd slots
 * @like: bio that is never submitted; the device and cgroup of other bios are copied from it
 * @by_cycles: completions read the cycle counter; else CLOCK_MONOTONIC, ns
 * @mult: converts the clock of completions to ns, see blkgen_cycles_to_ns()
 * @end_io: bi_end_io of all bios
 * @nr_stalls: number of stalls
 * @stall: the first stalls
 * @sleeping: the next completion must wake the thread
 * @done: completed slots that the thread has not seen yet
 *
 * Only the thread writes these members, except @done, to which completions add slots from any
 * context. @done and @sleeping have a cache line of their own.
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
	bool by_cycles;
	u64 mult;
	bio_end_io_t *end_io;
	u32 nr_stalls;
	struct blkgen_stall stall[BLKGEN_NR_STALLS];

	struct llist_head done ____cacheline_aligned;
	bool sleeping;
};

struct blkgen_worker *blkgen_worker_create(struct blkgen_job *job, unsigned int index);
void blkgen_worker_stop(struct blkgen_worker *w);
void blkgen_worker_free(struct blkgen_worker *w);
void blkgen_worker_info(const struct blkgen_worker *w, struct blkgen_worker_info *info);
struct llist_node *blkgen_worker_reap(struct blkgen_worker *w);
void blkgen_worker_wait_due(struct blkgen_worker *w, u64 due);
void blkgen_worker_stalled(struct blkgen_worker *w, u64 end);
void blkgen_worker_spent(struct blkgen_worker *w, struct blkgen_slot *slot);
void blkgen_worker_fail(struct blkgen_worker *w, struct blkgen_slot *slot,
			blk_status_t status);
void blkgen_worker_mismatch(struct blkgen_worker *w, struct blkgen_slot *slot);

/**
 * blkgen_llist_add() - do as llist_add(), which is not inlined on older kernels
 * @node: node to add
 * @list: list
 *
 * Context: any
 * Return: true if the list was empty
 */
static __always_inline bool blkgen_llist_add(struct llist_node *node, struct llist_head *list)
{
	struct llist_node *first = READ_ONCE(list->first);

	do {
		WRITE_ONCE(node->next, first);
	} while (!try_cmpxchg(&list->first, &first, node));

	return !first;
}

/**
 * blkgen_slot_done() - hand a completed I/O to its worker
 * @slot: completed; the caller must not touch it afterwards
 *
 * As soon as the slot is on the list, the worker can take it, end and be freed. But this function
 * still uses the worker to wake it. Therefore it disables preemption: blkgen_job_free() waits for
 * an RCU grace period before it frees the worker, and a grace period waits for regions with
 * preemption off.
 *
 * Context: any
 */
static __always_inline void blkgen_slot_done(struct blkgen_slot *slot)
{
	struct blkgen_worker *w = slot->worker;

	preempt_disable();
	/*
	 * The cmpxchg orders the store to the list before the read of sleeping: see
	 * worker_sleep()
	 */
	if (blkgen_llist_add(&slot->done, &w->done) && READ_ONCE(w->sleeping))
		wake_up_process(w->task);
	preempt_enable();
}

/**
 * blkgen_worker_flush_due() - find out if the next I/O is a flush
 * @w: worker, in its thread
 *
 * Return: true if it is
 */
static inline bool blkgen_worker_flush_due(const struct blkgen_worker *w)
{
	return unlikely(w->job->par.flush_every && w->unflushed >= w->job->par.flush_every);
}

/**
 * blkgen_worker_more() - find out if the worker may submit another I/O
 * @w: worker, in its thread
 *
 * The time limit is checked elsewhere, where the clock is read.
 *
 * Return: true if it may
 */
static inline bool blkgen_worker_more(const struct blkgen_worker *w)
{
	return (w->left || blkgen_worker_flush_due(w)) && !READ_ONCE(w->job->stop);
}

/**
 * blkgen_worker_aim() - choose the op, size and sector of the next I/O
 * @w: worker, in its thread
 * @slot: idle slot; its op, bytes, sector and stream are set
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
 * blkgen_worker_unaim() - undo what blkgen_worker_aim() has counted for the next flush
 * @w: worker, in its thread
 * @slot: slot of an I/O that will not be submitted
 */
static inline void blkgen_worker_unaim(struct blkgen_worker *w, const struct blkgen_slot *slot)
{
	if (slot->op == BLKGEN_OP_FLUSH)
		w->unflushed = w->job->par.flush_every;
	else
		w->unflushed -= slot->op != BLKGEN_OP_READ;
}

/**
 * blkgen_worker_in_ramp() - reset the worker's counters, because I/Os of the ramp do not count
 * @w: worker, in its thread, which submits an I/O in the ramp
 */
static inline void blkgen_worker_in_ramp(struct blkgen_worker *w)
{
	WRITE_ONCE(w->cpu_base, current->se.sum_exec_runtime);
	w->unpolled = 0;
	w->ramp_passes = w->cur.pass;
}

/**
 * blkgen_worker_begin() - note that an I/O is submitted right after this
 * @w: worker, in its thread
 * @slot: slot of the I/O, set up by blkgen_worker_aim()
 * @now: time at which the I/O, or its batch, begins, ns
 * @due: when the I/O was due, ns; 0: now
 */
static inline void blkgen_worker_begin(struct blkgen_worker *w, struct blkgen_slot *slot,
				       u64 now, u64 due)
{
	slot->sent = now;
	slot->start = due ?: now;
	/* This pairs with worker_oldest(): whoever sees the new @end also sees the new @sent */
	smp_wmb();
	WRITE_ONCE(slot->end, 0);
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
 * blkgen_worker_in_time() - end the run if its time is over
 * @w: worker, in its thread
 * @now: current time, ns
 *
 * Return: false if the time is over
 */
static __always_inline bool blkgen_worker_in_time(struct blkgen_worker *w, u64 now)
{
	if (likely(now < w->job->deadline))
		return true;
	blkgen_job_stop(w->job, BLKGEN_STOP_TIME);

	return false;
}

/**
 * blkgen_worker_begin_now() - note that an I/O is submitted now, unless the time is over
 * @w: worker, in its thread
 * @slot: slot of the I/O, ready to be submitted
 * @due: when the I/O was due, ns; 0: now
 *
 * Return: false if the time is over; the slot then stays idle
 */
static inline bool blkgen_worker_begin_now(struct blkgen_worker *w, struct blkgen_slot *slot,
					   u64 due)
{
	u64 now = ktime_get_ns();

	if (!blkgen_worker_in_time(w, now))
		return false;
	blkgen_worker_begin(w, slot, now, due);

	return true;
}

/**
 * blkgen_worker_account() - count a completed I/O
 * @w: worker, in its thread
 * @slot: slot of the completed I/O
 */
static inline void blkgen_worker_account(struct blkgen_worker *w,
					 struct blkgen_slot *slot)
{
	blk_status_t status = slot->bio.bi_status;
	s64 lat = slot->end - slot->start;

	/* The clocks of two CPUs may differ slightly, so that the latency is negative */
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
