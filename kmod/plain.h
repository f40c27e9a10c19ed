/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fast path of plain loads: one op, one size, random or from front to end, in batches, with
 * nothing but latency to be counted. All slots are the same except for the sector, and work that
 * is the same for all I/Os of a batch is done once. Other loads take the general path of
 * worker.h. So does an I/O that turns out not to be plain: it failed, ended a stall, or began in
 * the ramp.
 */
#ifndef _BLKGEN_PLAIN_H
#define _BLKGEN_PLAIN_H

#include "cycles.h"
#include "trace.h"
#include "worker.h"

/**
 * struct blkgen_plain - local variables of the loop of a plain load
 * @w: worker
 * @bdev: block device
 * @opf: op and flags of all bios
 * @end_io: bi_end_io of all bios
 * @op: op of all slots
 * @by_cycles: true if completions read the cycle counter; else all values in "cycles" are ns
 * @mult: converts cycles to ns
 * @now: start of the batch, ns
 * @cycles: start of the batch, in cycles
 * @bytes: size of all I/Os
 * @first_sector: first sector of the range
 * @stall_ns: a longer time without completions is a stall
 * @measure_ns: CLOCK_MONOTONIC at the end of the ramp
 * @last_ns: time of the last completion, ns
 * @over: true if the load is to continue in the general loop
 * @nr_not: I/Os of this batch that were not plain
 * @st: statistics of @op
 * @hist: histogram of latencies in @st
 * @service: histogram of service times in @st, if there is a rate
 *
 * This struct lives on the stack and is only passed to inline functions, so that the compiler can
 * keep it in registers.
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
 * blkgen_plain_begin() - begin a batch: read the clock and check the limits
 * @p: plain load
 * @batch: length of the batch
 *
 * Return: how many I/Os of the batch may be submitted
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

/* Take the @sent I/Os of a batch off the number that may still be submitted */
static __always_inline void blkgen_plain_left(struct blkgen_plain *p, u32 sent)
{
	if (likely(p->now >= p->measure_ns))
		p->w->left -= sent;
	else
		blkgen_worker_in_ramp(p->w);
}

/* Return the sector of the next I/O */
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
 * blkgen_plain_account() - do the part of blkgen_worker_account() that is not in
 *	blkgen_plain_count()
 * @p: plain load
 * @slot: slot of the completed I/O
 * @paced: true if the I/O was due at @slot->start and submitted at @slot->sent; else it was
 *	submitted at @slot->start
 */
static __always_inline void blkgen_plain_account(struct blkgen_plain *p, struct blkgen_slot *slot,
						 const bool paced)
{
	u64 took = blkgen_cycles_to_ns(slot->end - slot->cycles, p->mult);
	u64 sent = paced ? slot->sent : slot->start;
	u64 end = sent + took, lat = end - slot->start;
	struct blkgen_worker *w = p->w;

	/*
	 * The clocks of two CPUs may differ slightly; a negative difference is a large number
	 * here
	 */
	if (unlikely((lat | took) >> BLKGEN_HIST_ORDER || slot->start < p->measure_ns ||
		     (s64)(end - p->last_ns) > p->stall_ns || slot->bio.bi_status != BLK_STS_OK)) {
		p->last_ns = blkgen_plain_not(w, slot, sent, took, p->last_ns);
		p->nr_not++;
		return;
	}
	p->last_ns = end;
	w->end_ns = end;
	w->error_run = 0;
	/* Both times are within the range of the histograms */
	blkgen_hist_count(p->hist, lat, loglin_index(lat, BLKGEN_HIST_BITS));
	if (paced)
		blkgen_hist_count(p->service, took, loglin_index(took, BLKGEN_HIST_COARSE));
}

/**
 * blkgen_plain_count() - count the I/Os of a batch
 * @p: plain load
 * @done: number of I/Os that were passed to blkgen_plain_account()
 * @sent: number of I/Os submitted
 */
static __always_inline void blkgen_plain_count(struct blkgen_plain *p, u32 done, u32 sent)
{
	struct blkgen_worker *w = p->w;

	done -= p->nr_not;
	p->nr_not = 0;
	p->st->ios += done;
	p->st->bytes += (u64)done * p->bytes;
	/* Keep this order: a reader must not see more I/Os completed than submitted */
	w->submitted += sent;
	w->completed += done;
	w->last_ns = p->last_ns;
}

#endif /* _BLKGEN_PLAIN_H */
