// SPDX-License-Identifier: GPL-2.0
/* Requests: inserted, issued, requeued, merged, completed; and interrupts. */
#include "rq.bpf.h"

/* More bios than a request has segments do not fit into one. */
#define BIOS_MAX 4096

struct link_ctx {
	struct bio *bio;
	__u32 rq;
	__u32 gen;
	__u32 linked;
};

static long link_one(__u32 i, struct link_ctx *ctx)
{
	struct bio *bio = ctx->bio;
	struct blklat_io *io;
	int idx;

	if (!bio)
		return 1;
	idx = io_find((__u64)bio);
	io = idx < 0 ? NULL : io_at(idx);
	if (io) {
		io->rq = ctx->rq + 1;
		io->rq_gen = ctx->gen;
		/* Not a count: the verifier would follow its every value. */
		ctx->linked = 1;
	}
	bpf_core_read(&ctx->bio, sizeof(ctx->bio), &bio->bi_next);
	return 0;
}

/* Point every bio of the request at its entry; returns whether any was known. */
static __always_inline bool link_bios(struct request *rq, int idx, __u32 gen)
{
	struct link_ctx ctx = { .bio = rq->bio, .rq = idx, .gen = gen };

	if (!ctx.bio)
		return false;
	link_one(0, &ctx);
	if (ctx.bio)
		bpf_loop(BIOS_MAX, link_one, &ctx, 0);
	return ctx.linked;
}

SEC("tp_btf/block_rq_insert")
int BPF_PROG(rq_insert, struct request *rq)
{
	struct blklat_rq *e;
	int idx, dev;
	__u64 now;

	if (state.phase == PHASE_IDLE || is_passthrough(rq->cmd_flags))
		return 0;
	dev = dev_of_rq(rq);
	if (dev < 0)
		return 0;
	now = bpf_ktime_get_ns();
	e = rq_begin((__u64)rq, dev, now, &idx);
	if (e && !e->insert)
		e->insert = now;
	return 0;
}

SEC("tp_btf/block_rq_issue")
int BPF_PROG(rq_issue, struct request *rq)
{
	struct blklat_rq *e;
	int idx, dev;
	__u64 now;

	if (state.phase == PHASE_IDLE || is_passthrough(rq->cmd_flags))
		return 0;
	dev = dev_of_rq(rq);
	if (dev < 0)
		return 0;
	now = bpf_ktime_get_ns();
	e = rq_begin((__u64)rq, dev, now, &idx);
	if (!e)
		return 0;
	if (e->d)
		rq_next_attempt(e);
	e->d = now;
	count(e->dev, COUNT_RQ_ISSUED);
	link_bios(rq, idx, e->gen);
	return 0;
}

SEC("tp_btf/block_rq_requeue")
int BPF_PROG(rq_requeue, struct request *rq)
{
	struct blklat_rq *e;
	int idx;

	if (state.phase == PHASE_IDLE)
		return 0;
	idx = rq_find((__u64)rq);
	e = idx < 0 ? NULL : rq_at(idx);
	if (!e || e->done)
		return 0;
	count(e->dev, COUNT_REQUEUES);
	e->requeued = 1;
	return 0;
}

SEC("tp_btf/block_rq_merge")
int BPF_PROG(rq_merge, struct request *rq)
{
	int dev;

	if (state.phase == PHASE_IDLE)
		return 0;
	dev = dev_of_rq(rq);
	if (dev >= 0)
		count(dev, COUNT_RQ_MERGES);
	return 0;
}

static __always_inline void count_completed(__u32 dev, __u32 opf)
{
	__u32 op = opf & REQ_OP_MASK;

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
 * A request that completes without having been issued while we looked: it was
 * under way at attach, or it is an empty flush, whose work the shared flush
 * request did, or it failed before the driver saw it.
 */
static __always_inline struct blklat_rq *rq_end_unissued(struct request *rq, int dev, __u64 now)
{
	__u64 start = rq->start_time_ns;
	struct blklat_rq *e;
	int idx;

	e = rq_begin((__u64)rq, dev, now, &idx);
	if (e && (link_bios(rq, idx, e->gen) || !rq->bio))
		return e;
	if (start && start < state.armed_ns)
		count(dev, COUNT_BEFORE);
	if (e)
		e->done = 1;
	return e;
}

/* Whether the request still carries the bio that this life of its entry had. */
static __always_inline bool same_life(struct request *rq, int idx, struct blklat_rq *e)
{
	struct bio *bio = rq->bio;
	struct blklat_io *io;
	int i;

	if (!bio || !e->c)
		return false;
	i = io_find((__u64)bio);
	io = i < 0 ? NULL : io_at(i);
	return io && io->rq == idx + 1 && io->rq_gen == e->gen;
}

SEC("tp_btf/block_rq_complete")
int BPF_PROG(rq_complete, struct request *rq, __u8 error, unsigned int nr_bytes)
{
	struct blklat_rq *e;
	__u64 now;
	int idx, dev;

	if (state.phase == PHASE_IDLE)
		return 0;
	dev = dev_of_rq(rq);
	if (dev < 0)
		return 0;
	if (is_passthrough(rq->cmd_flags)) {
		count(dev, COUNT_RQ_PASSTHROUGH);
		return 0;
	}
	if (error)
		count(dev, COUNT_ERRORS);
	now = bpf_ktime_get_ns();
	idx = rq_find((__u64)rq);
	e = idx < 0 ? NULL : rq_at(idx);
	if (e && e->done && same_life(rq, idx, e)) {
		/* The data was done before; now its flush sequence is. */
		e->f = now;
		return 0;
	}
	if (nr_bytes < rq->__data_len)
		count(dev, COUNT_PARTIAL);
	else
		count_completed(dev, rq->cmd_flags);
	if (!e || e->done || !e->d)
		e = rq_end_unissued(rq, dev, now);
	if (!e)
		return 0;
	e->c = now;
	e->owner = 0;
	if (nr_bytes >= rq->__data_len)
		e->done = 1;
	return 0;
}

/* Mark V of every driver that completes its requests one by one. */
SEC("?fentry/blk_mq_complete_request")
int BPF_PROG(rq_driver_done, struct request *rq)
{
	return rq_seen_by_driver(rq);
}

SEC("tp_btf/irq_handler_entry")
int BPF_PROG(irq_enter, int irq, struct irqaction *action)
{
	struct cpu_state *cpu = this_cpu();

	if (cpu && state.phase != PHASE_IDLE && !cpu->irq_ns)
		cpu->irq_ns = bpf_ktime_get_ns();
	return 0;
}

SEC("tp_btf/irq_handler_exit")
int BPF_PROG(irq_exit, int irq, struct irqaction *action, int ret)
{
	struct cpu_state *cpu = this_cpu();

	if (cpu)
		cpu->irq_ns = 0;
	return 0;
}
