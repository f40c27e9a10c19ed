// SPDX-License-Identifier: GPL-2.0
/*
 * Check a setup, and create and free its job: SETUP creates the job, and the next SETUP or the end
 * of the session frees it.
 */
#include <linux/bits.h>
#include <linux/blkdev.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "compat.h"
#include "engine.h"
#include "job.h"
#include "setup.h"
#include "worker.h"

/* The index is an enum blkgen_engine */
const struct blkgen_engine_ops *const blkgen_engines[] = {
	[BLKGEN_ENGINE_BIO] = &blkgen_engine_bio,
	[BLKGEN_ENGINE_SYNC] = &blkgen_engine_sync,
	[BLKGEN_ENGINE_POLLED] = &blkgen_engine_polled,
	[BLKGEN_ENGINE_BUFFERED] = &blkgen_engine_buffered,
};

const unsigned int blkgen_nr_engines = ARRAY_SIZE(blkgen_engines);

/**
 * blkgen_max_buffer() - compute how large the data buffers of a session may be
 *
 * The limit is a quarter of the memory, because buffers cannot be swapped out.
 *
 * Return: the limit of all buffers together, bytes
 */
u64 blkgen_max_buffer(void)
{
	return (u64)totalram_pages() << PAGE_SHIFT >> 2;
}

/* Return true if the mix has anything but reads */
static bool changes_data(const struct blkgen_setup *set)
{
	unsigned int op;

	for (op = BLKGEN_OP_WRITE; op < BLKGEN_NR_OPS; op++)
		if (set->mix[op])
			return true;

	return false;
}

/* Check that the fields that define the places of the I/Os do not contradict each other */
static int check_pattern(const struct blkgen_setup *set)
{
	bool draw = set->pattern == BLKGEN_PATTERN_DRAW;
	bool streams = set->pattern == BLKGEN_PATTERN_STREAMS;

	if (draw != !!set->nr_zones || (set->flags & BLKGEN_SETUP_SCATTER && !draw))
		return -EINVAL;
	if (draw && set->passes)
		return -EINVAL;
	if (!streams && (set->streams || set->zone_size || set->zone_skip || set->zone_range))
		return -EINVAL;
	if (streams && set->streams < set->workers)
		return -EINVAL;
	if (set->flags & BLKGEN_SETUP_APART &&
	    (set->pattern != BLKGEN_PATTERN_SEQ || set->nr_sizes ||
	     (set->align && set->align != set->bs) ||
	     !set->mix[BLKGEN_OP_READ] || !changes_data(set)))
		return -EINVAL;
	if (set->zone_skip && !set->zone_size)
		return -EINVAL;
	if (set->zone_size && set->zone_size < set->bs)
		return -EINVAL;

	return 0;
}

/*
 * Check that the fields that define when I/Os are due do not contradict each other, and that the
 * arithmetic does not overflow
 */
static int check_pacing(const struct blkgen_setup *set)
{
	u64 unit = set->flags & BLKGEN_SETUP_RATE_BYTES ? set->bs : 1;
	u64 most;

	if (set->rate && set->think_ns)
		return -EINVAL;
	if (!set->rate && (set->arrival || set->burst || set->flags & BLKGEN_SETUP_RATE_BYTES))
		return -EINVAL;
	if (set->think_ns > BLKGEN_MAX_WAIT)
		return -ERANGE;
	if (!set->rate)
		return 0;
	/* The longest random interval is 45 times the mean, and must not overflow pacer_move() */
	if (check_mul_overflow(unit * (set->burst ?: 1), NSEC_PER_SEC * set->workers, &most) ||
	    most > U64_MAX - set->rate ||
	    div64_u64(most, set->rate) > BLKGEN_MAX_WAIT || set->rate > 1ULL << 40)
		return -ERANGE;

	return 0;
}

/*
 * Return true if the load can be verified: it must do nothing but read or nothing but write,
 * because a mix would read sectors that are not written yet.
 */
static bool verifiable(const struct blkgen_setup *set)
{
	unsigned int op, nr = 0;

	for (op = 0; op < BLKGEN_NR_OPS; op++)
		nr += !!set->mix[op];

	return nr == 1 && (set->mix[BLKGEN_OP_READ] || set->mix[BLKGEN_OP_WRITE]);
}

/* Check everything that can be checked without the device */
static int check_params(const struct blkgen_setup *set)
{
	struct blkgen_mix mix;
	unsigned int op;
	int err;

	if (set->flags & ~BLKGEN_SETUP_FLAGS)
		return -EINVAL;
	if (set->engine >= blkgen_nr_engines || set->pattern > BLKGEN_PATTERN_STREAMS ||
	    set->arrival > BLKGEN_ARRIVAL_POISSON)
		return -EOPNOTSUPP;
	for (op = 0; op < BLKGEN_NR_OPS; op++) {
		if (set->mix[op] && !(blkgen_engines[set->engine]->ops & BIT_ULL(op)))
			return -EOPNOTSUPP;
	}
	if (blkgen_mix_init(&mix, set->mix, 0))
		return -EINVAL;
	if (set->flags & BLKGEN_SETUP_FUA && !set->mix[BLKGEN_OP_WRITE])
		return -EINVAL;
	if (set->flush_every && !changes_data(set))
		return -EINVAL;
	if (set->flags & BLKGEN_SETUP_VERIFY ? !verifiable(set) : !!set->generation)
		return -EINVAL;
	if (!set->bs || !set->qd || !set->workers)
		return -EINVAL;
	if (set->qd > 1 && blkgen_engines[set->engine]->single)
		return -ERANGE;
	if (set->bs > BLKGEN_MAX_BS || set->qd > BLKGEN_MAX_QD ||
	    set->workers > BLKGEN_MAX_WORKERS || set->batch > BLKGEN_MAX_BATCH ||
	    set->nr_sizes > BLKGEN_MAX_TABLE || set->nr_zones > BLKGEN_MAX_TABLE ||
	    set->streams > BLKGEN_MAX_STREAMS)
		return -ERANGE;
	if (set->ios && (set->ios < set->workers || set->worker_ios))
		return -EINVAL;
	err = check_pattern(set);

	return err ?: check_pacing(set);
}

static int check_memory(const struct blkgen_setup *set)
{
	u64 need = (u64)PAGE_ALIGN(set->bs) * set->qd * set->workers;

	/* Only reads and writes have data buffers */
	need *= !!set->mix[BLKGEN_OP_READ] + !!set->mix[BLKGEN_OP_WRITE];

	return need > blkgen_max_buffer() ? -ENOMEM : 0;
}

/*
 * Take the caller's device. The caller has opened it, which proves the permission. The mode of the
 * file and the exclusive claim show for which use the caller opened it.
 */
static int take_device(struct blkgen_job *job, const struct blkgen_setup *set)
{
	struct file *file = fget(set->dev_fd);
	struct inode *inode;

	if (!file)
		return -EBADF;
	job->file = file;
	/*
	 * The inode of the device node may be on any file system; f_mapping leads to the inode of
	 * the device
	 */
	inode = file->f_mapping->host;
	if (!S_ISBLK(file_inode(file)->i_mode) || !S_ISBLK(inode->i_mode))
		return -ENOTBLK;
	job->bdev = I_BDEV(inode);
	if (set->mix[BLKGEN_OP_READ] && !(file->f_mode & FMODE_READ))
		return -EBADF;
	if (changes_data(set) && !(file->f_mode & FMODE_WRITE))
		return -EBADF;
	/* If the module cannot see whether the file is exclusive, it lets nobody write */
	if (!blkgen_file_is_excl(file, job->bdev) && (BLKGEN_COMPAT_EXCL || changes_data(set)))
		return -EPERM;
	if (changes_data(set) && bdev_read_only(job->bdev))
		return -EROFS;
	/*
	 * Bios bypass the page cache. Dirty data that others have left there would later overwrite
	 * the data of the load, so write it back now. If that fails, the error belongs to those who
	 * wrote the data.
	 */
	if (set->engine != BLKGEN_ENGINE_BUFFERED) {
		sync_blockdev(job->bdev);
		invalidate_bdev(job->bdev);
	}

	return 0;
}

/**
 * blkgen_job_check() - find out whether the device still is as it was at SETUP
 * @job: job that is ready
 *
 * Context: process.
 * Return: 0; -EROFS if the load changes data and the device has become read-only; -ENXIO if the
 *	   range ends past the end of the device now; -EINVAL if its logical blocks have another
 *	   size
 */
int blkgen_job_check(const struct blkgen_job *job)
{
	const struct blkgen_params *par = &job->par;
	u64 end = (par->first_sector + par->layout.sectors) << SECTOR_SHIFT;

	if (changes_data(&par->set) && bdev_read_only(job->bdev))
		return -EROFS;
	if (end > bdev_nr_bytes(job->bdev))
		return -ENXIO;

	return bdev_logical_block_size(job->bdev) == par->lbs ? 0 : -EINVAL;
}

/*
 * Divide the range into parts for the streams. Sequential I/O with several sizes, or with an @align
 * other than @bs, uses streams, too, one per worker.
 */
static int set_streams(struct blkgen_layout *lay, const struct blkgen_setup *set)
{
	u64 last;

	if (lay->pattern == BLKGEN_PATTERN_SEQ && (set->nr_sizes || lay->unit != lay->max))
		lay->pattern = BLKGEN_PATTERN_STREAMS;
	if (lay->pattern != BLKGEN_PATTERN_STREAMS)
		return 0;
	lay->nr_streams = set->streams ?: set->workers;
	lay->zone_size = set->zone_size >> SECTOR_SHIFT;
	lay->zone_skip = set->zone_skip >> SECTOR_SHIFT;
	lay->zone_range = set->zone_range >> SECTOR_SHIFT;
	if (!lay->zone_range)
		lay->zone_range = div_u64(div_u64(lay->sectors, lay->nr_streams),
					  lay->unit) * lay->unit;
	if (lay->zone_range < lay->max ||
	    check_mul_overflow((u64)lay->nr_streams - 1, lay->zone_range, &last) ||
	    last > lay->sectors - lay->max)
		return -ENOSPC;
	/*
	 * Refuse distances between zones and between streams that are no multiples of @align: a
	 * stream begins its zones at these distances, and would do I/O between the multiples.
	 */
	if ((lay->zone_size + lay->zone_skip) % lay->unit || lay->zone_range % lay->unit)
		return -EINVAL;

	return 0;
}

/* Check the range against the device, and set the parameters that depend on the device */
static int set_range(struct blkgen_job *job, const struct blkgen_setup *set)
{
	u64 size = bdev_nr_bytes(job->bdev);
	u32 lbs = bdev_logical_block_size(job->bdev);
	struct blkgen_layout *lay = &job->par.layout;
	u64 end, length = set->length;

	if ((set->bs | set->offset | length | set->align | set->zone_size | set->zone_skip |
	     set->zone_range) & (lbs - 1))
		return -EINVAL;
	if (check_add_overflow(set->offset, length, &end))
		return -EOVERFLOW;
	if (set->offset >= size || end > size)
		return -ENXIO;
	if (!length)
		length = size - set->offset;

	job->par.bs = set->bs;
	job->par.lbs = lbs;
	job->par.first_sector = set->offset >> SECTOR_SHIFT;
	lay->pattern = set->pattern;
	lay->unit = (set->align ?: set->bs) >> SECTOR_SHIFT;
	lay->max = set->bs >> SECTOR_SHIFT;
	lay->sectors = length >> SECTOR_SHIFT;
	lay->seed = set->seed;
	lay->nr_places = blkgen_layout_places(lay->sectors, lay->unit, lay->max);
	if (lay->nr_places < set->workers)
		return -ENOSPC;

	return set_streams(lay, set);
}

static void set_params(struct blkgen_params *par, const struct blkgen_setup *set)
{
	par->engine = blkgen_engines[set->engine];
	par->qd = set->qd;
	par->batch = set->batch ?: BLKGEN_DEF_BATCH;
	par->nr_workers = set->workers;
	par->error_limit = set->error_limit ?: BLKGEN_DEF_ERROR_LIMIT;
	memcpy(par->mix, set->mix, sizeof(par->mix));
	par->flush_every = set->flush_every;
	par->apart = set->flags & BLKGEN_SETUP_APART;
	par->fua = set->flags & BLKGEN_SETUP_FUA;
	par->verify = set->flags & BLKGEN_SETUP_VERIFY;
	par->paced = set->rate || set->think_ns;
	par->limited = (set->bytes && set->nr_sizes) || set->passes;
	par->seed = set->seed;
	par->time_ns = set->time_ns ?: U64_MAX;
	/* Times between I/Os are compared with this as signed numbers */
	par->stall_ns = min_t(u64, set->stall_ns ?: BLKGEN_DEF_STALL, S64_MAX);
	par->set = *set;
}

static int create_workers(struct blkgen_job *job)
{
	unsigned int i;

	job->task = kcalloc(job->par.nr_workers, sizeof(*job->task), GFP_KERNEL_ACCOUNT);
	if (!job->task)
		return -ENOMEM;
	for (i = 0; i < job->par.nr_workers; i++) {
		struct blkgen_worker *w = blkgen_worker_create(job, i);

		if (IS_ERR(w))
			return PTR_ERR(w);
		job->worker[i] = w;
		job->task[i] = w->task;
	}

	return 0;
}

/**
 * blkgen_job_create() - check a setup, and create everything that the run needs
 * @set: the caller's setup
 * @wait: woken when the job is done; outlives the job
 *
 * Return: a job that waits for blkgen_job_start(), or an error pointer with an error that struct
 * blkgen_setup documents
 *
 * Context: process, sleeps
 */
struct blkgen_job *blkgen_job_create(const struct blkgen_setup *set,
				     wait_queue_head_t *wait)
{
	struct blkgen_job *job;
	int err;

	err = check_params(set);
	if (err)
		return ERR_PTR(err);
	job = kzalloc(struct_size(job, worker, set->workers), GFP_KERNEL_ACCOUNT);
	if (!job)
		return ERR_PTR(-ENOMEM);
	job->wait = wait;
	init_waitqueue_head(&job->gate);
	spin_lock_init(&job->wrong.lock);
	set_params(&job->par, set);

	err = take_device(job, set);
	if (err)
		goto err_free;
	err = set_range(job, set);
	if (err)
		goto err_free;
	err = blkgen_tables_read(job, bdev_logical_block_size(job->bdev));
	if (err)
		goto err_free;
	err = check_memory(set);
	if (err)
		goto err_free;
	if (job->par.engine->check) {
		err = job->par.engine->check(job);
		if (err)
			goto err_free;
	}
	job->css = blkgen_get_blkcg();
	err = create_workers(job);
	if (err)
		goto err_free;

	return job;

err_free:
	blkgen_job_free(job);
	return ERR_PTR(err);
}

/**
 * blkgen_job_free() - stop a job in any state, and free it
 * @job: job
 *
 * Waits until the I/Os in flight have completed, however long the device takes, because they use
 * the job's memory. The wait is TASK_IDLE, as the hung task detector must not blame this task:
 * only the device can be the cause.
 *
 * Context: process, sleeps
 */
void blkgen_job_free(struct blkgen_job *job)
{
	unsigned int i;

	if (blkgen_job_state(job) == BLKGEN_STATE_RUNNING) {
		blkgen_job_stop(job, BLKGEN_STOP_USER);
		wait_event_idle(*job->wait, blkgen_job_state(job) == BLKGEN_STATE_DONE);
	}
	for (i = 0; i < job->par.nr_workers && job->worker[i]; i++)
		blkgen_worker_stop(job->worker[i]);
	/* The last completion of a worker may still be in blkgen_slot_done() */
	if (i)
		synchronize_rcu();
	while (i--)
		blkgen_worker_free(job->worker[i]);
	kfree(job->task);
	blkgen_tables_free(job);
	blkgen_put_blkcg(job->css);
	if (job->file)
		fput(job->file);
	kfree(job);
}
