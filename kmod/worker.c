// SPDX-License-Identifier: GPL-2.0
/*
 * Workers: their memory, their threads, and how a completion reaches them.
 */
#include <linux/blkdev.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include "buffer.h"
#include "compat.h"
#include "engine.h"
#include "worker.h"

/* How long before an I/O is due the thread stops sleeping, ns */
#define PACE_SPIN	50000ULL

/*
 * Reads and writes have buffers of their own: what a read brings in must not be
 * what the next write puts elsewhere, and no two I/Os share memory, as layers
 * that check data (dm-integrity, raid) would see it change.
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
	w->slot = kvzalloc_node(array_size(w->job->par.qd, sizeof(*w->slot)),
				GFP_KERNEL_ACCOUNT, node);
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
	/* Bios take their cgroup from the thread, which would be the root */
	blkgen_associate_blkcg(job->css);
	job->par.engine->run(w);
	blkgen_associate_blkcg(NULL);

	if (atomic_dec_return(&job->nr_running) == 0)
		blkgen_job_done(job, w->why);
}

static int worker_thread(void *data)
{
	struct blkgen_worker *w = data;

	wait_event_idle(w->job->gate, READ_ONCE(w->job->go) || kthread_should_stop());
	if (!kthread_should_stop())
		worker_go(w);

	/* The CPU time is exact once the thread sleeps, and lost once it is gone */
	for (;;) {
		set_current_state(TASK_IDLE);
		if (kthread_should_stop())
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);

	return 0;
}

/* Where the worker's memory is near: its CPU, or else the device */
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

/* How much it may submit: the least of the limits that were asked for */
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
		/* The last one is whole. Of different sizes there are no more than bytes. */
		ios = par->sizes || !bytes ? bytes : div_u64(bytes - 1, par->bs) + 1;
		worker_least(w, ios, BLKGEN_STOP_BYTES);
	}
	/* A pass of streams is over when it is over; of the others the length is known */
	if (set->passes && par->layout.pattern != BLKGEN_PATTERN_STREAMS &&
	    !check_mul_overflow(set->passes, blkgen_share(par->layout.nr_places, w->index,
							  par->nr_workers), &ios))
		worker_least(w, ios, BLKGEN_STOP_PASS);
}

/**
 * blkgen_worker_spent - an I/O was submitted, of a job whose end has to be looked for
 * @w: worker, in its thread
 * @slot: submitted next
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
 * blkgen_worker_create - make a worker that waits at the gate
 * @job: with its parameters set
 * @index: 0 .. nr_workers - 1
 *
 * Returns a worker or an error pointer: -ENOMEM, or -EINTR for a fatal signal.
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
	/* The weights were checked */
	blkgen_mix_init(&w->mix, par->mix, blkgen_hash(par->seed + index));
	w->size_rng = blkgen_hash(~par->seed - index);

	task = kthread_create_on_node(worker_thread, w, node, "blkgen/%u", index);
	if (IS_ERR(task)) {
		err = PTR_ERR(task);
		goto err_free;
	}
	get_task_struct(task);
	w->task = task;
	if (job->cpu && job->cpu[index] >= 0)
		kthread_bind(task, job->cpu[index]);
	/* A new thread is uninterruptible, and suspect to the hung task detector */
	wake_up_process(task);

	return w;

err_free:
	blkgen_worker_free(w);
	return ERR_PTR(err);
}

/**
 * blkgen_worker_stop - end a worker's thread
 * @w: has nothing in flight: it never began, or its engine's run() is over
 *
 * Sleeps. blkgen_worker_free() may follow after an RCU grace period.
 */
void blkgen_worker_stop(struct blkgen_worker *w)
{
	kthread_stop(w->task);
}

/**
 * blkgen_worker_free - free a worker that was stopped
 * @w: worker
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
	}
	kvfree(w->slot);
	/* Where memory was short the cursor, which knows the number too, is not there yet */
	nr = w->streams ? blkgen_streams_of(&par->layout, w->index, par->nr_workers) : 0;
	for (i = 0; i < nr; i++)
		blkgen_stats_free(w->streams[i]);
	kfree(w->streams);
	kfree(w->stream);
	for (op = 0; op < BLKGEN_NR_OPS; op++)
		blkgen_stats_free(w->stats[op]);
	kfree(w);
}

/* When the oldest I/O in flight was submitted, ns; 0 if there is none. A snapshot. */
static u64 worker_oldest(const struct blkgen_worker *w)
{
	u64 sent, oldest = U64_MAX;
	unsigned int i;

	for (i = 0; i < w->job->par.qd; i++) {
		const struct blkgen_slot *slot = &w->slot[i];

		/* Of a plain load @end is in cycles, and if it has no rate there is no @sent */
		sent = READ_ONCE(slot->sent);
		if ((READ_ONCE(slot->cycles) ?: sent) > READ_ONCE(slot->end))
			oldest = min(oldest, sent ?: READ_ONCE(slot->start));
	}

	return oldest == U64_MAX || READ_ONCE(w->submitted) == READ_ONCE(w->completed) ? 0 : oldest;
}

/**
 * blkgen_worker_info - add what a worker cost
 * @w: worker, may be running
 * @info: zeroed but for the caller's input, or with what others cost
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
	/* In the ramp the base moves, and may be the newer one */
	info->cpu_ns += cpu > base ? cpu - base : 0;
}

/* Sleep until there is a completion, the run is stopped, or it is @until (ns) */
static void worker_sleep(struct blkgen_worker *w, u64 until)
{
	ktime_t expires = ns_to_ktime(until);

	WRITE_ONCE(w->sleeping, true);
	/* orders the store to sleeping before the look at the list */
	set_current_state(TASK_IDLE);
	if (llist_empty(&w->done) && (until == U64_MAX || !READ_ONCE(w->job->stop)))
		schedule_hrtimeout(until == U64_MAX ? NULL : &expires, HRTIMER_MODE_ABS);
	__set_current_state(TASK_RUNNING);
	WRITE_ONCE(w->sleeping, false);
}

/* All completions, the first one first */
static struct llist_node *worker_take(struct blkgen_worker *w, u32 *nr)
{
	struct llist_node *node, *next, *first = NULL;
	u32 n = 0;

	for (node = llist_del_all(&w->done); node; node = next) {
		next = node->next;
		node->next = first;
		first = node;
		n++;
	}
	*nr = n;

	return first;
}

/**
 * blkgen_worker_reap - take the completions that there are
 * @w: worker, in its thread, without a plug
 * @nr: set to how many
 *
 * Returns slots in the order in which they completed, or NULL. May sleep for a
 * tick, if the device does nothing but fail.
 */
struct llist_node *blkgen_worker_reap(struct blkgen_worker *w, u32 *nr)
{
	/* A dead device fails at once, at the speed of a loop */
	if (unlikely(w->error_run > BLKGEN_ERROR_REST))
		schedule_timeout_idle(1);
	else
		cond_resched();

	return worker_take(w, nr);
}

/**
 * blkgen_worker_wait - take the completions, or sleep until there are any
 * @w: worker, in its thread, without a plug
 * @nr: set to how many there are
 *
 * Returns slots in the order in which they completed, or NULL if nothing is in
 * flight.
 */
struct llist_node *blkgen_worker_wait(struct blkgen_worker *w, u32 *nr)
{
	if (w->submitted == w->completed)
		return NULL;

	/* A dead device fails at once, at the speed of a loop */
	if (unlikely(w->error_run > BLKGEN_ERROR_REST))
		schedule_timeout_idle(1);
	else
		cond_resched();
	while (llist_empty(&w->done))
		worker_sleep(w, U64_MAX);

	return worker_take(w, nr);
}

/**
 * blkgen_worker_wait_due - wait for a completion or a time
 * @w: worker, in its thread, without a plug
 * @due: CLOCK_MONOTONIC, ns; U64_MAX: a completion only
 *
 * Returns early if the run is stopped. A timer's interrupt and the way from
 * there to this thread take longer than a fast device: the last PACE_SPIN is
 * spent looking at the clock.
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
		cond_resched();
		cpu_relax();
	}
}

/**
 * blkgen_worker_stalled - note that nothing came back for a long time
 * @w: worker, in its thread
 * @end: ns, of the completion that ended it; it has been counted as completed
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
	/* Whoever sees the number sees the entry: ctl_stalls() */
	smp_store_release(&w->nr_stalls, w->nr_stalls + 1);
}

/**
 * blkgen_worker_fail - count a failed I/O, end the run if they are too many
 * @w: worker, in its thread
 * @slot: completed
 * @status: not BLK_STS_OK
 */
void blkgen_worker_fail(struct blkgen_worker *w, struct blkgen_slot *slot,
			blk_status_t status)
{
	blkgen_stats_fail(w->stats[slot->op], status);
	if (++w->error_run >= w->job->par.error_limit || blkgen_job_error(w->job))
		blkgen_job_stop(w->job, BLKGEN_STOP_ERRORS);
}

/**
 * blkgen_worker_mismatch - count a read of wrong data, end the run if they are too many
 * @w: worker, in its thread
 * @slot: completed
 */
void blkgen_worker_mismatch(struct blkgen_worker *w, struct blkgen_slot *slot)
{
	w->stats[BLKGEN_OP_READ]->mismatches++;
	if (blkgen_job_error(w->job))
		blkgen_job_stop(w->job, BLKGEN_STOP_ERRORS);
}
