// SPDX-License-Identifier: GPL-2.0
/* Requests: inserted, issued, requeued, merged, completed; and interrupts. */
#include "rq.bpf.h"

/* A bio may wait this long for its request: behind its layer, for a tag, for a CPU. */
#define QUEUED_BEFORE_NS 250000000ULL

/**
 * struct link_ctx - a walk over the bios of a request
 * @bio: the next one
 * @rq: index of the request's entry
 * @gen: its generation
 * @join: the request completed: its bios take over its marks
 * @linked: at least one of them has a slot
 */
struct link_ctx {
	struct bio *bio;
	__u32 rq;
	__u32 gen;
	__u32 join;
	__u32 linked;
};

static long link_one(__u32 i, struct link_ctx *ctx)
{
	struct bio *bio = ctx->bio;
	struct blklat_rq *rq;
	struct blklat_io *io;
	int idx;

	if (!bio)
		return 1;
	idx = io_find((__u64)bio);
	io = idx < 0 ? NULL : io_at(idx);
	/* One that ended is what this bio did before: block_bio_queue was missed. */
	if (io && !(io->flags & IO_SELF_ENDED)) {
		io->rq = ctx->rq + 1;
		io->rq_gen = ctx->gen;
		rq = ctx->join ? rq_at(ctx->rq) : NULL;
		if (rq)
			rq_join(io, rq);
		/* Not a count: the verifier would follow its every value. */
		ctx->linked = 1;
	}
	bpf_core_read(&ctx->bio, sizeof(ctx->bio), &bio->bi_next);
	return 0;
}

/* Tie every bio of the request to its entry; returns whether any was known. */
static __always_inline bool link_bios(struct request *rq, int idx, __u32 gen, bool join)
{
	struct link_ctx ctx = { .bio = rq->bio, .rq = idx, .gen = gen, .join = join };

	if (!ctx.bio)
		return false;
	link_one(0, &ctx);
	if (ctx.bio)
		bpf_loop(BIOS_MAX, link_one, &ctx, 0);
	return ctx.linked;
}

/* The entry of a request of a traced device that is inserted or issued, or NULL. */
static __always_inline struct blklat_rq *rq_arrives(struct request *rq, __u64 now, int *idx)
{
	int dev;

	if (is_passthrough(rq->cmd_flags))
		return NULL;
	dev = dev_of_rq(rq);
	return dev < 0 ? NULL : rq_begin((__u64)rq, dev, now, idx);
}

SEC("tp_btf/block_rq_insert")
int TP_PROG(rq_insert, struct request *rq)
{
	struct blklat_rq *e;
	__u64 now;
	int idx;

	if (state.phase == PHASE_IDLE)
		return 0;
	now = bpf_ktime_get_ns();
	e = rq_arrives(rq, now, &idx);
	if (e && !e->insert)
		e->insert = now;
	return 0;
}

SEC("tp_btf/block_rq_issue")
int TP_PROG(rq_issue, struct request *rq)
{
	struct blklat_rq *e;
	__u64 now;
	int idx;

	if (state.phase == PHASE_IDLE)
		return 0;
	now = bpf_ktime_get_ns();
	e = rq_arrives(rq, now, &idx);
	if (!e)
		return 0;
	if (e->requeued)
		rq_next_attempt(e);
	e->d = now;
	count(e->dev, COUNT_RQ_ISSUED);
	if (link_bios(rq, idx, e->gen, false))
		e->linked = 1;
	return 0;
}

SEC("tp_btf/block_rq_requeue")
int TP_PROG(rq_requeue, struct request *rq)
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
int TP_PROG(rq_merge, struct request *rq)
{
	int dev;

	if (state.phase == PHASE_IDLE)
		return 0;
	dev = dev_of_rq(rq);
	if (dev >= 0)
		count(dev, COUNT_RQ_MERGES);
	return 0;
}

/*
 * No bio of this request has a slot. With a filter it may be somebody else's,
 * while draining it may be new; else it began before the trace, or the start
 * of its bio was missed.
 */
static __always_inline void count_unknown(struct request *rq, __u32 dev)
{
	__u64 since;

	if (!rq->bio)
		return;
	since = dev_cfg(dev)->since_ns ?: state.armed_ns;
	/* Also one whose bio was queued before that. */
	if (rq->start_time_ns < since || rq->start_time_ns - since < QUEUED_BEFORE_NS)
		count(dev, COUNT_BEFORE);
	else
		count_missed_start(dev);
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
int TP_PROG(rq_complete, struct request *rq, __u8 error, unsigned int nr_bytes)
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
		link_bios(rq, idx, e->gen, true);
		return 0;
	}
	/*
	 * dm-multipath's requests end once more, with nothing left in them, and
	 * so does a FUA write, whose bio was missed, after the flush.
	 */
	if (e && e->done && !nr_bytes && (!rq->bio || !(rq->bio->bi_opf & REQ_PREFLUSH)))
		return 0;
	if (nr_bytes < rq->__data_len)
		count(dev, COUNT_PARTIAL);
	else
		count_completed(dev, rq->cmd_flags & REQ_OP_MASK);
	/*
	 * Not issued while we looked: it was under way at attach, or it is an
	 * empty flush, whose work the shared flush request did, or it failed
	 * before the driver saw it, or block_rq_issue was missed.
	 */
	if (!e || e->done || !e->d)
		e = rq_begin((__u64)rq, dev, now, &idx);
	if (!e)
		return 0;
	e->c = now;
	e->owner = 0;
	if (link_bios(rq, idx, e->gen, true))
		e->linked = 1;
	if (!e->linked)
		count_unknown(rq, dev);
	if (nr_bytes >= rq->__data_len)
		e->done = 1;
	return 0;
}

/* Mark V of every driver that completes its requests one by one. */
SEC("?fentry/blk_mq_complete_request")
int FENTRY_PROG(rq_driver_done, struct request *rq)
{
	return rq_seen_by_driver(rq);
}

SEC("tp_btf/irq_handler_entry")
int TP_PROG(irq_enter, int irq, struct irqaction *action)
{
	struct blklat_cpu *cpu = this_cpu();

	if (cpu && state.phase != PHASE_IDLE && !cpu->irq_ns)
		cpu->irq_ns = bpf_ktime_get_ns();
	return 0;
}

SEC("tp_btf/irq_handler_exit")
int TP_PROG(irq_exit, int irq, struct irqaction *action, int ret)
{
	struct blklat_cpu *cpu = this_cpu();

	if (cpu)
		cpu->irq_ns = 0;
	return 0;
}
