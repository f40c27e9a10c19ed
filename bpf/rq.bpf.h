/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Follow a request between blk-mq and the driver. If a request has only one bio, which has an
 * I/O, its marks are in the slot of that I/O (RQ_HERE), until something unusual happens to the
 * request: a requeue, a partial completion, an error, a flush sequence. Then they move to an
 * entry of rqs, where the marks of all other requests are from the start.
 */
#ifndef BLKLAT_RQ_BPF_H
#define BLKLAT_RQ_BPF_H

#include "cost.bpf.h"

/* A walk over the bios of a request ends after this many; bios behind them do not get its marks. */
#define BIOS_MAX 4096

/* blklat_rq.bios says if the request has one bio or several, or if that is not known. */
#define RQ_UNTIED	0
#define RQ_ONE_BIO	1
#define RQ_BIOS		2

/**
 * rq_find() - find the entry of a request
 * @key: address of the request
 * @index: set to the index of the entry
 *
 * The entry is nearly always the one that the hash leads to. If no request with that hash was ever
 * put into another entry (blklat_rq.spilled), there is no need to look further.
 *
 * Return: the entry, or NULL.
 */
static __always_inline struct blklat_rq *rq_find(__u64 key, __u32 *index)
{
	struct blklat_rq *e;
	__u64 copy;
	int idx;

	*index = rq_home(key);
	e = rq_at(*index);
	if (e->key == key)
		return e;
	if (!e->spilled)
		return NULL;
	copy = key;
	idx = rqs_far(&copy);
	KEEP(idx);
	if (idx < 0)
		return NULL;
	*index = idx & RQ_MASK;
	return rq_at(idx);
}

/**
 * rq_take() - take an entry for a request that has none
 * @key: address of the request
 * @now: monotonic clock in ns
 * @index: set to the index of the entry
 *
 * Return: the entry, or NULL if there is no room.
 */
static __always_inline struct blklat_rq *rq_take(__u64 key, __u64 now, __u32 *index)
{
	__u64 copy = key;
	int idx = rqs_take(&copy, now);

	KEEP(idx);
	if (idx < 0)
		return NULL;
	*index = idx & RQ_MASK;
	return rq_at(idx);
}

/**
 * rq_get() - find the entry of a request, or take one
 * @key: address of the request
 * @now: monotonic clock in ns
 * @index: set to the index of the entry
 *
 * Return: the entry, or NULL if there is no room.
 */
static __always_inline struct blklat_rq *rq_get(__u64 key, __u64 now, __u32 *index)
{
	return rq_find(key, index) ?: rq_take(key, now, index);
}

/**
 * may_issue() - check if block_rq_issue is attached, or may be attached later
 *
 * Return: true if it is or may be.
 */
static __always_inline bool may_issue(void)
{
	return cfg.issue || cfg.joins;
}

/**
 * sees_issue() - check if block_rq_issue is attached
 *
 * Return: true if it is.
 */
static __always_inline bool sees_issue(void)
{
	return cfg.issue || (may_issue() && state.issue);
}

/**
 * rq_new_life() - prepare an entry for a new life of its request
 * @e: the entry; the marks of the last life are cleared
 * @dev: index of the traced device
 */
static __always_inline void rq_new_life(struct blklat_rq *e, int dev)
{
	e->gen++;
	e->owner = 0;
	e->batch = 0;
	e->first_x = 0;
	e->p = 0;
	e->x = 0;
	e->insert = 0;
	if (may_issue())
		e->d = 0;
	e->b = 0;
	e->h = 0;
	e->v = 0;
	e->c = 0;
	e->f = 0;
	e->io = 0;
	e->requeued = 0;
	e->done = 0;
	e->linked = 0;
	e->bios = RQ_UNTIED;
	/* Devices may share tags, so this request may now be in the queue of another device. */
	if (e->dev != dev)
		e->q = 0;
	e->dev = dev;
}

/**
 * rq_next_attempt() - begin another attempt after a requeue
 * @e: entry of the request
 *
 * Only the first X of the attempts before is kept (or D, if X is not known).
 */
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
 * rq_again() - prepare an entry whose request the driver gets, perhaps once more in the same life
 * @e: the entry
 */
static __always_inline void rq_again(struct blklat_rq *e)
{
	if (e->requeued)
		rq_next_attempt(e);
	/*
	 * If the driver turned the request away before it was issued, the request waited in
	 * dispatch, and V and H of that attempt do not count.
	 */
	e->v = 0;
	e->h = 0;
}

/**
 * set_batch_b() - set mark B of an I/O from the doorbell of a batch
 * @io: the I/O
 * @seq: number of the batch
 *
 * If the entry of that batch was used again, mark B stays as it is.
 */
static __always_inline void set_batch_b(struct blklat_io *io, __u64 seq)
{
	__u32 slot = seq & (BATCHES - 1);
	struct batch *batch = &batches[slot];

	if (batch->seq == seq)
		io->m[MARK_B] = batch->b;
}

/**
 * rq_join() - copy the marks of a request to the I/O of a bio that it carried
 * @io: the I/O
 * @rq: entry of the request
 */
static __always_inline void rq_join(struct blklat_io *io, struct blklat_rq *rq)
{
	if (io->m[MARK_G] && rq->p > io->m[MARK_G])
		io->m[MARK_P] = rq->p;
	io->m[MARK_R] = rq->first_x;
	io->m[MARK_X] = rq->x;
	io->m[MARK_B] = rq->b;
	io->m[MARK_C] = rq->c;
	io->m[MARK_F] = rq->f;
	if (may_issue()) {
		io->m[MARK_D] = rq->d;
		io->insert_ns = rq->insert;
		io->issue_ns = rq->d;
	}
	if (rq->batch)
		set_batch_b(io, rq->batch);
	io->irq_ns = rq->h;
	io->reap_ns = rq->v;
	/* This must be atomic: a program on another CPU may set IO_DONE_W at this moment. */
	__sync_fetch_and_or(&io->flags, IO_JOINED);
}

/**
 * count_completed() - count a completed request
 * @dev: index of its device
 * @op: operation of the request, REQ_OP_*
 * @extra: true if the request is not known to have been issued, or if its issue is already counted
 *
 * User space counts each completed request as issued, too. With @extra, this takes that back.
 */
static __always_inline void count_completed(__u32 dev, __u32 op, bool extra)
{
	struct blklat_ledger *l = ledger_of(dev);

	if (op <= REQ_OP(WRITE) || (op != REQ_OP(FLUSH) && op != REQ_OP(DISCARD)))
		__sync_fetch_and_add(&l->n[COUNT_RQ_READS + (op & 1)], 1);
	else if (op == REQ_OP(FLUSH))
		__sync_fetch_and_add(&l->n[COUNT_RQ_FLUSHES], 1);
	else
		__sync_fetch_and_add(&l->n[COUNT_RQ_DISCARDS], 1);
	/*
	 * User space adds the two counters up. This comes second, so that the sum is not too
	 * small in between.
	 */
	if (extra)
		__sync_fetch_and_add(&l->n[COUNT_RQ_ISSUED], -1);
}

/**
 * rq_op_of() - find the operation that the request of an I/O is counted as
 * @io: the I/O
 *
 * Return: REQ_OP_READ, REQ_OP_WRITE or REQ_OP_DISCARD of the running kernel.
 */
static __always_inline __u32 rq_op_of(struct blklat_io *io)
{
	if (io->op == BLKLAT_OP_DISCARD)
		return REQ_OP(DISCARD);
	return io->op == BLKLAT_OP_READ ? REQ_OP(READ) : REQ_OP(WRITE);
}

/**
 * rq_join_missed() - give an I/O the marks of its request, whose block_rq_complete was missed
 * @io: the I/O, which ends
 *
 * The request is over by now, so it is counted if that was not done yet. The I/O gets the marks
 * that are there, up to the driver's reaping.
 */
static __always_inline void rq_join_missed(struct blklat_io *io)
{
	struct blklat_rq *rq = io->rq ? rq_at(io->rq - 1) : NULL;

	if (io->in_rq == RQ_HERE && !io->m[MARK_C]) {
		io->in_rq = RQ_APART;
		count_completed(io->dev, rq_op_of(io), false);
		return;
	}
	if (!rq || rq->gen != io->rq_gen)
		return;
	if (!rq->done) {
		rq->done = 1;
		rq->c = 0;
		rq->f = 0;
		count_completed(io->dev, rq_op_of(io), rq->d || !rq->x);
	}
	rq_join(io, rq);
}

/**
 * struct link_ctx - a walk over the bios of a request, from the second one on
 * @bio: the next bio
 * @rq: index of the request's entry
 * @gen: @gen of that entry; another value there ends the walk
 * @join: true if the request completed, so that the I/Os of its bios get its marks
 * @linked: set to 1 if one of these bios has a slot
 */
struct link_ctx {
	struct bio *bio;
	__u32 rq;
	__u32 gen;
	__u32 join;
	__u32 linked;
};

/**
 * link_io() - tie the I/O of a bio to the entry of its request
 * @io: the I/O
 * @e: the entry
 * @idx: index of @e
 * @join: true to give the I/O the marks of the request
 *
 * Return: false if the I/O is not that of this request, else true.
 */
static __always_inline bool link_io(struct blklat_io *io, struct blklat_rq *e, __u32 idx, bool join)
{
	/* An I/O that has ended is of an earlier use of the bio: block_bio_queue was missed. */
	if (io->flags & IO_SELF_ENDED || is_stray(io, e->dev))
		return false;
	io->in_rq = RQ_APART;
	io->rq = idx + 1;
	io->rq_gen = e->gen;
	if (io->insert_ns && !e->insert) {
		e->insert = io->insert_ns;
		e->p = io->m[MARK_P];
	}
	if (join)
		rq_join(io, e);
	return true;
}

/**
 * link_one() - tie the I/O of the next bio of a request, as a callback of bpf_loop()
 * @i: number of the round, not used
 * @ctx: the walk over the bios
 *
 * Return: 1 if the walk ends, else 0.
 */
static long link_one(__u32 i, struct link_ctx *ctx)
{
	struct blklat_rq *e = rq_at(ctx->rq);
	struct bio *bio = ctx->bio;
	struct blklat_io *io;
	__u32 idx;

	if (!bio || e->gen != ctx->gen)
		return 1;
	io = io_of((__u64)bio, &idx);
	/* Set only a flag here: the verifier would follow each value of a counter. */
	if (io && link_io(io, e, ctx->rq, ctx->join))
		ctx->linked = 1;
	bpf_core_read(&ctx->bio, sizeof(ctx->bio), &bio->bi_next);
	return 0;
}

/**
 * link_bios() - tie the I/O of each bio of a request to its entry
 * @bio: the first bio, whose slot the entry keeps
 * @next: the second bio, or NULL
 * @e: the entry
 * @idx: index of @e
 * @join: true to give the I/Os the marks of the request
 */
static __always_inline void link_bios(struct bio *bio, struct bio *next, struct blklat_rq *e,
				      __u32 idx, bool join)
{
	struct blklat_io *io;
	__u32 slot;

	io = io_of((__u64)bio, &slot);
	if (io) {
		e->io = slot + 1;
		if (link_io(io, e, idx, join))
			e->linked = 1;
	} else {
		e->io = 0;
	}
	e->bios = RQ_ONE_BIO;
	if (next) {
		struct link_ctx ctx = { .bio = next, .rq = idx, .gen = e->gen, .join = join };

		e->bios = RQ_BIOS;
		bpf_loop(BIOS_MAX, link_one, &ctx, 0);
		if (ctx.linked)
			e->linked = 1;
	}
}

/**
 * join_one() - give the marks of a request to the I/O of its only bio
 * @e: entry of the request
 * @idx: index of @e
 *
 * Return: true if this request has one bio, whose I/O is tied to it; else nothing was done.
 */
static __always_inline bool join_one(struct blklat_rq *e, __u32 idx)
{
	struct blklat_io *io;

	if (e->bios != RQ_ONE_BIO || !e->io)
		return false;
	io = io_at(e->io - 1);
	if (io->flags & IO_SELF_ENDED)
		return false;
	/* The bio is in another request by now, and its merge or its start was missed. */
	if (io->rq != idx + 1 || io->rq_gen != e->gen)
		return false;
	rq_join(io, e);
	return true;
}

/**
 * rq_io() - find the I/O of a request's first bio
 * @bio: the bio, or NULL
 * @slot: set to the slot of the I/O
 *
 * Return: the I/O, or NULL.
 */
static __always_inline struct blklat_io *rq_io(struct bio *bio, __u32 *slot)
{
	return bio ? io_of((__u64)bio, slot) : NULL;
}

/**
 * rq_here() - find the I/O of a request's first bio, if it keeps the marks of the request
 * @bio: the bio, or NULL
 * @slot: set to the slot of the I/O
 *
 * Return: the I/O, or NULL.
 */
static __always_inline struct blklat_io *rq_here(struct bio *bio, __u32 *slot)
{
	struct blklat_io *io = rq_io(bio, slot);

	return io && io->in_rq == RQ_HERE ? io : NULL;
}

/**
 * rq_is_others() - check if a request is certainly that of a device that is not traced
 * @part: its rq->part, or NULL
 *
 * A program that finds no I/O checks this first, which keeps tracing cheap for other devices.
 *
 * Return: true if it certainly is.
 */
static __always_inline bool rq_is_others(struct block_device *part)
{
	return part && dev_of_bdev(part) < 0;
}

/**
 * plug_flushed() - find out when this task last began to flush its plug on this CPU
 * @since: monotonic clock in ns
 *
 * Context: the task that inserts a request, or hands it to the driver, as current
 * Return: the time in ns, 0 if that was not after @since or is not known.
 */
static __always_inline __u64 plug_flushed(__u64 since)
{
	struct blklat_cpu *cpu = this_cpu();

	if (cpu->plug_ns <= since || cpu->plug_task != bpf_get_current_task())
		return 0;
	return cpu->plug_ns;
}

/**
 * set_p() - set mark P of an I/O whose request is inserted, or goes to the driver without an insert
 * @io: the I/O
 *
 * If the request was in a plug, the task that does this is flushing the plug. A request that was
 * inserted is in no plug any more.
 *
 * Context: the task that inserts the request, or hands it to the driver, as current
 */
static __always_inline void set_p(struct blklat_io *io)
{
	if (cfg.plug && !io->m[MARK_P] && !io->insert_ns && io->m[MARK_G])
		io->m[MARK_P] = plug_flushed(io->m[MARK_G]);
}

/**
 * rq_set_p() - do as set_p() for a request that has an entry
 * @e: the entry
 *
 * Context: as set_p()
 */
static __always_inline void rq_set_p(struct blklat_rq *e)
{
	if (cfg.plug && !e->insert && !e->first_x)
		e->p = plug_flushed(0);
}

/**
 * rq_keeps_here() - decide if an I/O keeps the marks of its request, which the driver gets
 * @io: I/O of the first bio of the request
 * @one_bio: true if the request has no other bio
 *
 * An I/O whose request has completed cannot keep the marks: it is of an earlier use of the bio, and
 * both the end of that use and the start of the new one were missed.
 *
 * Return: true if the I/O keeps the marks from now on; false if they must be in an entry of rqs.
 */
static __always_inline bool rq_keeps_here(struct blklat_io *io, bool one_bio)
{
	if (!one_bio || !io->in_rq || io->m[MARK_C])
		return false;
	io->in_rq = RQ_HERE;
	return true;
}

/**
 * rq_stays_here() - do as rq_keeps_here() for a request with these bios
 * @bio: the first bio, or NULL
 * @last: the last bio, or NULL
 *
 * Return: the I/O if it keeps the marks from now on, else NULL.
 */
static __always_inline struct blklat_io *rq_stays_here(struct bio *bio, struct bio *last)
{
	struct blklat_io *io;
	__u32 slot;

	io = rq_io(bio, &slot);
	return io && rq_keeps_here(io, bio == last) ? io : NULL;
}

/*
 * rq.bpf.c: move the marks of a request from its I/O to an entry of rqs. Return the index of the
 * entry, or -1.
 */
int blklat_rq_apart(__u32 slot, __u64 *rq);

/**
 * rq_seen_by_driver() - note that the driver has found the completion of a request
 * @rq: address of the request
 * @bio: its first bio, or NULL
 * @began: argument of mark_time()
 *
 * This notes V, and the entry of the interrupt for H if it is called in one. Only the first call
 * per attempt counts.
 *
 * Context: hard interrupt or task
 * Return: 0.
 */
static __always_inline int rq_seen_by_driver(__u64 rq, struct bio *bio, __u64 began)
{
	struct blklat_io *io;
	struct blklat_rq *e;
	__u32 idx;

	io = rq_here(bio, &idx);
	if (io) {
		if (io->m[MARK_C] | io->reap_ns)
			return 0;
		io->reap_ns = mark_time(began);
		io->irq_ns = this_cpu()->irq_ns;
		return 0;
	}
	if (state.phase == PHASE_IDLE)
		return 0;
	e = rq_find(rq, &idx);
	if (!e || e->done || e->v || !(e->x | e->d))
		return 0;
	e->v = mark_time(began);
	e->h = this_cpu()->irq_ns;
	return 0;
}

#endif /* BLKLAT_RQ_BPF_H */
