// SPDX-License-Identifier: GPL-2.0
/*
 * Set up, complete and check bios, for all engines that submit them.
 */
#include "bio.h"

/*
 * Writes have the flags of O_DIRECT writes: without these flags the kernel treats a write as
 * writeback, and wbt throttles it.
 */
const blk_opf_t blkgen_bio_opf[BLKGEN_NR_OPS] = {
	[BLKGEN_OP_READ] = REQ_OP_READ,
	[BLKGEN_OP_WRITE] = REQ_OP_WRITE | REQ_SYNC | REQ_IDLE,
	[BLKGEN_OP_TRIM] = REQ_OP_DISCARD,
	[BLKGEN_OP_ZEROES] = REQ_OP_WRITE_ZEROES,
	[BLKGEN_OP_FLUSH] = REQ_OP_WRITE | REQ_SYNC | REQ_PREFLUSH,
};

static __always_inline void bio_end(struct bio *bio, u64 end)
{
	struct blkgen_slot *slot = container_of(bio, struct blkgen_slot, bio);

	slot->end = end;
	trace_blkgen_complete(bio);
	blkgen_slot_done(slot);
}

/* Both callbacks run in any context, also from inside submit_bio() */
static void bio_end_cycles(struct bio *bio)
{
	bio_end(bio, blkgen_cycles());
}

static void bio_end_ns(struct bio *bio)
{
	bio_end(bio, ktime_get_ns());
}

/**
 * blkgen_bio_init() - initialize the bios of a worker's slots for blkgen_bio_make()
 * @w: worker, in its thread; its clock of completions is chosen, too
 */
void blkgen_bio_init(struct blkgen_worker *w)
{
	u32 i;

	for (i = 0; i < w->job->par.qd; i++)
		bio_init(&w->slot[i].bio, NULL, NULL, 0, REQ_OP_READ);
	bio_init(&w->like, w->job->bdev, NULL, 0, REQ_OP_READ);
	w->mult = blkgen_cycles_mult();
	w->by_cycles = w->mult;
	if (!w->by_cycles)
		w->mult = 1ULL << BLKGEN_CYCLES_SHIFT;
	w->end_io = w->by_cycles ? bio_end_cycles : bio_end_ns;
}

/**
 * blkgen_bio_uninit() - release the bios of a worker's slots
 * @w: worker, in its thread, with nothing in flight
 *
 * A bio that was made ready but not submitted, because the time was over, holds a cgroup
 * reference.
 */
void blkgen_bio_uninit(struct blkgen_worker *w)
{
	u32 i;

	for (i = 0; i < w->job->par.qd; i++)
		bio_uninit(&w->slot[i].bio);
	bio_uninit(&w->like);
}

/**
 * blkgen_bio_check() - refuse ops that submit_bio() would always fail on this device
 * @job: job with parameters and device
 *
 * Return: 0 or -EOPNOTSUPP
 */
int blkgen_bio_check(const struct blkgen_job *job)
{
	if (job->par.mix[BLKGEN_OP_TRIM] && !bdev_max_discard_sectors(job->bdev))
		return -EOPNOTSUPP;
	if (job->par.mix[BLKGEN_OP_ZEROES] && !bdev_write_zeroes_sectors(job->bdev))
		return -EOPNOTSUPP;

	return 0;
}
