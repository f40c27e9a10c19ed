// SPDX-License-Identifier: GPL-2.0
/*
 * Bios, as all engines that submit them use them.
 */
#include "bio.h"

/*
 * Writes are marked as O_DIRECT's are: what is not is taken for writeback and
 * throttled by wbt.
 */
const blk_opf_t blkgen_bio_opf[BLKGEN_NR_OPS] = {
	[BLKGEN_OP_READ] = REQ_OP_READ,
	[BLKGEN_OP_WRITE] = REQ_OP_WRITE | REQ_SYNC | REQ_IDLE,
	[BLKGEN_OP_TRIM] = REQ_OP_DISCARD,
	[BLKGEN_OP_ZEROES] = REQ_OP_WRITE_ZEROES,
	[BLKGEN_OP_FLUSH] = REQ_OP_WRITE | REQ_SYNC | REQ_PREFLUSH,
};

/**
 * blkgen_bio_init - make the slots' bios ready for blkgen_bio_make()
 * @w: worker, in its thread
 */
void blkgen_bio_init(struct blkgen_worker *w)
{
	u32 i;

	for (i = 0; i < w->job->par.qd; i++)
		bio_init(&w->slot[i].bio, NULL, NULL, 0, REQ_OP_READ);
	bio_init(&w->like, w->job->bdev, NULL, 0, REQ_OP_READ);
}

/**
 * blkgen_bio_uninit - the bios are not used any more
 * @w: worker, in its thread, with nothing in flight
 *
 * One that was made ready when the time was over has a cgroup.
 */
void blkgen_bio_uninit(struct blkgen_worker *w)
{
	u32 i;

	for (i = 0; i < w->job->par.qd; i++)
		bio_uninit(&w->slot[i].bio);
	bio_uninit(&w->like);
}

/**
 * blkgen_bio_end - a bio is done
 * @bio: of a slot
 *
 * Any context; also from inside submit_bio().
 */
void blkgen_bio_end(struct bio *bio)
{
	struct blkgen_slot *slot = container_of(bio, struct blkgen_slot, bio);

	slot->end = ktime_get_ns();
	trace_blkgen_complete(bio);
	blkgen_slot_done(slot);
}

/**
 * blkgen_bio_check - refuse what submit_bio() would fail each one of
 * @job: with parameters and device
 *
 * Returns 0 or -EOPNOTSUPP.
 */
int blkgen_bio_check(const struct blkgen_job *job)
{
	if (job->par.mix[BLKGEN_OP_TRIM] && !bdev_max_discard_sectors(job->bdev))
		return -EOPNOTSUPP;
	if (job->par.mix[BLKGEN_OP_ZEROES] && !bdev_write_zeroes_sectors(job->bdev))
		return -EOPNOTSUPP;

	return 0;
}
