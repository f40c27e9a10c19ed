// SPDX-License-Identifier: GPL-2.0
/* Requests: inserted, issued, requeued, merged, completed; and interrupts. */
#include "rq.bpf.h"

/* A bio may wait this long for its request: behind its layer, for a tag, for a CPU. */
#define QUEUED_BEFORE_NS 250000000ULL

/* The entry of a request of a traced device that is inserted or issued, or NULL. */
static __always_inline struct blklat_rq *rq_arrives(struct request *rq, __u64 now, __u32 *idx)
{
	struct blklat_rq *e;
	int dev;

	if (is_passthrough(rq->cmd_flags))
		return NULL;
	dev = dev_of_rq(rq);
	e = dev < 0 ? NULL : rq_get((__u64)rq, now, idx);
	if (e)
		rq_begin(e, dev);
	return e;
}

SEC("tp_btf/block_rq_insert")
int TP_PROG(rq_insert, struct request *rq)
{
	struct blklat_rq *e;
	__u64 now;
	__u32 idx;

	if (state.phase == PHASE_IDLE)
		return 0;
	now = bpf_ktime_get_ns();
	e = rq_arrives(rq, now, &idx);
	if (e && !e->insert)
		e->insert = now;
	return 0;
}

SEC("?tp_btf/block_rq_issue")
int TP_PROG(rq_issue, struct request *rq)
{
	struct blklat_rq *e;
	__u64 now;
	__u32 idx;

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
	if (rq->bio)
		link_bios(rq->bio, rq->bio->bi_next, e, idx, false);
	return 0;
}

SEC("tp_btf/block_rq_requeue")
int TP_PROG(rq_requeue, struct request *rq)
{
	struct blklat_rq *e;
	__u32 idx;

	if (state.phase == PHASE_IDLE)
		return 0;
	e = rq_find((__u64)rq, &idx);
	if (!e || e->done)
		return 0;
	count(e->dev, COUNT_REQUEUES);
	/* Not when the driver turned it away before it began with it. */
	if (!e->d && e->x && rq->state != MQ_RQ_IDLE)
		count(e->dev, COUNT_RQ_ISSUED);
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
static __always_inline bool same_life(struct request *rq, __u32 idx, struct blklat_rq *e)
{
	struct bio *bio = rq->bio;
	struct blklat_io *io;
	__u32 slot;

	if (!bio || !e->c)
		return false;
	io = io_of((__u64)bio, &slot);
	return io && io->rq == idx + 1 && io->rq_gen == e->gen;
}

/*
 * What is not the one and only completion of a request that was seen at the
 * driver. @e: its entry, if it has one. Returns the entry whose bios get their marks
 * now, or NULL.
 */
static __always_inline struct blklat_rq *rq_odd_end(struct request *rq, struct blklat_rq *e, int dev,
						    bool error, unsigned int nr_bytes, __u64 now,
						    __u32 *index)
{
	struct bio *bio = rq->bio;

	if (is_passthrough(rq->cmd_flags)) {
		count(dev, COUNT_RQ_PASSTHROUGH);
		return NULL;
	}
	if (error)
		count(dev, COUNT_ERRORS);
	if (e && e->done && same_life(rq, *index, e)) {
		/* The data was done before; now its flush sequence is. */
		e->f = now;
		return e;
	}
	/*
	 * dm-multipath's requests end once more, with nothing left in them, and
	 * so does a FUA write, whose bio was missed, after the flush.
	 */
	if (e && e->done && !nr_bytes && (!bio || !(bio->bi_opf & REQ_PREFLUSH)))
		return NULL;
	if (nr_bytes < rq->__data_len) {
		count(dev, COUNT_PARTIAL);
	} else {
		count_completed(ledger_of(dev), rq->cmd_flags & REQ_OP_MASK);
		if (e && !e->done && !e->d && e->x && rq->state != MQ_RQ_IDLE)
			count(dev, COUNT_RQ_ISSUED);
	}
	/*
	 * Not issued while we looked: it was under way at attach, or it is an
	 * empty flush, whose work the shared flush request did, or it failed
	 * before the driver saw it, or that was missed.
	 */
	if (!e)
		e = rq_take((__u64)rq, now, index);
	if (!e)
		return NULL;
	if (e->done)
		rq_new_life(e, dev);
	e->c = now;
	return e;
}

/* The one and only completion of a request that was seen at the driver. */
static __always_inline void rq_plain_end(struct blklat_rq *e)
{
	struct blklat_ledger *l = ledger_of(e->dev);

	count_completed(l, e->op);
	if (!e->d)
		__sync_fetch_and_add(&l->n[COUNT_RQ_ISSUED], 1);
}

SEC("tp_btf/block_rq_complete")
int TP_PROG(rq_complete, struct request *rq, __u8 error, unsigned int nr_bytes)
{
	struct blklat_rq *e;
	struct bio *bio;
	bool last = true;
	__u32 idx;
	int dev;

	if (state.phase == PHASE_IDLE)
		return 0;
	e = rq_find((__u64)rq, &idx);
	if (e && !e->done && e->x && !error && nr_bytes == rq->__data_len) {
		e->c = bpf_ktime_get_ns();
		rq_plain_end(e);
	} else {
		dev = dev_of_rq(rq);
		if (dev < 0)
			return 0;
		e = rq_odd_end(rq, e, dev, error, nr_bytes, bpf_ktime_get_ns(), &idx);
		if (!e)
			return 0;
		last = nr_bytes >= rq->__data_len;
	}
	e->owner = 0;
	/* Neither bytes nor a bio: NVMe multipath took the bio back to try it again, it has not ended. */
	if ((nr_bytes || rq->bio) && !join_one(e, idx)) {
		bio = rq->bio;
		if (bio)
			link_bios(bio, bio->bi_next, e, idx, true);
	}
	/* After the end of a flush sequence nothing is left to do. */
	if (e->f)
		return 0;
	if (!e->linked)
		count_unknown(rq, e->dev);
	if (last)
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
