/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Set marks X and B. Each driver needs a file drv_<name>.bpf.c, made of the macros at the end of
 * this file, and one row per program in the hooks table of user/blklat/collect/hooks.c.
 */
#ifndef BLKLAT_DRV_BPF_H
#define BLKLAT_DRV_BPF_H

#include "rq.bpf.h"

#define QUEUE_RQS_MAX 256

/**
 * batch_open() - find the batch that a task has open, or open a new one
 * @task: entry of the current task
 *
 * Return: the number of the batch.
 */
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

/**
 * batch_forget() - let a task have no open batch
 * @task: entry of the current task
 */
static __always_inline void batch_forget(struct task_io *task)
{
	task->batch = 0;
	task->batch_ends = 0;
}

/**
 * batch_close() - note that the driver has rung the doorbell for the open batch of the current task
 * @began: argument of mark_time()
 *
 * The doorbell is for all requests of the batch. Without an open batch, this does nothing.
 *
 * Context: at the return of queue_rq(), queue_rqs() or commit_rqs()
 * Return: 0.
 */
static __always_inline int batch_close(__u64 began)
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
		batch->b = mark_time(began);
	batch_forget(task);
	return 0;
}

/**
 * struct take_ctx - a walk over a batch of requests that a driver gets
 * @rq: the request
 * @next: the request behind it, or NULL
 * @batch: number of the batch
 * @now: monotonic clock in ns
 */
struct take_ctx {
	struct request *rq;
	struct request *next;
	__u64 batch;
	__u64 now;
};

/* drv.bpf.c: take a request whose I/O cannot keep its marks, or that has no I/O */
int blklat_take_apart(struct take_ctx *ctx);

/**
 * struct drv_rq - a request that its driver gets
 * @rq: address of the request
 * @q: address of its queue
 * @part: address of its block device
 * @batch: number of the batch that it is a part of, 0 for none
 * @opf: its cmd_flags
 * @changes: the low 8 bits of blklat_state.changes
 */
struct drv_rq {
	__u64 rq;
	__u64 q;
	__u64 part;
	__u64 batch;
	__u32 opf;
	__u8 changes;
};

/**
 * drv_knows() - check if an entry is known to have the device of this request
 * @e: entry of the request, or NULL
 * @r: the request
 *
 * It is known if the entry had a request of the same device before. After a device joined or left,
 * that no longer holds: the addresses may be those of another device, or the device is not traced
 * now.
 *
 * Return: true if it is known.
 */
static __always_inline bool drv_knows(struct blklat_rq *e, const struct drv_rq *r)
{
	if (cfg.joins && e && e->changes != r->changes)
		return false;
	return e && e->q == r->q && e->part == r->part;
}

/**
 * rq_is_over() - note that a request which is not traced reaches the driver
 * @e: entry of the request, or NULL
 *
 * If it has an entry, it was a traced request in its last life, whose end may have been missed. So
 * the entry is marked as done.
 */
static __always_inline void rq_is_over(struct blklat_rq *e)
{
	/*
	 * Have clang check @e itself. It could derive from other values that @e is not NULL,
	 * which the verifier would not know.
	 */
	KEEP(e);
	if (e)
		e->done = 1;
}

/**
 * drv_take() - fill in the entry of a request that reaches the driver
 * @e: the entry, or NULL to take one
 * @r: the request
 * @dev: index of the traced device
 * @now: mark X in ns
 * @idx: set to the index of the entry if one is taken
 *
 * Return: the entry, or NULL if there is no room.
 */
static __always_inline struct blklat_rq *drv_take(struct blklat_rq *e, const struct drv_rq *r,
						  int dev, __u64 now, __u32 *idx)
{
	if (!e)
		e = rq_take(r->rq, now, idx);
	if (!e)
		return NULL;
	/*
	 * A request that queue_rqs() left over comes again in queue_rq(). That counts as a new life
	 * if block_rq_issue is not attached, because then only X shows that a request was issued.
	 */
	if (e->done || (!e->requeued && (sees_issue() ? e->d : e->x)))
		rq_new_life(e, dev);
	else
		rq_again(e);
	rq_set_p(e);
	e->x = now;
	e->batch = r->batch;
	e->q = r->q;
	e->part = r->part;
	e->changes = r->changes;
	e->op = r->opf & REQ_OP_MASK;
	return e;
}

/**
 * batch_of() - find the batch that a request is a part of
 * @bd: argument of queue_rq()
 *
 * If the open batch already got its last request, the program that closes the batch was skipped. So
 * that batch is forgotten.
 *
 * Context: at the entry of queue_rq()
 * Return: the number of the batch, 0 for none.
 */
static __always_inline __u64 batch_of(const struct blk_mq_queue_data *bd)
{
	struct task_io *task = this_task(!bd->last);

	if (!task)
		return 0;
	if (task->batch_ends)
		batch_forget(task);
	if (!task->batch && bd->last)
		return 0;
	task->batch_ends = bd->last;
	return batch_open(task);
}

/**
 * drv_take_here() - note that a request whose I/O keeps its marks reaches the driver
 * @io: the I/O
 * @call: argument of queue_rq(), 0 in a batch
 * @batch: number of the batch, 0 for none
 * @now: mark X in ns
 *
 * A request that queue_rqs() left over comes again in queue_rq(); its marks begin anew.
 */
static __always_inline void drv_take_here(struct blklat_io *io, __u64 call, __u64 batch, __u64 now)
{
	if (io->m[MARK_X]) {
		io->m[MARK_B] = 0;
		io->reap_ns = 0;
		io->irq_ns = 0;
	}
	io->call = call;
	if (batch | io->batch)
		io->batch = batch;
	set_p(io);
	io->m[MARK_X] = now;
}

/**
 * drv_queue_rq_apart() - do as drv_queue_rq_enter() if no I/O can keep the marks of the request
 * @bd: argument of queue_rq()
 * @commits: true if the driver rings the doorbell only for bd->last
 * @began: argument of mark_time()
 *
 * Context: at the entry of queue_rq()
 * Return: 0.
 */
static APART int drv_queue_rq_apart(const struct blk_mq_queue_data *bd, bool commits, __u64 began)
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

	e = rq_find(r.rq, &idx);
	dev = drv_knows(e, &r) ? e->dev : dev_of_rq_part(rq, part);
	if (dev >= 0)
		r.opf = rq->cmd_flags;
	if (dev < 0 || is_passthrough(r.opf)) {
		rq_is_over(e);
		return 0;
	}
	if (commits)
		r.batch = batch_of(bd);
	e = drv_take(e, &r, dev, mark_time(began), &idx);
	if (!e)
		return 0;
	if (!r.batch)
		e->owner = (__u64)bd;
	bio = sees_issue() ? NULL : rq->bio;
	if (bio)
		link_bios(bio, bio->bi_next, e, idx, false);
	return 0;
}

/**
 * drv_queue_rq_enter() - set mark X of a request
 * @bd: argument of queue_rq()
 * @commits: true if the driver rings the doorbell only for bd->last
 * @began: argument of mark_time()
 *
 * Context: at the entry of queue_rq(); once per request, on the hot path
 * Return: 0.
 */
static __always_inline int drv_queue_rq_enter(const struct blk_mq_queue_data *bd, bool commits,
					      __u64 began)
{
	struct request *rq = bd->rq;
	struct bio *bio = rq->bio;
	struct blklat_io *io;
	__u64 batch;
	__u32 idx;

	io = rq_io(bio, &idx);
	if (!io && rq_is_others(rq->part)) {
		rq_is_over(rq_find((__u64)rq, &idx));
		return 0;
	}
	if (!io || !rq_keeps_here(io, bio == rq->biotail))
		return state.phase == PHASE_IDLE ? 0 : drv_queue_rq_apart(bd, commits, began);
	batch = commits ? batch_of(bd) : 0;
	drv_take_here(io, batch ? 0 : (__u64)bd, batch, mark_time(began));
	return 0;
}

/**
 * drv_queue_rq_returns() - set mark B of a request that is in no batch
 * @bd: argument of queue_rq()
 * @rq: the request
 * @began: argument of mark_time()
 *
 * The request may have completed and even be in use again by now, so only the call that handed it
 * over, in the same life, sets B. That call is known by the address of its argument, which lies on
 * the stack, so no other call has it at the same time.
 *
 * Context: at the return of queue_rq()
 * Return: 1 if this was that call, else 0.
 */
static APART int drv_queue_rq_returns(const struct blk_mq_queue_data *bd, struct request *rq,
				      __u64 began)
{
	struct blklat_io *io;
	struct blklat_rq *e;
	__u32 idx;

	io = rq_here(rq->bio, &idx);
	if (io) {
		if (io->call != (__u64)bd)
			return 0;
		io->call = 0;
		if (!io->m[MARK_C])
			io->m[MARK_B] = mark_time(began);
		return 1;
	}
	e = rq_find((__u64)rq, &idx);
	if (!e || e->owner != (__u64)bd)
		return 0;
	e->owner = 0;
	if (!e->done && !e->requeued)
		e->b = mark_time(began);
	return 1;
}

/**
 * drv_queue_rq_exit() - set mark B of a request, or of the batch that ends with it
 * @bd: argument of queue_rq()
 * @commits: true if the driver rings the doorbell only for bd->last
 * @ret: blk_status_t that queue_rq() returns, 0 if the driver took the request
 * @began: argument of mark_time()
 *
 * Context: at the return of queue_rq(); once per request, on the hot path
 * Return: 0.
 */
static __always_inline int drv_queue_rq_exit(const struct blk_mq_queue_data *bd, bool commits,
					     int ret, __u64 began)
{
	struct request *rq = bd->rq;

	/* Do not set B if the driver did not take the request, or if it has already completed. */
	if (!ret && rq->state == bpf_core_enum_value(enum mq_rq_state, MQ_RQ_IN_FLIGHT) &&
	    drv_queue_rq_returns(bd, rq, began))
		return 0;
	/* The request may be the last one of a batch. */
	return commits && bd->last ? batch_close(began) : 0;
}

/**
 * take_one() - set mark X of the next request of a batch, as a callback of bpf_loop()
 * @i: number of the round, not used
 * @ctx: the walk over the batch
 *
 * Return: 1 at the end of the batch, else 0.
 */
static long take_one(__u32 i, struct take_ctx *ctx)
{
	struct request *rq = ctx->next;
	struct blklat_io *io;
	struct rq_copy copy;

	if (!rq)
		return 1;
	bpf_probe_read_kernel(&copy, sizeof(copy), rq);
	ctx->rq = rq;
	ctx->next = RQ_COPIED(&copy, rq_next);
	io = rq_stays_here(RQ_COPIED(&copy, bio), RQ_COPIED(&copy, biotail));
	if (io)
		drv_take_here(io, 0, ctx->batch, ctx->now);
	else
		blklat_take_apart(ctx);
	return 0;
}

/**
 * drv_queue_rqs_enter() - open a batch, and set mark X of its requests
 * @list: argument of queue_rqs()
 * @began: argument of mark_time()
 *
 * Only the first QUEUE_RQS_MAX requests are looked at.
 *
 * Context: at the entry of queue_rqs()
 * Return: 0.
 */
static __always_inline int drv_queue_rqs_enter(__u64 list, __u64 began)
{
	struct take_ctx ctx = { .next = rqlist_first((void *)list) };
	struct task_io *task;

	if (state.phase == PHASE_IDLE || !ctx.next)
		return 0;
	task = this_task(true);
	if (!task)
		return 0;
	/* If a batch is still open, the program that closes it was skipped. */
	batch_forget(task);
	ctx.batch = batch_open(task);
	task->batch_ends = 1;
	ctx.now = mark_time(began);
	bpf_loop(QUEUE_RQS_MAX, take_one, &ctx, 0);
	return 0;
}

/*
 * DRV_QUEUE_RQ(drv, fn, commits) defines the programs on the queue_rq() of a driver, which is
 * function fn. commits is an expression, which may use bd. It is true if the driver rings the
 * doorbell only for bd->last.
 */
#define DRV_QUEUE_RQ(drv, fn, commits) \
	SEC("?fentry/" #fn) \
	int FENTRY_PROG(drv##_queue_rq_enter, void *hctx, const struct blk_mq_queue_data *bd) \
	{ \
		return drv_queue_rq_enter(bd, commits, began); \
	} \
	SEC("?fexit/" #fn) \
	int FEXIT_PROG(drv##_queue_rq_exit, void *hctx, const struct blk_mq_queue_data *bd, \
		       int ret) \
	{ \
		return drv_queue_rq_exit(bd, commits, ret & 0xff, began); \
	}

/*
 * DRV_QUEUE_RQS(drv, fn) defines the programs on the queue_rqs() of a driver. They use
 * bpf_get_func_arg(), because the verifier of 6.1 gives no access to an argument that is a
 * pointer to a pointer.
 */
#define DRV_QUEUE_RQS(drv, fn) \
	SEC("?fentry/" #fn) \
	int RARE_FENTRY_PROG(drv##_queue_rqs_enter) \
	{ \
		__u64 list = 0; \
\
		bpf_get_func_arg(ctx, 0, &list); \
		return drv_queue_rqs_enter(list, began); \
	} \
	SEC("?fexit/" #fn) \
	int RARE_FEXIT_PROG(drv##_queue_rqs_exit) \
	{ \
		return batch_close(began); \
	}

#define DRV_COMMIT_RQS(drv, fn) \
	SEC("?fexit/" #fn) \
	int RARE_FEXIT_PROG(drv##_commit_rqs_exit) \
	{ \
		return batch_close(began); \
	}

#endif /* BLKLAT_DRV_BPF_H */
