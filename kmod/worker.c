// SPDX-License-Identifier: GPL-2.0
/* Create and end workers, and hand completions to them. */
#include <linux/blkdev.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include "buffer.h"
#include "compat.h"
#include "engine.h"
#include "worker.h"

/* The thread stops sleeping this long before an I/O is due, and then polls the clock, in ns */
#define PACE_SPIN	50000ULL

/*
 * Allocate the buffers of a slot. Reads and writes have separate buffers, because otherwise the
 * next write would copy the data of a read to another place of the device. No two I/Os share
 * memory, because layers that check data (dm-integrity, raid) would see the data change.
 */
static int worker_alloc_slot(struct blkgen_worker *w, unsigned int index, int node)
{
	struct blkgen_slot *slot = &w->slot[index];
	u64 seed = w->job->par.seed + ((u64)w->index << 32) + index;
	unsigned int op;

	slot->worker = w;
	for (op = 0; op < ARRAY_SIZE(slot->vec); op++) {
		int nr;

		if (!blkgen_has_op(&w->job->par, op))
			continue;
		nr = blkgen_buf_alloc(&slot->vec[op], w->job->par.bs, node);
		if (nr < 0)
			return nr;
		slot->nr_vec[op] = nr;
		if (op == BLKGEN_OP_WRITE)
			blkgen_buf_fill(slot->vec[op], nr, blkgen_hash(seed));
	}

	return 0;
}

static int worker_alloc_stats(struct blkgen_worker *w, int node)
{
	const struct blkgen_params *par = &w->job->par;
	u32 i, nr;

	for (i = 0; i < BLKGEN_NR_OPS; i++) {
		if (!blkgen_has_op(par, i))
			continue;
		w->stats[i] = blkgen_stats_alloc(BLKGEN_HIST_BITS,
						 par->set.rate && i != BLKGEN_OP_FLUSH, node);
		if (!w->stats[i])
			return -ENOMEM;
	}
	if (par->layout.pattern != BLKGEN_PATTERN_STREAMS)
		return 0;
	nr = blkgen_streams_of(&par->layout, w->index, par->nr_workers);
	w->stream = kcalloc_node(nr, sizeof(*w->stream), GFP_KERNEL_ACCOUNT, node);
	if (!w->stream)
		return -ENOMEM;
	if (!par->set.streams)
		return 0;
	w->streams = kcalloc_node(nr, sizeof(*w->streams), GFP_KERNEL_ACCOUNT, node);
	if (!w->streams)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		w->streams[i] = blkgen_stats_alloc(BLKGEN_HIST_COARSE, false, node);
		if (!w->streams[i])
			return -ENOMEM;
	}

	return 0;
}

static int worker_alloc(struct blkgen_worker *w, int node)
{
	unsigned int i;
	int err;

	err = worker_alloc_stats(w, node);
	if (err)
		return err;
	/* If there is too little memory, fail: otherwise the OOM killer would end a program */
	w->slot = kvzalloc_node(array_size(w->job->par.qd, sizeof(*w->slot)),
				GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN, node);
	if (!w->slot)
		return -ENOMEM;
	for (i = 0; i < w->job->par.qd; i++) {
		err = worker_alloc_slot(w, i, node);
		if (err)
			return err;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}

	return 0;
}

static void worker_go(struct blkgen_worker *w)
{
	struct blkgen_job *job = w->job;

	w->cpu_base = current->se.sum_exec_runtime;
	w->start_ns = max(ktime_get_ns(), job->measure_ns);
	w->last_ns = w->start_ns;
	if (job->par.set.rate)
		blkgen_pacer_init(&w->pacer, &job->par.set, w->index, job->start_ns);
	/*
	 * Without this, bios would be charged to the cgroup of the thread itself, which is the root
	 */
	blkgen_associate_blkcg(job->css);
	job->par.engine->run(w);
	blkgen_associate_blkcg(NULL);

	if (atomic_dec_return(&job->nr_running) == 0)
		blkgen_job_done(job, w->why);
}

static int worker_thread(void *data)
{
	struct blkgen_worker *w = data;

	/* This pairs with blkgen_job_start(): a worker that sees @go also sees all of the job */
	wait_event_idle(w->job->gate, smp_load_acquire(&w->job->go) || kthread_should_stop());
	if (!kthread_should_stop())
		worker_go(w);

	/*
	 * Sleep until the thread is stopped, and do not exit: the CPU time of the thread is exact
	 * only while it sleeps, and is lost when it exits.
	 */
	for (;;) {
		set_current_state(TASK_IDLE);
		if (kthread_should_stop())
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);

	return 0;
}

/* Return the NUMA node for the worker's memory: that of its CPU if it has one, else the device's */
static int blkgen_worker_node(const struct blkgen_job *job, unsigned int index)
{
	if (job->cpu && job->cpu[index] >= 0)
		return cpu_to_node(job->cpu[index]);

	return bdev_get_queue(job->bdev)->node;
}

static void worker_least(struct blkgen_worker *w, u64 ios, enum blkgen_stop why)
{
	if (ios >= w->left)
		return;
	w->left = ios;
	w->why = why;
}

/* Set how much the worker may submit: the smallest of the limits that the caller set */
static void worker_limit(struct blkgen_worker *w)
{
	const struct blkgen_params *par = &w->job->par;
	const struct blkgen_setup *set = &par->set;
	u64 bytes, ios;

	w->left = U64_MAX;
	w->bytes_left = U64_MAX;
	if (set->ios)
		worker_least(w, blkgen_share(set->ios, w->index, par->nr_workers),
			     BLKGEN_STOP_IOS);
	else if (w->job->worker_ios)
		worker_least(w, w->job->worker_ios[w->index], BLKGEN_STOP_IOS);
	if (set->bytes) {
		bytes = blkgen_share(set->bytes, w->index, par->nr_workers);
		if (par->sizes)
			w->bytes_left = bytes;
		/*
		 * The last I/O is not cut short. If sizes differ, there are at most as many I/Os
		 * as bytes.
		 */
		ios = par->sizes || !bytes ? bytes : div_u64(bytes - 1, par->bs) + 1;
		worker_least(w, ios, BLKGEN_STOP_BYTES);
	}
	/* The length of a pass is known beforehand, except for streams */
	if (set->passes && par->layout.pattern != BLKGEN_PATTERN_STREAMS &&
	    !check_mul_overflow(set->passes, blkgen_share(par->layout.nr_places, w->index,
							  par->nr_workers), &ios))
		worker_least(w, ios, BLKGEN_STOP_PASS);
}

/**
 * blkgen_worker_spent() - count an I/O against the limits that are not a number of I/Os
 * @w: worker, in its thread
 * @slot: slot of the I/O that is submitted next
 */
void blkgen_worker_spent(struct blkgen_worker *w, struct blkgen_slot *slot)
{
	const struct blkgen_setup *set = &w->job->par.set;

	w->bytes_left -= min_t(u64, slot->bytes, w->bytes_left);
	if (!w->bytes_left)
		worker_least(w, 0, BLKGEN_STOP_BYTES);
	if (set->passes && w->job->par.layout.pattern == BLKGEN_PATTERN_STREAMS &&
	    w->cur.pass - w->ramp_passes >= set->passes)
		worker_least(w, 0, BLKGEN_STOP_PASS);
}

/**
 * blkgen_worker_create() - make a worker that waits at the gate
 * @job: job whose parameters are set
 * @index: 0 .. nr_workers - 1
 *
 * Context: process, sleeps
 * Return: a worker, or an error pointer: -ENOMEM, or -EINTR for a fatal signal
 */
struct blkgen_worker *blkgen_worker_create(struct blkgen_job *job, unsigned int index)
{
	const struct blkgen_params *par = &job->par;
	int node = blkgen_worker_node(job, index);
	struct task_struct *task;
	struct blkgen_worker *w;
	int err;

	w = kzalloc_node(sizeof(*w), GFP_KERNEL_ACCOUNT, node);
	if (!w)
		return ERR_PTR(-ENOMEM);
	w->job = job;
	w->index = index;
	init_llist_head(&w->done);
	err = worker_alloc(w, node);
	if (err)
		goto err_free;
	worker_limit(w);
	blkgen_cursor_init(&w->cur, &par->layout, index, par->nr_workers, w->stream);
	w->cur_reads = w->cur;
	/* This cannot fail: check_params() has checked the weights */
	blkgen_mix_init(&w->mix, par->mix, blkgen_hash(par->seed + index));
	/*
	 * The pacer draws gaps with blkgen_hash(~seed + index). Use other random numbers here: with
	 * the same ones, the size of an I/O would depend on the gap before it.
	 */
	w->size_rng = blkgen_hash(blkgen_hash(~par->seed) - index);

	/*
	 * Pass no node: newer kernels would keep the thread on the CPUs of the node that is passed
	 * here
	 */
	task = kthread_create_on_node(worker_thread, w, NUMA_NO_NODE, "blkgen/%u", index);
	if (IS_ERR(task)) {
		err = PTR_ERR(task);
		goto err_free;
	}
	get_task_struct(task);
	w->task = task;
	if (job->cpu && job->cpu[index] >= 0)
		kthread_bind(task, job->cpu[index]);
	/*
	 * Let the thread sleep at the gate. A new thread is in an uninterruptible sleep, which
	 * the hung task detector would report.
	 */
	wake_up_process(task);

	return w;

err_free:
	blkgen_worker_free(w);
	return ERR_PTR(err);
}

/**
 * blkgen_worker_stop() - end a worker's thread
 * @w: worker with nothing in flight: it never began, or its engine's run() has returned
 *
 * The caller may call blkgen_worker_free() after an RCU grace period.
 *
 * Context: process, sleeps
 */
void blkgen_worker_stop(struct blkgen_worker *w)
{
	kthread_stop(w->task);
}

/**
 * blkgen_worker_free() - free a worker
 * @w: worker whose thread was stopped, or was never created
 *
 * Context: process, sleeps
 */
void blkgen_worker_free(struct blkgen_worker *w)
{
	const struct blkgen_params *par = &w->job->par;
	unsigned int i, op, nr;

	if (w->task)
		put_task_struct(w->task);
	for (i = 0; w->slot && i < par->qd; i++) {
		for (op = 0; op < ARRAY_SIZE(w->slot[i].vec); op++)
			blkgen_buf_free(w->slot[i].vec[op], w->slot[i].nr_vec[op]);
		/* Freeing may take long: the buffers of all slots may be a quarter of the memory */
		cond_resched();
	}
	kvfree(w->slot);
	/*
	 * Compute the number of streams: the cursor has it, too, but is not initialized if an
	 * allocation has failed
	 */
	nr = w->streams ? blkgen_streams_of(&par->layout, w->index, par->nr_workers) : 0;
	for (i = 0; i < nr; i++)
		blkgen_stats_free(w->streams[i]);
	kfree(w->streams);
	kfree(w->stream);
	for (op = 0; op < BLKGEN_NR_OPS; op++)
		blkgen_stats_free(w->stats[op]);
	kfree(w);
}

/*
 * Return when the oldest I/O in flight was submitted, in ns, or 0 if there is none. The worker goes
 * on meanwhile, so that I/O may complete before the caller uses the result.
 */
static u64 worker_oldest(const struct blkgen_worker *w)
{
	u64 sent, began, oldest = U64_MAX;
	unsigned int i;
	bool flies;

	for (i = 0; i < w->job->par.qd; i++) {
		const struct blkgen_slot *slot = &w->slot[i];

		/* If @cycles is not 0, @end is in the same unit: see blkgen_bio_settle() */
		began = READ_ONCE(slot->cycles) ?: READ_ONCE(slot->sent);
		flies = began > READ_ONCE(slot->end);
		/* This pairs with blkgen_worker_begin() and plain_issue() */
		smp_rmb();
		sent = READ_ONCE(slot->sent);
		if (flies)
			oldest = min(oldest, sent);
	}

	return oldest == U64_MAX || READ_ONCE(w->submitted) == READ_ONCE(w->completed) ? 0 : oldest;
}

/**
 * blkgen_worker_info() - add the CPU time and progress of a worker to @info
 * @w: worker, may be running
 * @info: zeroed except for the caller's input, or with the numbers of other workers
 */
void blkgen_worker_info(const struct blkgen_worker *w, struct blkgen_worker_info *info)
{
	u64 start = READ_ONCE(w->start_ns), submitted = READ_ONCE(w->submitted);
	u64 oldest, cpu, base;

	info->pid = w->task->pid;
	info->submitted += submitted;
	if (!submitted)
		return;
	if (!info->start_ns || start < info->start_ns)
		info->start_ns = start;
	oldest = worker_oldest(w);
	if (oldest && (!info->oldest_ns || oldest < info->oldest_ns))
		info->oldest_ns = oldest;
	info->end_ns = max(info->end_ns, READ_ONCE(w->end_ns));
	info->unpolled += READ_ONCE(w->unpolled);
	cpu = READ_ONCE(w->task->se.sum_exec_runtime);
	base = READ_ONCE(w->cpu_base);
	/*
	 * In the ramp the worker moves the base, which may then be later than the CPU time read
	 * above
	 */
	info->cpu_ns += cpu > base ? cpu - base : 0;
}

/* Sleep until an I/O has completed, the run is stopped, or it is @until (ns) */
static void worker_sleep(struct blkgen_worker *w, u64 until)
{
	ktime_t expires = ns_to_ktime(until);

	WRITE_ONCE(w->sleeping, true);
	/* This orders the store to sleeping before the read of the list */
	set_current_state(TASK_IDLE);
	if (llist_empty(&w->done) && (until == U64_MAX || !READ_ONCE(w->job->stop)))
		schedule_hrtimeout(until == U64_MAX ? NULL : &expires, HRTIMER_MODE_ABS);
	__set_current_state(TASK_RUNNING);
	WRITE_ONCE(w->sleeping, false);
}

/**
 * blkgen_worker_reap() - take the completions that have arrived
 * @w: worker, in its thread, without a plug
 *
 * This may sleep for a tick, if the last I/Os have all failed.
 *
 * Return: slots in the order in which they completed, or NULL
 */
struct llist_node *blkgen_worker_reap(struct blkgen_worker *w)
{
	struct llist_node *node, *next, *first = NULL;

	/*
	 * A dead device fails each I/O at once, so rest: otherwise this thread would loop at full
	 * speed. A thread that polls never sleeps, so it reports to RCU Tasks: otherwise no tracer
	 * could detach.
	 */
	if (unlikely(w->error_run > BLKGEN_ERROR_REST))
		schedule_timeout_idle(1);
	else
		cond_resched_tasks_rcu_qs();

	for (node = llist_del_all(&w->done); node; node = next) {
		next = node->next;
		node->next = first;
		first = node;
	}

	return first;
}

/**
 * blkgen_worker_wait_due() - wait for a completion or a time
 * @w: worker, in its thread, without a plug
 * @due: CLOCK_MONOTONIC in ns; U64_MAX: wait for a completion only
 *
 * Returns early if the run is stopped and @due is not U64_MAX. The timer's interrupt and the
 * wakeup of this thread take longer than an I/O of a fast device: therefore the thread polls the
 * clock in the last PACE_SPIN ns.
 */
void blkgen_worker_wait_due(struct blkgen_worker *w, u64 due)
{
	while (llist_empty(&w->done)) {
		u64 now;

		if (due == U64_MAX) {
			worker_sleep(w, U64_MAX);
			continue;
		}
		now = ktime_get_ns();
		if (now >= due || READ_ONCE(w->job->stop))
			return;
		if (due - now > PACE_SPIN) {
			worker_sleep(w, due - PACE_SPIN);
			continue;
		}
		cond_resched_tasks_rcu_qs();
		cpu_relax();
	}
}

/**
 * blkgen_worker_stalled() - record a stall if nothing completed for too long
 * @w: worker, in its thread
 * @end: ns, time of the completion that ended the stall; that I/O is already counted as completed
 */
void blkgen_worker_stalled(struct blkgen_worker *w, u64 end)
{
	u64 start = max3(w->last_ns, w->busy_ns, w->job->measure_ns);

	if (end < start || end - start <= w->job->par.stall_ns)
		return;
	if (w->nr_stalls < BLKGEN_NR_STALLS)
		w->stall[w->nr_stalls] = (struct blkgen_stall) {
			.start_ns = start,
			.length_ns = end - start,
			.worker = w->index,
			.inflight = w->submitted - w->completed + 1,
		};
	/* This pairs with ctl_stalls(): a reader that sees the number also sees the entry */
	smp_store_release(&w->nr_stalls, w->nr_stalls + 1);
}

/**
 * blkgen_worker_fail() - count a failed I/O, and end the run if too many have failed
 * @w: worker, in its thread
 * @slot: slot of the failed I/O
 * @status: status of the I/O, not BLK_STS_OK
 */
void blkgen_worker_fail(struct blkgen_worker *w, struct blkgen_slot *slot,
			blk_status_t status)
{
	blkgen_stats_fail(w->stats[slot->op], status);
	if (++w->error_run >= w->job->par.error_limit || blkgen_job_error(w->job))
		blkgen_job_stop(w->job, BLKGEN_STOP_ERRORS);
}

/**
 * blkgen_worker_mismatch() - count a read of wrong data, and end the run if there are too many
 * @w: worker, in its thread
 * @slot: slot of the completed read
 */
void blkgen_worker_mismatch(struct blkgen_worker *w, struct blkgen_slot *slot)
{
	w->stats[BLKGEN_OP_READ]->mismatches++;
	if (blkgen_job_error(w->job))
		blkgen_job_stop(w->job, BLKGEN_STOP_ERRORS);
}
