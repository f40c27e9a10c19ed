// SPDX-License-Identifier: GPL-2.0
/*
 * Do one I/O at a time with submit_bio_wait(), like file systems do for their metadata, and
 * read() and write() with O_DIRECT do for data. The worker sleeps until the I/O is done; the
 * latency ends when the worker runs again.
 */
#include <linux/bio.h>
#include "bio.h"
#include "engine.h"
#include "single.h"
#include "trace.h"

static blk_status_t sync_io(struct blkgen_worker *w, struct blkgen_slot *slot)
{
	struct bio *bio = &slot->bio;

	trace_blkgen_submit(bio);
	submit_bio_wait(bio);
	/*
	 * The tracepoint reads bi_bdev. A stacked driver may have set it to a device that is gone
	 * by now.
	 */
	bio->bi_bdev = w->job->bdev;
	trace_blkgen_complete(bio);

	return bio->bi_status;
}

static void sync_run(struct blkgen_worker *w)
{
	blkgen_bio_init(w);
	blkgen_single_run(w, blkgen_bio_make, sync_io);
	blkgen_bio_uninit(w);
}

const struct blkgen_engine_ops blkgen_engine_sync = {
	.ops = BIT_ULL(BLKGEN_OP_READ) | BIT_ULL(BLKGEN_OP_WRITE) |
	       BIT_ULL(BLKGEN_OP_TRIM) | BIT_ULL(BLKGEN_OP_ZEROES),
	.single = true,
	.check = blkgen_bio_check,
	.run = sync_run,
};
