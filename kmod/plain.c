// SPDX-License-Identifier: GPL-2.0
/*
 * Set up plain loads, and handle the cases that do not occur for each I/O.
 */
#include "bio.h"
#include "plain.h"

/*
 * Return true if the load has no feature that needs work for each I/O beside its latency. A new
 * feature that needs such work must be added here.
 */
static bool is_plain(const struct blkgen_worker *w)
{
	const struct blkgen_params *par = &w->job->par;

	return w->mix.only >= 0 && w->mix.only < BLKGEN_NR_DATA_OPS && par->batch > 1 &&
	       !par->flush_every && !par->limited && !par->sizes && !par->verify && !w->streams &&
	       (w->cur.pattern == BLKGEN_PATTERN_SEQ || w->cur.pattern == BLKGEN_PATTERN_RANDOM);
}

/**
 * blkgen_plain_can() - return true if a worker's load is plain and not paced
 * @w: worker
 */
bool blkgen_plain_can(const struct blkgen_worker *w)
{
	return is_plain(w) && !w->job->par.paced && !w->stats[w->mix.only]->service;
}

/**
 * blkgen_plain_can_pace() - return true if a worker's load is plain except for its rate
 * @w: worker
 */
bool blkgen_plain_can_pace(const struct blkgen_worker *w)
{
	return is_plain(w) && w->job->par.set.rate && !w->job->par.set.think_ns &&
	       w->stats[w->mix.only]->service;
}

static __always_inline void plain_end(struct bio *bio, const bool by_cycles)
{
	struct blkgen_slot *slot = container_of(bio, struct blkgen_slot, bio);

	slot->end = by_cycles ? blkgen_cycles() : ktime_get_ns();
	trace_blkgen_complete(bio);
	blkgen_slot_done(slot);
}

/* Both callbacks run in any context, also from inside submit_bio() */
static void plain_end_cycles(struct bio *bio)
{
	plain_end(bio, true);
}

static void plain_end_ns(struct bio *bio)
{
	plain_end(bio, false);
}

/**
 * blkgen_plain_init() - set up all slots of a worker alike, and collect the data of the loop
 * @w: worker, in its thread; nothing has been in flight
 * @flags: flags of the bios in addition to the flags of the op
 */
struct blkgen_plain blkgen_plain_init(struct blkgen_worker *w, blk_opf_t flags)
{
	const struct blkgen_params *par = &w->job->par;
	const unsigned int op = w->mix.only;
	struct blkgen_plain p = {
		.w = w,
		.bdev = w->job->bdev,
		.opf = blkgen_bio_opf[op] | flags,
		.op = op,
		.mult = blkgen_cycles_mult(),
		.bytes = par->bs,
		.first_sector = par->first_sector,
		.stall_ns = par->stall_ns,
		.measure_ns = w->job->measure_ns,
		.last_ns = w->last_ns,
		.st = w->stats[op],
		.hist = w->stats[op]->lat,
		.service = w->stats[op]->service,
	};
	u32 i;

	if (op == BLKGEN_OP_WRITE && par->fua)
		p.opf |= REQ_FUA;
	p.by_cycles = p.mult;
	if (!p.by_cycles)
		p.mult = 1ULL << BLKGEN_CYCLES_SHIFT;
	p.end_io = p.by_cycles ? plain_end_cycles : plain_end_ns;
	for (i = 0; i < par->qd; i++) {
		struct blkgen_slot *slot = &w->slot[i];

		slot->op = op;
		slot->bytes = par->bs;
		slot->bio.bi_io_vec = slot->vec[op];
		slot->bio.bi_vcnt = slot->nr_vec[op];
		slot->bio.bi_max_vecs = slot->nr_vec[op];
	}

	return p;
}

/**
 * blkgen_plain_not() - account for an I/O that is not plain
 * @w: worker, in its thread
 * @slot: slot of the completed I/O
 * @sent: when the I/O was submitted, ns
 * @took: ns from @sent to the completion; meaningless if the cycle counter of the completion is
 *	before that of the submission
 * @last_ns: time of the last completion before this one, ns
 *
 * Return: the time of the last completion, ns
 */
u64 blkgen_plain_not(struct blkgen_worker *w, struct blkgen_slot *slot, u64 sent, u64 took,
		     u64 last_ns)
{
	slot->end = sent + ((s64)(slot->end - slot->cycles) < 0 ? 0 : took);
	/* From here on @end is in ns: see worker_oldest() */
	slot->cycles = 0;
	w->last_ns = last_ns;
	blkgen_worker_account(w, slot);

	return w->last_ns;
}
