// SPDX-License-Identifier: GPL-2.0
/*
 * Do I/O through the page cache of the device, with the caller's file, like read() and write()
 * without O_DIRECT. A write ends when its data is in the page cache. A flush is an fsync(), which
 * fails if writeback has failed since the last flush. All workers have the same file, so only one
 * of them sees such a failure. If the load has flushes, the run ends with a flush: the time of the
 * run then includes the time to get the data to the device.
 */
#include <linux/blkdev.h>
#include <linux/fs.h>
#include <linux/uio.h>
#include "engine.h"
#include "single.h"

static void buffered_make(struct blkgen_worker *w, struct blkgen_slot *slot)
{
}

static ssize_t buffered_transfer(struct file *file, struct blkgen_slot *slot)
{
	loff_t pos = slot->sector << SECTOR_SHIFT;
	struct iov_iter iter;

	/* An iterator with WRITE takes data from the buffers, one with READ puts data into them */
	if (slot->op == BLKGEN_OP_WRITE) {
		iov_iter_bvec(&iter, WRITE, slot->vec[slot->op], slot->nr_vec[slot->op],
			      slot->bytes);
		return vfs_iter_write(file, &iter, &pos, 0);
	}
	iov_iter_bvec(&iter, READ, slot->vec[slot->op], slot->nr_vec[slot->op], slot->bytes);

	return vfs_iter_read(file, &iter, &pos, 0);
}

static blk_status_t buffered_io(struct blkgen_worker *w, struct blkgen_slot *slot)
{
	struct file *file = w->job->file;
	ssize_t done;

	if (slot->op == BLKGEN_OP_FLUSH)
		return errno_to_blk_status(vfs_fsync(file, 0));
	done = buffered_transfer(file, slot);
	if (done < 0)
		return errno_to_blk_status(done);

	/* A short transfer means the end of the device, or a page that could not be read */
	return done == slot->bytes ? BLK_STS_OK : BLK_STS_IOERR;
}

/* Flush the data that the last writes have left in the page cache, if the load has flushes */
static void buffered_last_flush(struct blkgen_worker *w)
{
	struct blkgen_slot *slot = &w->slot[0];

	if (!w->job->par.flush_every || !w->unflushed)
		return;
	w->unflushed = 0;
	slot->op = BLKGEN_OP_FLUSH;
	slot->bytes = 0;
	slot->stream = NULL;
	blkgen_worker_begin(w, slot, ktime_get_ns(), 0);
	blkgen_single_end(w, slot, buffered_io(w, slot));
	/*
	 * Set the end of the run again: the flush has set it to its own end, which may be before
	 * the next I/O would have been due
	 */
	blkgen_idle_end(w);
}

static void buffered_run(struct blkgen_worker *w)
{
	blkgen_single_run(w, buffered_make, buffered_io);
	buffered_last_flush(w);
}

static int buffered_check(const struct blkgen_job *job)
{
	/*
	 * The page cache has no FUA writes. With O_DIRECT, I/O bypasses the page cache, and this
	 * engine would have nothing to measure.
	 */
	if (job->par.fua || job->file->f_flags & O_DIRECT)
		return -EOPNOTSUPP;

	return 0;
}

const struct blkgen_engine_ops blkgen_engine_buffered = {
	.ops = BIT_ULL(BLKGEN_OP_READ) | BIT_ULL(BLKGEN_OP_WRITE),
	.single = true,
	.check = buffered_check,
	.run = buffered_run,
};
