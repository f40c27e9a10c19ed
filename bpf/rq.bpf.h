/* SPDX-License-Identifier: GPL-2.0 */
/* The life of a request between blk-mq and the driver. */
#ifndef BLKLAT_RQ_BPF_H
#define BLKLAT_RQ_BPF_H

#include "tables.bpf.h"

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
	if (taken || e->done) {
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

/**
 * rq_seen_by_driver - mark V, and H when in an interrupt
 * @rq: a request whose completion the driver has just found
 *
 * Only the first call per attempt counts. Hard interrupt or task context.
 */
static __always_inline int rq_seen_by_driver(struct request *rq)
{
	struct cpu_state *cpu;
	struct blklat_rq *e;
	int idx;

	if (state.phase == PHASE_IDLE)
		return 0;
	idx = rq_find((__u64)rq);
	e = idx < 0 ? NULL : rq_at(idx);
	if (!e || e->done || e->v || !e->d)
		return 0;
	e->v = bpf_ktime_get_ns();
	cpu = this_cpu();
	if (cpu && cpu->irq_ns)
		e->h = cpu->irq_ns;
	return 0;
}

#endif /* BLKLAT_RQ_BPF_H */
