/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The short way of plain loads: one op, one size, random or from front to end, in
 * batches, with nothing but latency to be counted. Their slots
 * are all the same but for the sector, and what is the same for all I/Os of a batch
 * is done once. Other loads go the way of worker.h, and so does an I/O that turns
 * out not to be plain: it failed, or ended a stall, or began in the ramp.
 */
#ifndef _BLKGEN_PLAIN_H
#define _BLKGEN_PLAIN_H

#include "cycles.h"
#include "trace.h"
#include "worker.h"

/**
 * struct blkgen_plain - what the loop of a plain load has at hand
 * @w: worker
 * @bdev: device
 * @opf: op and flags of all bios
 * @end_io: of all bios
 * @op: of all slots
 * @by_cycles: completions look at the counter of cycles; else, "cycles" are ns
 * @mult: makes ns of cycles
 * @now: when the batch began, ns
 * @cycles: the same in cycles
 * @bytes: of all slots
 * @first_sector: of the range
 * @stall_ns: without completions
 * @measure_ns: CLOCK_MONOTONIC at the end of the ramp
 * @last_ns: last completion
 * @over: the load goes on in the general way
 * @nr_not: I/Os of this batch that were not plain
 * @st: of @op
 * @hist: of latencies, of @st
 * @service: of service times, of @st, if there is a rate
 *
 * On the stack, and never handed to a function that is not inline, so that the
 * compiler may keep it in registers.
 */
struct blkgen_plain {
	struct blkgen_worker *w;
	struct block_device *bdev;
	blk_opf_t opf;
	bio_end_io_t *end_io;
	unsigned int op;
	bool by_cycles;
	u64 mult;
	u64 now;
	u64 cycles;
	u32 bytes;
	u64 first_sector;
	s64 stall_ns;
	u64 measure_ns;
	u64 last_ns;
	bool over;
	u32 nr_not;
	struct blkgen_stats *st;
	struct blkgen_hist *hist;
	struct blkgen_hist *service;
};

bool blkgen_plain_can(const struct blkgen_worker *w);
struct blkgen_plain blkgen_plain_init(struct blkgen_worker *w, blk_opf_t flags);
bool blkgen_plain_can_pace(const struct blkgen_worker *w);
u64 blkgen_plain_not(struct blkgen_worker *w, struct blkgen_slot *slot, u64 sent, u64 took,
		     u64 last_ns);

/**
 * blkgen_plain_begin - a batch begins now
 * @p: plain load
 * @batch: its length
 *
 * Returns how many I/Os of it may be submitted.
 */
static __always_inline u32 blkgen_plain_begin(struct blkgen_plain *p, u32 batch)
{
	struct blkgen_worker *w = p->w;
	u32 n = min_t(u64, batch, w->left);

	p->now = ktime_get_ns();
	p->cycles = p->by_cycles ? blkgen_cycles() : p->now;
	if (!n || p->over || READ_ONCE(w->job->stop))
		return 0;
	if (unlikely(p->now >= w->job->deadline)) {
		blkgen_job_stop(w->job, BLKGEN_STOP_TIME);
		return 0;
	}

	return n;
}

/* So many of a batch are submitted */
static __always_inline void blkgen_plain_left(struct blkgen_plain *p, u32 sent)
{
	if (likely(p->now >= p->measure_ns))
		p->w->left -= sent;
	else
		blkgen_worker_in_ramp(p->w);
}

/* Sector of the next I/O */
static __always_inline u64 blkgen_plain_sector(struct blkgen_plain *p, const bool random)
{
	struct blkgen_cursor *cur = &p->w->cur;
	u64 place = cur->pos;

	cur->pos += cur->step;
	if (random)
		place = blkgen_perm_at(&cur->perm, place);
	if (unlikely(cur->pos >= cur->end))
		blkgen_cursor_wrap(cur);

	return p->first_sector + place * cur->unit;
}

/**
 * blkgen_plain_account - blkgen_worker_account(), but for what blkgen_plain_count() does
 * @p: plain load
 * @slot: completed; not in flight any more
 * @paced: it was due at its start, and sent later
 */
static __always_inline void blkgen_plain_account(struct blkgen_plain *p, struct blkgen_slot *slot,
						 const bool paced)
{
	u64 took = blkgen_cycles_to_ns(slot->end - slot->cycles, p->mult);
	u64 sent = paced ? slot->sent : slot->start;
	u64 end = sent + took, lat = end - slot->start;
	struct blkgen_worker *w = p->w;

	/* Clocks of two CPUs may differ by a hair: then it is large too */
	if (unlikely((lat | took) >> BLKGEN_HIST_ORDER || slot->start < p->measure_ns ||
		     (s64)(end - p->last_ns) > p->stall_ns || slot->bio.bi_status != BLK_STS_OK)) {
		p->last_ns = blkgen_plain_not(w, slot, sent, took, p->last_ns);
		p->nr_not++;
		return;
	}
	p->last_ns = end;
	w->end_ns = end;
	w->error_run = 0;
	/* Both are within the histogram */
	blkgen_hist_count(p->hist, lat, loglin_index(lat, BLKGEN_HIST_BITS));
	if (paced)
		blkgen_hist_count(p->service, took, loglin_index(took, BLKGEN_HIST_COARSE));
}

/**
 * blkgen_plain_count - count a batch
 * @p: plain load
 * @done: I/Os that were given to blkgen_plain_account()
 * @sent: I/Os submitted
 */
static __always_inline void blkgen_plain_count(struct blkgen_plain *p, u32 done, u32 sent)
{
	struct blkgen_worker *w = p->w;

	done -= p->nr_not;
	p->nr_not = 0;
	p->st->ios += done;
	p->st->bytes += (u64)done * p->bytes;
	/* In this order: who looks must not see more completed than submitted */
	w->submitted += sent;
	w->completed += done;
	w->last_ns = p->last_ns;
}

#endif /* _BLKGEN_PLAIN_H */
