// SPDX-License-Identifier: GPL-2.0
/*
 * Workers: their memory, their threads, and how a completion reaches them.
 */
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include "buffer.h"
#include "compat.h"
#include "engine.h"
#include "worker.h"

/* After so many failures in a row a worker takes a rest before each batch */
#define ERROR_REST	16

/*
 * Reads and writes have buffers of their own: what a read brings in must not be
 * what the next write puts elsewhere, and no two I/Os share memory, as layers
 * that check data (dm-integrity, raid) would see it change.
 */
static int worker_alloc_slot(struct blkgen_worker *w, unsigned int index)
{
	struct blkgen_slot *slot = &w->slot[index];
	u64 seed = w->job->par.seed + ((u64)w->index << 32) + index;
	unsigned int op;

	slot->worker = w;
	for (op = 0; op < ARRAY_SIZE(slot->vec); op++) {
		int nr;

		if (!blkgen_has_op(&w->job->par, op))
			continue;
		nr = blkgen_buf_alloc(&slot->vec[op], w->job->par.bs, NUMA_NO_NODE);
		if (nr < 0)
			return nr;
		slot->nr_vec[op] = nr;
		if (op == BLKGEN_OP_WRITE)
			blkgen_buf_fill(slot->vec[op], nr, blkgen_hash(seed));
	}

	return 0;
}

static int worker_alloc(struct blkgen_worker *w)
{
	unsigned int i;
	int err;

	for (i = 0; i < BLKGEN_NR_OPS; i++) {
		if (!blkgen_has_op(&w->job->par, i))
			continue;
		w->stats[i] = blkgen_stats_alloc(NUMA_NO_NODE);
		if (!w->stats[i])
			return -ENOMEM;
	}
	w->slot = kvcalloc(w->job->par.qd, sizeof(*w->slot), GFP_KERNEL_ACCOUNT);
	if (!w->slot)
		return -ENOMEM;
	for (i = 0; i < w->job->par.qd; i++) {
		err = worker_alloc_slot(w, i);
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
	/* Bios take their cgroup from the thread, which would be the root */
	blkgen_associate_blkcg(job->css);
	job->par.engine->run(w);
	blkgen_associate_blkcg(NULL);

	if (atomic_dec_return(&job->nr_running) == 0)
		blkgen_job_done(job);
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
	struct task_struct *task;
	struct blkgen_worker *w;
	int err;

	w = kzalloc(sizeof(*w), GFP_KERNEL_ACCOUNT);
	if (!w)
		return ERR_PTR(-ENOMEM);
	w->job = job;
	w->index = index;
	init_llist_head(&w->done);
	w->left = par->ios;
	if (par->ios != U64_MAX)
		w->left = blkgen_share(par->ios, index, par->nr_workers);
	blkgen_cursor_init(&w->cur, par->random, par->nr_blocks, index, par->nr_workers,
			   par->seed);
	/* The weights were checked */
	blkgen_mix_init(&w->mix, par->mix, blkgen_hash(par->seed + index));
	err = worker_alloc(w);
	if (err)
		goto err_free;

	task = kthread_create(worker_thread, w, "blkgen/%u", index);
	if (IS_ERR(task)) {
		err = PTR_ERR(task);
		goto err_free;
	}
	get_task_struct(task);
	w->task = task;
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
	unsigned int i, op;

	if (w->task)
		put_task_struct(w->task);
	for (i = 0; w->slot && i < w->job->par.qd; i++) {
		for (op = 0; op < ARRAY_SIZE(w->slot[i].vec); op++)
			blkgen_buf_free(w->slot[i].vec[op], w->slot[i].nr_vec[op]);
	}
	kvfree(w->slot);
	for (op = 0; op < BLKGEN_NR_OPS; op++)
		blkgen_stats_free(w->stats[op]);
	kfree(w);
}

/**
 * blkgen_worker_info - fill in what a worker cost
 * @w: worker, may be running
 * @info: zeroed but for the caller's input
 */
void blkgen_worker_info(const struct blkgen_worker *w, struct blkgen_worker_info *info)
{
	info->pid = w->task->pid;
	info->submitted = READ_ONCE(w->submitted);
	if (!info->submitted)
		return;
	info->start_ns = READ_ONCE(w->start_ns);
	info->end_ns = READ_ONCE(w->end_ns);
	info->cpu_ns = READ_ONCE(w->task->se.sum_exec_runtime) - READ_ONCE(w->cpu_base);
}

/**
 * blkgen_worker_wait - take the completions, or sleep until there are any
 * @w: worker, in its thread, without a plug
 *
 * Returns slots in the order in which they completed, or NULL if nothing is in
 * flight.
 */
struct llist_node *blkgen_worker_wait(struct blkgen_worker *w)
{
	if (w->submitted == w->completed)
		return NULL;

	/* A dead device fails at once, at the speed of a loop */
	if (unlikely(w->error_run > ERROR_REST))
		schedule_timeout_idle(1);
	else
		cond_resched();

	if (llist_empty(&w->done)) {
		WRITE_ONCE(w->sleeping, true);
		for (;;) {
			/* orders the store to sleeping before the look at the list */
			set_current_state(TASK_IDLE);
			if (!llist_empty(&w->done))
				break;
			schedule();
		}
		__set_current_state(TASK_RUNNING);
		WRITE_ONCE(w->sleeping, false);
	}

	return llist_reverse_order(llist_del_all(&w->done));
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
	if (++w->error_run >= w->job->par.error_limit)
		blkgen_job_stop(w->job, BLKGEN_STOP_ERRORS);
}

/**
 * blkgen_slot_done - hand a completed I/O to its worker
 * @slot: not touched any more by the caller
 *
 * Any context. As soon as the slot is on the list the worker can take it, be
 * done and be freed; only the RCU grace period in blkgen_job_free(), which waits
 * for regions with preemption off, keeps it until it was woken.
 */
void blkgen_slot_done(struct blkgen_slot *slot)
{
	struct blkgen_worker *w = slot->worker;

	preempt_disable();
	/* llist_add() orders the list before the look at sleeping */
	if (llist_add(&slot->done, &w->done) && READ_ONCE(w->sleeping))
		wake_up_process(w->task);
	preempt_enable();
}
