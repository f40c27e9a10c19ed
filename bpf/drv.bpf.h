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
	batch = &batches[slot];
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
	batch = &batches[slot];
	if (batch->seq == task->batch)
		batch->b = bpf_ktime_get_ns();
	task->batch = 0;
	return 0;
}

/**
 * struct drv_rq - a request that is at its driver
 * @rq: its address
 * @q: its queue
 * @part: its block device
 * @batch: that it is a part of, 0 for none
 * @opf: its cmd_flags
 * @changes: of the devices, so far
 */
struct drv_rq {
	__u64 rq;
	__u64 q;
	__u64 part;
	__u64 batch;
	__u32 opf;
	__u8 changes;
};

/*
 * Whether the entry of a request was that of one of the same device before. What
 * joins a stack may have the number of what left it.
 */
static __always_inline bool drv_knows(struct blklat_rq *e, const struct drv_rq *r)
{
	if (may_join() && e && e->changes != r->changes)
		return false;
	return e && e->q == r->q && e->part == r->part;
}

/* It may have been a traced one in its last life, whose end was missed. */
static __always_inline void rq_is_over(struct blklat_rq *e)
{
	/* Looked at itself: the verifier does not know what else clang can tell it by. */
	KEEP(e);
	if (e)
		e->done = 1;
}

/* A request reaches the driver; @e: its entry, if it has one. */
static __always_inline struct blklat_rq *drv_take(struct blklat_rq *e, const struct drv_rq *r,
						  int dev, __u64 now, __u32 *idx)
{
	if (!e)
		e = rq_take(r->rq, now, idx);
	if (!e)
		return NULL;
	/* What queue_rqs left over comes again in queue_rq: a new life, where that is not issued. */
	if (e->done || (rq_is_issued(e) && !e->requeued))
		rq_new_life(e, dev);
	else
		rq_again(e);
	e->x = now;
	e->batch = r->batch;
	e->q = r->q;
	e->part = r->part;
	e->changes = r->changes;
	e->op = r->opf & REQ_OP_MASK;
	return e;
}

static __always_inline int drv_queue_rq_enter(const struct blk_mq_queue_data *bd, bool commits)
{
	struct request *rq = bd->rq;
	struct block_device *part = rq->part;
	struct drv_rq r = {
		.rq = (__u64)rq, .q = (__u64)rq->q, .part = (__u64)part, .changes = state.changes,
	};
	struct blklat_rq *e;
	struct bio *bio;
	__u32 idx;
	int dev;

	if (state.phase == PHASE_IDLE)
		return 0;
	e = rq_find(r.rq, &idx);
	dev = drv_knows(e, &r) ? e->dev : dev_of_rq_part(rq, part);
	if (dev >= 0)
		r.opf = rq->cmd_flags;
	if (dev < 0 || is_passthrough(r.opf)) {
		rq_is_over(e);
		return 0;
	}
	if (commits) {
		struct task_io *task = this_task(!bd->last);

		if (task && (task->batch || !bd->last))
			r.batch = batch_open(task);
	}
	e = drv_take(e, &r, dev, bpf_ktime_get_ns(), &idx);
	if (!e)
		return 0;
	if (!r.batch)
		e->owner = (__u64)bd;
	bio = sees_issue() ? NULL : rq->bio;
	if (bio)
		link_bios(bio, bio->bi_next, e, idx, false);
	return 0;
}

/*
 * The request may have completed and even be in use again by now: only the
 * call that handed it over, in the same life, sets B. Its argument lies on its
 * stack, so nobody else has that address meanwhile.
 */
static __always_inline int drv_queue_rq_exit(const struct blk_mq_queue_data *bd, bool commits,
					     int ret)
{
	struct blklat_rq *e;
	__u32 idx;

	if (state.phase == PHASE_IDLE)
		return 0;
	if (commits && bd->last)
		batch_close();
	e = rq_find((__u64)bd->rq, &idx);
	if (!e || e->owner != (__u64)bd)
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
	struct drv_rq r = { .rq = (__u64)rq, .batch = ctx->batch, .changes = state.changes };
	struct bio *bio, *tail;
	struct rq_copy copy;
	struct blklat_rq *e;
	__u32 idx;
	int dev;

	if (!rq)
		return 1;
	bpf_probe_read_kernel(&copy, sizeof(copy), rq);
	r.q = (__u64)RQ_COPIED(&copy, q);
	r.part = (__u64)RQ_COPIED(&copy, part);
	r.opf = RQ_COPIED(&copy, cmd_flags);
	ctx->rq = RQ_COPIED(&copy, rq_next);
	e = rq_find(r.rq, &idx);
	dev = drv_knows(e, &r) ? e->dev : dev_of((__u32)BPF_CORE_READ(rq, q, disk, major) << 20 |
				  BPF_CORE_READ(rq, q, disk, first_minor),
				  BPF_CORE_READ(rq, part, bd_dev));
	if (dev < 0 || is_passthrough(r.opf)) {
		rq_is_over(e);
		return 0;
	}
	e = drv_take(e, &r, dev, ctx->now, &idx);
	if (!e || sees_issue())
		return 0;
	bio = RQ_COPIED(&copy, bio);
	tail = RQ_COPIED(&copy, biotail);
	if (bio)
		link_bios(bio, bio == tail ? NULL : BPF_CORE_READ(bio, bi_next), e, idx, false);
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
