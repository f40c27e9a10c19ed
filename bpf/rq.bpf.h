/* SPDX-License-Identifier: GPL-2.0 */
/* The life of a request between blk-mq and the driver. */
#ifndef BLKLAT_RQ_BPF_H
#define BLKLAT_RQ_BPF_H

#include "cost.bpf.h"

/* More bios than a request has segments do not fit into one. */
#define BIOS_MAX 4096

/*
 * The entry of a request that is on its way to the driver; a new life begins
 * when the last one ended, or when its end was missed (issued, then seen at
 * the start again without a requeue).
 */
static __always_inline struct blklat_rq *rq_begin(__u64 rq, int dev, __u64 now, int *index)
{
	struct blklat_rq *e;
	bool taken = false;
	int idx;

	idx = rq_find(rq);
	if (idx < 0) {
		idx = rq_take(rq, now);
		taken = true;
	}
	e = idx < 0 ? NULL : rq_at(idx);
	if (!e)
		return NULL;
	if (taken || e->done || (e->d && !e->requeued)) {
		e->gen++;
		e->owner = 0;
		e->batch = 0;
		e->first_x = 0;
		e->insert = 0;
		e->x = 0;
		e->d = 0;
		e->b = 0;
		e->h = 0;
		e->v = 0;
		e->c = 0;
		e->f = 0;
		e->requeued = 0;
		e->done = 0;
		e->linked = 0;
		e->dev = dev;
	}
	*index = idx;
	return e;
}

/* After a requeue the marks of the last attempt count, and the first X. */
static __always_inline void rq_next_attempt(struct blklat_rq *e)
{
	if (!e->first_x)
		e->first_x = e->x ?: e->d;
	e->x = 0;
	e->d = 0;
	e->b = 0;
	e->batch = 0;
	e->h = 0;
	e->v = 0;
	e->requeued = 0;
}

/* The marks of the request that carried the bio become the bio's. */
static __always_inline void rq_join(struct blklat_io *io, struct blklat_rq *rq)
{
	io->m[MARK_R] = rq->first_x;
	io->m[MARK_X] = rq->x;
	io->m[MARK_D] = rq->d;
	io->m[MARK_B] = rq->b;
	io->m[MARK_C] = rq->c;
	io->m[MARK_F] = rq->f;
	io->insert_ns = rq->insert;
	io->issue_ns = rq->d;
	if (rq->batch) {
		__u32 slot = rq->batch & (BATCHES - 1);
		struct batch *batch = bpf_map_lookup_elem(&batches, &slot);

		if (batch && batch->seq == rq->batch)
			io->m[MARK_B] = batch->b;
	}
	/* An interrupt older than the submission reaped this one as a guest. */
	if (rq->h && rq->h >= (io->m[MARK_B] ?: rq->d ?: rq->x)) {
		io->m[MARK_H] = rq->h;
	} else {
		io->m[MARK_H] = rq->v;
		io->polled = rq->v && !rq->h;
	}
	/* The submitter may be told on another CPU at this moment. */
	__sync_fetch_and_or(&io->flags, IO_JOINED);
}

static __always_inline void count_completed(__u32 dev, __u32 op)
{
	if (op == REQ_OP(FLUSH))
		count(dev, COUNT_RQ_FLUSHES);
	else if (op == REQ_OP(DISCARD))
		count(dev, COUNT_RQ_DISCARDS);
	else if (op & 1)
		count(dev, COUNT_RQ_WRITES);
	else
		count(dev, COUNT_RQ_READS);
}

/*
 * block_rq_complete was missed: the marks up to the driver's reaping are
 * there, and the request, which is over, is counted here.
 */
static __always_inline void rq_join_missed(struct blklat_io *io)
{
	struct blklat_rq *rq = io->rq ? rq_at(io->rq - 1) : NULL;

	if (!rq || rq->gen != io->rq_gen)
		return;
	if (!rq->done) {
		rq->done = 1;
		rq->c = 0;
		rq->f = 0;
		if (io->op == BLKLAT_OP_DISCARD)
			count(io->dev, COUNT_RQ_DISCARDS);
		else
			count(io->dev, io->op == BLKLAT_OP_READ ? COUNT_RQ_READS : COUNT_RQ_WRITES);
	}
	rq_join(io, rq);
}

/**
 * rq_seen_by_driver - mark V, and H when in an interrupt
 * @rq: a request whose completion the driver has just found
 *
 * Only the first call per attempt counts. Hard interrupt or task context.
 */
static __always_inline int rq_seen_by_driver(struct request *rq)
{
	struct blklat_cpu *cpu;
	struct blklat_rq *e;
	int idx;

	if (state.phase == PHASE_IDLE)
		return 0;
	idx = rq_find((__u64)rq);
	e = idx < 0 ? NULL : rq_at(idx);
	if (!e || e->done || e->v || !(e->x | e->d))
		return 0;
	e->v = bpf_ktime_get_ns();
	cpu = this_cpu();
	if (cpu && cpu->irq_ns)
		e->h = cpu->irq_ns;
	return 0;
}

#endif /* BLKLAT_RQ_BPF_H */
