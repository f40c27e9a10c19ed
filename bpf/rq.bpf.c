// SPDX-License-Identifier: GPL-2.0
/*
 * Follow requests as they are inserted, issued, requeued, merged and completed; note interrupts.
 */
#include "rq.bpf.h"

/**
 * blklat_rq_apart() - move the marks of a request from its I/O to an entry of rqs
 * @slot: slot of the I/O
 * @rq: points at the address of the request, because the verifier does not accept a kernel
 *	pointer as a number in the arguments of a global function
 *
 * The caller does this when something unusual happens to the request.
 *
 * Context: any
 * Return: the index of the entry, or -1 if there is no room.
 */
int blklat_rq_apart(__u32 slot, __u64 *rq)
{
	struct blklat_io *io = io_at(slot);
	struct blklat_rq *e;
	__u32 idx = 0;

	io->in_rq = RQ_APART;
	e = rq ? rq_get(*rq, bpf_ktime_get_ns(), &idx) : NULL;
	if (!e)
		return -1;
	rq_new_life(e, io->dev);
	e->op = rq_op_of(io);
	e->insert = io->insert_ns;
	e->p = io->m[MARK_P];
	e->x = io->m[MARK_X];
	e->d = io->m[MARK_D];
	e->b = io->m[MARK_B];
	e->c = io->m[MARK_C];
	e->h = io->irq_ns;
	e->v = io->reap_ns;
	e->owner = io->call;
	e->batch = io->batch;
	e->done = e->c != 0;
	/* User space counts only the requests whose marks stay in their I/O. */
	if (e->d)
		count(io->dev, COUNT_RQ_ISSUED);
	if (e->c)
		count_completed(io->dev, e->op, e->d);
	e->io = slot + 1;
	e->bios = RQ_ONE_BIO;
	e->linked = 1;
	/* The entry may still have the queue of a request that had it before. */
	e->q = 0;
	io->rq = idx + 1;
	io->rq_gen = e->gen;
	return idx;
}

/* Move the marks of a request from its I/O to an entry, and return that, or NULL. */
static __always_inline struct blklat_rq *rq_part_from(__u32 slot, struct request *rq, __u32 *idx)
{
	__u64 key = (__u64)rq;
	int at = blklat_rq_apart(slot, &key);

	/*
	 * In this object clang knows the range of the result and would leave out checks that the
	 * verifier needs: to it the result can be any number.
	 */
	KEEP(at);
	if (at < 0)
		return NULL;
	*idx = at & RQ_MASK;
	return rq_at(at);
}

/*
 * Return the entry of a request that is inserted or issued, and set *@now to the time of that.
 * Return NULL if the request is not traced. A new life of the request begins if the last one ended,
 * or if its end was missed: the request was issued, and is now seen before the driver again without
 * a requeue.
 */
static __always_inline struct blklat_rq *rq_arrives(struct request *rq, __u64 began, __u64 *now,
						    __u32 *idx)
{
	struct blklat_rq *e;
	int dev;

	if (state.phase == PHASE_IDLE || is_passthrough(rq->cmd_flags))
		return NULL;
	dev = dev_of_rq(rq);
	if (dev < 0)
		return NULL;
	*now = mark_time(began);
	e = rq_get((__u64)rq, *now, idx);
	if (e && (e->done || (e->d && !e->requeued)))
		rq_new_life(e, dev);
	return e;
}

SEC("fentry/blk_mq_flush_plug_list")
int FENTRY_PROG(plug_flush, struct blk_plug *plug, bool from_schedule)
{
	struct blklat_cpu *cpu = this_cpu();

	if (state.phase == PHASE_IDLE || !plug->rq_count)
		return 0;
	/*
	 * The task may be preempted between these stores: the new time must not count for another
	 * task.
	 */
	cpu->plug_task = 0;
	barrier();
	cpu->plug_ns = mark_time(began);
	barrier();
	cpu->plug_task = bpf_get_current_task();
	return 0;
}

SEC("tp_btf/block_rq_insert")
int TP_PROG(rq_insert, struct request *rq)
{
	struct bio *bio = rq->bio;
	struct blklat_io *io;
	struct blklat_rq *e;
	__u64 now;
	__u32 idx;

	io = bio && bio == rq->biotail ? io_of((__u64)bio, &idx) : NULL;
	if (io && io->in_rq) {
		set_p(io);
		if (!io->insert_ns)
			io->insert_ns = mark_time(began);
		return 0;
	}
	e = rq_arrives(rq, began, &now, &idx);
	if (e && !e->insert) {
		rq_set_p(e);
		e->insert = now;
	}
	return 0;
}

static APART int rq_issue_apart(struct request *rq, __u64 began)
{
	struct bio *bio = rq->bio;
	struct blklat_rq *e;
	__u64 now;
	__u32 idx;

	e = rq_arrives(rq, began, &now, &idx);
	if (!e)
		return 0;
	if (e->requeued)
		rq_next_attempt(e);
	if (!e->x)
		rq_set_p(e);
	e->d = now;
	count(e->dev, COUNT_RQ_ISSUED);
	if (bio)
		link_bios(bio, bio->bi_next, e, idx, false);
	return 0;
}

SEC("?tp_btf/block_rq_issue")
int TP_PROG(rq_issue, struct request *rq)
{
	struct blklat_io *io;
	__u64 now;

	io = rq_stays_here(rq->bio, rq->biotail);
	if (!io)
		return rq_issue_apart(rq, began);
	if (cfg.plug && !io->m[MARK_X])
		set_p(io);
	now = mark_time(began);
	io->m[MARK_D] = now;
	io->issue_ns = now;
	return 0;
}

SEC("tp_btf/block_rq_requeue")
int RARE_TP_PROG(rq_requeue, struct request *rq)
{
	struct bio *bio = rq->bio;
	struct blklat_io *io;
	struct blklat_rq *e;
	__u32 slot, idx;

	if (state.phase == PHASE_IDLE)
		return 0;
	io = bio && bio == rq->biotail ? io_of((__u64)bio, &slot) : NULL;
	if (io && io->in_rq == RQ_TO_COME) {
		/* The driver turned the request away, and no hook saw that the driver got it. */
		count(io->dev, COUNT_REQUEUES);
		return 0;
	}
	e = io && io->in_rq == RQ_HERE ? rq_part_from(slot, rq, &idx) : rq_find((__u64)rq, &idx);
	if (!e || e->done)
		return 0;
	count(e->dev, COUNT_REQUEUES);
	/* If the driver turned the request away before it was started, it was not issued. */
	if (!e->d && e->x && rq->state != MQ_RQ_IDLE)
		count(e->dev, COUNT_RQ_ISSUED);
	e->requeued = 1;
	return 0;
}

SEC("tp_btf/block_rq_merge")
int RARE_TP_PROG(rq_merge, struct request *rq)
{
	struct blklat_rq *e;
	__u32 idx;
	int dev;

	if (state.phase == PHASE_IDLE)
		return 0;
	dev = dev_of_rq(rq);
	if (dev < 0)
		return 0;
	count(dev, COUNT_RQ_MERGES);
	/* The other request now has its bios, and a new request may get its address. */
	e = rq_find((__u64)rq, &idx);
	if (e)
		e->done = 1;
	return 0;
}

/*
 * Count a completed request none of whose bios has a slot: it began before the trace, or the start
 * of its bio was missed. @e is its entry. Without queue/iostats the kernel does not note when a
 * request began: then it is taken to have begun when it was inserted, or when the driver got it. So
 * one that waited in the scheduler from before the trace may count as missed.
 */
static __always_inline void count_unknown(struct request *rq, struct bio *bio, struct blklat_rq *e)
{
	if (bio)
		count_unseen_start(e->dev, rq->start_time_ns ?: e->insert ?: e->x ?: e->d);
}

/* Return true if @bio, the request's first, is tied to this life of the request's entry. */
static __always_inline bool same_life(struct bio *bio, __u32 idx, struct blklat_rq *e)
{
	struct blklat_io *io;
	__u32 slot;

	if (!bio || !e->c)
		return false;
	io = io_of((__u64)bio, &slot);
	return io && io->rq == idx + 1 && io->rq_gen == e->gen;
}

/*
 * Handle an unusual completion: it is a partial one, a failed one or not the first one of the
 * request, or the driver was not seen to get the request. @e is the entry of the request, which has
 * index *@index, or NULL. Return the entry whose marks its bios get now, or NULL.
 */
static __always_inline struct blklat_rq *rq_odd_end(struct request *rq, struct bio *bio,
						    struct blklat_rq *e, int dev, bool error,
						    unsigned int nr_bytes, __u64 now,
						    __u32 *index)
{
	if (is_passthrough(rq->cmd_flags)) {
		count(dev, COUNT_RQ_PASSTHROUGH);
		return NULL;
	}
	if (e && e->done && same_life(bio, *index, e)) {
		/*
		 * The data completed before, and its error was counted; this is the end of its
		 * flush sequence. A flush that fails is a request of its own.
		 */
		e->f = now;
		return e;
	}
	/*
	 * Some requests end a second time with no bytes left, which is no completion to count: a
	 * request of dm-multipath does, and so does a write whose bio was missed, after the flush
	 * that follows its data. An empty flush has no bytes either, but it must be counted. It was
	 * never started, so its state is MQ_RQ_IDLE, and it has a bio.
	 */
	if (e && e->done && !nr_bytes && (!bio || rq->state != MQ_RQ_IDLE))
		return NULL;
	if (error)
		count(dev, COUNT_ERRORS);
	if (nr_bytes < rq->__data_len) {
		count(dev, COUNT_PARTIAL);
	} else {
		count_completed(dev, rq->cmd_flags & REQ_OP_MASK,
				!e || e->done || e->d || !e->x || rq->state == MQ_RQ_IDLE);
	}
	/*
	 * Without an entry, no program saw that the request was issued. It was under way when the
	 * programs were attached, or is an empty flush, whose work the shared flush request did,
	 * or failed before the driver got it, or the event was missed.
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

/*
 * The request whose marks this I/O keeps has completed. Return true if it is complete without
 * anything unusual; else nothing is done, and rq_ends_apart() has to handle it.
 */
static __always_inline bool rq_ends_here(struct blklat_io *io, struct request *rq, bool error,
					 unsigned int nr_bytes, __u64 began)
{
	if (error || io->m[MARK_C])
		return false;
	/*
	 * Reading the length of the request is expensive, and only a part of a split bio needs it.
	 */
	if (nr_bytes != io->bytes && nr_bytes != rq->__data_len)
		return false;
	io->m[MARK_C] = mark_time(began);
	if (io->batch)
		set_batch_b(io, io->batch);
	return true;
}

/* Handle the completion of a request that has an entry of rqs, or gets one now if it is traced. */
static APART int rq_ends_apart(struct request *rq, __u8 error, unsigned int nr_bytes)
{
	struct blklat_rq *e;
	struct bio *bio;
	bool last = true;
	__u32 idx;
	int dev;

	if (state.phase == PHASE_IDLE)
		return 0;
	dev = dev_of_rq(rq);
	if (dev < 0)
		return 0;
	bio = rq->bio;
	/* The I/O of @bio may have kept the marks until now. */
	e = rq_here(bio, &idx) ? rq_part_from(idx, rq, &idx) : rq_find((__u64)rq, &idx);
	if (e && !e->done && e->x && !error && nr_bytes == rq->__data_len) {
		e->c = bpf_ktime_get_ns();
		count_completed(e->dev, e->op, e->d);
	} else {
		e = rq_odd_end(rq, bio, e, dev, error, nr_bytes, bpf_ktime_get_ns(), &idx);
		if (!e)
			return 0;
		last = nr_bytes >= rq->__data_len;
	}
	e->owner = 0;
	/*
	 * If there are neither bytes nor a bio, NVMe multipath took the bio back to try it again,
	 * so the bio has not ended.
	 */
	if ((nr_bytes || bio) && !join_one(e, idx) && bio)
		link_bios(bio, bio->bi_next, e, idx, true);
	/* The end of a flush sequence needs no more, because the end of the data was counted. */
	if (e->f)
		return 0;
	if (!e->linked)
		count_unknown(rq, bio, e);
	if (last)
		e->done = 1;
	return 0;
}

SEC("tp_btf/block_rq_complete")
int TP_PROG(rq_complete, struct request *rq, __u8 error, unsigned int nr_bytes)
{
	struct blklat_io *io;
	__u32 slot;

	io = rq_io(rq->bio, &slot);
	if (!io && rq_is_others(rq->part))
		return 0;
	if (io && io->in_rq == RQ_HERE && rq_ends_here(io, rq, error, nr_bytes, began))
		return 0;
	return rq_ends_apart(rq, error, nr_bytes);
}

/* Note V for each driver that completes its requests one by one. */
SEC("?fentry/blk_mq_complete_request")
int FENTRY_PROG(rq_driver_done, struct request *rq)
{
	return rq_seen_by_driver((__u64)rq, rq->bio, began);
}

SEC("tp_btf/irq_handler_entry")
int TP_PROG(irq_enter, int irq, struct irqaction *action)
{
	struct blklat_cpu *cpu = this_cpu();

	if (!cpu->irq_ns)
		cpu->irq_ns = mark_time(began);
	return 0;
}

SEC("tp_btf/irq_handler_exit")
int TP_PROG(irq_exit, int irq, struct irqaction *action, int ret)
{
	struct blklat_cpu *cpu = this_cpu();

	cpu->irq_ns = 0;
	return 0;
}
