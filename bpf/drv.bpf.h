/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Marks X and B: what a driver hook file needs. A driver is one file
 * drv_<name>.bpf.c made of these macros and one row in the hooks table of
 * user/collect/hooks.c.
 */
#ifndef BLKLAT_DRV_BPF_H
#define BLKLAT_DRV_BPF_H

#include "rq.bpf.h"

#define QUEUE_RQS_MAX 256

static __always_inline struct task_io *this_task(bool create)
{
	return bpf_task_storage_get(&tasks, bpf_get_current_task_btf(), NULL,
				    create ? BPF_LOCAL_STORAGE_GET_F_CREATE : 0);
}

/* The batch this task is handing over; a new one when none is open. */
static __always_inline __u64 batch_open(struct task_io *task)
{
	struct batch *batch;
	__u64 seq;
	__u32 slot;

	if (task->batch)
		return task->batch;
	seq = __sync_fetch_and_add(&state.batch_seq, 1) + 1;
	slot = seq & (BATCHES - 1);
	batch = bpf_map_lookup_elem(&batches, &slot);
	if (!batch)
		return 0;
	batch->b = 0;
	batch->seq = seq;
	task->batch = seq;
	return seq;
}

/* The doorbell for all requests of the open batch has been rung. */
static __always_inline int batch_close(void)
{
	struct task_io *task;
	struct batch *batch;
	__u32 slot;

	if (state.phase == PHASE_IDLE)
		return 0;
	task = this_task(false);
	if (!task || !task->batch)
		return 0;
	slot = task->batch & (BATCHES - 1);
	batch = bpf_map_lookup_elem(&batches, &slot);
	if (batch && batch->seq == task->batch)
		batch->b = bpf_ktime_get_ns();
	task->batch = 0;
	return 0;
}

/* A request reaches the driver, alone (@batch 0) or as part of a batch. */
static __always_inline struct blklat_rq *drv_take(__u64 rq, int dev, __u64 batch, __u64 now)
{
	struct blklat_rq *e;
	int idx;

	e = rq_begin(rq, dev, now, &idx);
	if (!e)
		return NULL;
	if (e->requeued)
		rq_next_attempt(e);
	/* Turned away before it was issued, the request waits in dispatch. */
	e->v = 0;
	e->h = 0;
	e->x = now;
	e->batch = batch;
	return e;
}

static __always_inline int drv_queue_rq_enter(const struct blk_mq_queue_data *bd, bool commits)
{
	struct blklat_rq *e;
	__u64 batch = 0;
	int dev;

	if (state.phase == PHASE_IDLE || is_passthrough(bd->rq->cmd_flags))
		return 0;
	dev = dev_of_rq(bd->rq);
	if (dev < 0)
		return 0;
	if (commits) {
		struct task_io *task = this_task(!bd->last);

		if (task && (task->batch || !bd->last))
			batch = batch_open(task);
	}
	e = drv_take((__u64)bd->rq, dev, batch, bpf_ktime_get_ns());
	if (e && !batch)
		e->owner = bpf_get_current_pid_tgid() + 1;
	return 0;
}

/*
 * The request may have completed and even be in use again by now: only the
 * task that handed it over, in the same life, sets B.
 */
static __always_inline int drv_queue_rq_exit(const struct blk_mq_queue_data *bd, bool commits,
					     int ret)
{
	struct blklat_rq *e;
	int idx;

	if (state.phase == PHASE_IDLE)
		return 0;
	if (commits && bd->last)
		batch_close();
	idx = rq_find((__u64)bd->rq);
	e = idx < 0 ? NULL : rq_at(idx);
	if (!e || e->owner != bpf_get_current_pid_tgid() + 1)
		return 0;
	e->owner = 0;
	if (!ret && !e->done && !e->requeued)
		e->b = bpf_ktime_get_ns();
	return 0;
}

struct take_ctx {
	struct request *rq;
	__u64 batch;
	__u64 now;
};

static long take_one(__u32 i, struct take_ctx *ctx)
{
	struct request *rq = ctx->rq;
	int dev;

	if (!rq)
		return 1;
	dev = dev_of((__u32)BPF_CORE_READ(rq, q, disk, major) << 20 |
		     BPF_CORE_READ(rq, q, disk, first_minor), BPF_CORE_READ(rq, part, bd_dev));
	if (dev >= 0 && !is_passthrough(BPF_CORE_READ(rq, cmd_flags)))
		drv_take((__u64)rq, dev, ctx->batch, ctx->now);
	ctx->rq = BPF_CORE_READ(rq, rq_next);
	return 0;
}

static __always_inline int drv_queue_rqs_enter(__u64 list)
{
	struct take_ctx ctx = { .rq = rqlist_first((void *)list) };
	struct task_io *task;

	if (state.phase == PHASE_IDLE || !ctx.rq)
		return 0;
	task = this_task(true);
	if (!task)
		return 0;
	ctx.batch = batch_open(task);
	ctx.now = bpf_ktime_get_ns();
	bpf_loop(QUEUE_RQS_MAX, take_one, &ctx, 0);
	return 0;
}

/* DRV_QUEUE_RQ(drv, fn, commits): commits: the doorbell waits for bd->last */
#define DRV_QUEUE_RQ(drv, fn, commits) \
	SEC("?fentry/" #fn) \
	int FENTRY_PROG(drv##_queue_rq_enter, void *hctx, const struct blk_mq_queue_data *bd) \
	{ \
		return drv_queue_rq_enter(bd, commits); \
	} \
	SEC("?fexit/" #fn) \
	int FEXIT_PROG(drv##_queue_rq_exit, void *hctx, const struct blk_mq_queue_data *bd, int ret) \
	{ \
		return drv_queue_rq_exit(bd, commits, ret & 0xff); \
	}

/* bpf_get_func_arg(): the verifier of 6.1 gives no access to a pointer to a pointer. */
#define DRV_QUEUE_RQS(drv, fn) \
	SEC("?fentry/" #fn) \
	int FENTRY_PROG(drv##_queue_rqs_enter) \
	{ \
		__u64 list = 0; \
\
		bpf_get_func_arg(ctx, 0, &list); \
		return drv_queue_rqs_enter(list); \
	} \
	SEC("?fexit/" #fn) \
	int FEXIT_PROG(drv##_queue_rqs_exit) \
	{ \
		return batch_close(); \
	}

#define DRV_COMMIT_RQS(drv, fn) \
	SEC("?fexit/" #fn) \
	int FEXIT_PROG(drv##_commit_rqs_exit) \
	{ \
		return batch_close(); \
	}

#endif /* BLKLAT_DRV_BPF_H */
