// SPDX-License-Identifier: GPL-2.0
/*
 * A job: a checked set of parameters, a device and its workers. Created by
 * SETUP, freed by the next SETUP or the end of the session.
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
#include "worker.h"

/* Indexed by enum blkgen_engine */
const struct blkgen_engine_ops *const blkgen_engines[] = {
	[BLKGEN_ENGINE_BIO] = &blkgen_engine_bio,
};

const unsigned int blkgen_nr_engines = ARRAY_SIZE(blkgen_engines);

/**
 * blkgen_max_buffer - most bytes of data buffers in a session
 *
 * A quarter of the memory: they can't be swapped out.
 */
u64 blkgen_max_buffer(void)
{
	return (u64)totalram_pages() << PAGE_SHIFT >> 2;
}

/* Whether the mix has anything but reads */
static bool changes_data(const struct blkgen_setup *set)
{
	unsigned int op;

	for (op = BLKGEN_OP_WRITE; op < BLKGEN_NR_OPS; op++)
		if (set->mix[op])
			return true;

	return false;
}

/* What can be said without the device */
static int check_params(const struct blkgen_setup *set)
{
	struct blkgen_mix mix;
	unsigned int op;

	if (set->flags & ~BLKGEN_SETUP_FUA)
		return -EINVAL;
	if (set->engine >= blkgen_nr_engines ||
	    set->pattern > BLKGEN_PATTERN_RANDOM)
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
	if (!set->bs || !set->qd || !set->workers)
		return -EINVAL;
	if (set->bs > BLKGEN_MAX_BS || set->qd > BLKGEN_MAX_QD ||
	    set->workers > BLKGEN_MAX_WORKERS || set->batch > BLKGEN_MAX_BATCH)
		return -ERANGE;
	if (set->ios && set->ios < set->workers)
		return -EINVAL;

	return 0;
}

static int check_memory(const struct blkgen_setup *set)
{
	u64 need = (u64)PAGE_ALIGN(set->bs) * set->qd * set->workers;

	/* Only these have data */
	need *= !!set->mix[BLKGEN_OP_READ] + !!set->mix[BLKGEN_OP_WRITE];

	return need > blkgen_max_buffer() ? -ENOMEM : 0;
}

/*
 * Take the caller's device. It was opened, so permission is proven; mode and
 * claim show what the caller opened it for.
 */
static int take_device(struct blkgen_job *job, const struct blkgen_setup *set)
{
	struct file *file = fget(set->dev_fd);
	struct inode *inode;

	if (!file)
		return -EBADF;
	job->file = file;
	/* The node's own inode may be on any file system; this is the device's */
	inode = file->f_mapping->host;
	if (!S_ISBLK(file_inode(file)->i_mode) || !S_ISBLK(inode->i_mode))
		return -ENOTBLK;
	job->bdev = I_BDEV(inode);
	if (set->mix[BLKGEN_OP_READ] && !(file->f_mode & FMODE_READ))
		return -EBADF;
	if (changes_data(set) && !(file->f_mode & FMODE_WRITE))
		return -EBADF;
	if (!blkgen_file_is_excl(file, job->bdev))
		return -EPERM;
	if (changes_data(set) && bdev_read_only(job->bdev))
		return -EROFS;

	return 0;
}

/* Check the range against the device, set the parameters that depend on it */
static int set_range(struct blkgen_job *job, const struct blkgen_setup *set)
{
	u64 size = bdev_nr_bytes(job->bdev);
	u32 lbs = bdev_logical_block_size(job->bdev);
	u64 end, length = set->length;

	if ((set->bs | set->offset | length) & (lbs - 1))
		return -EINVAL;
	if (check_add_overflow(set->offset, length, &end))
		return -EOVERFLOW;
	if (set->offset >= size || end > size)
		return -ENXIO;
	if (!length)
		length = size - set->offset;

	job->par.bs = set->bs;
	job->par.bs_sectors = set->bs >> SECTOR_SHIFT;
	job->par.first_sector = set->offset >> SECTOR_SHIFT;
	job->par.nr_blocks = div_u64(length, set->bs);
	if (job->par.nr_blocks < set->workers)
		return -ENOSPC;

	return 0;
}

static void set_params(struct blkgen_params *par, const struct blkgen_setup *set)
{
	par->engine = blkgen_engines[set->engine];
	par->random = set->pattern == BLKGEN_PATTERN_RANDOM;
	par->qd = set->qd;
	par->batch = set->batch ?: BLKGEN_DEF_BATCH;
	par->nr_workers = set->workers;
	par->error_limit = set->error_limit ?: BLKGEN_DEF_ERROR_LIMIT;
	memcpy(par->mix, set->mix, sizeof(par->mix));
	par->flush_every = set->flush_every;
	par->fua = set->flags & BLKGEN_SETUP_FUA;
	par->seed = set->seed;
	par->ios = set->ios ?: U64_MAX;
	par->time_ns = set->time_ns ?: U64_MAX;
}

static int create_workers(struct blkgen_job *job)
{
	unsigned int i;

	for (i = 0; i < job->par.nr_workers; i++) {
		struct blkgen_worker *w = blkgen_worker_create(job, i);

		if (IS_ERR(w))
			return PTR_ERR(w);
		job->worker[i] = w;
	}

	return 0;
}

/**
 * blkgen_job_create - check a setup and make all that the run needs
 * @set: the caller's
 * @wait: woken when the job is done; outlives the job
 *
 * Returns a job that waits for blkgen_job_start(), or an error pointer as
 * struct blkgen_setup documents. Sleeps.
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
	set_params(&job->par, set);

	err = take_device(job, set);
	if (err)
		goto err_free;
	err = set_range(job, set);
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
 * blkgen_job_start - let the workers go
 * @job: READY
 */
void blkgen_job_start(struct blkgen_job *job)
{
	job->start_ns = ktime_get_ns();
	if (check_add_overflow(job->start_ns, job->par.time_ns, &job->deadline))
		job->deadline = U64_MAX;
	atomic_set(&job->nr_running, job->par.nr_workers);
	/* What is above is seen by whoever sees go */
	smp_store_release(&job->go, true);
	wake_up_all(&job->gate);
}

/**
 * blkgen_job_stop - submit no more I/O
 * @job: RUNNING, or DONE
 * @why: kept if it is the first reason
 *
 * Any context. Workers see it when they handle their next completion.
 */
void blkgen_job_stop(struct blkgen_job *job, enum blkgen_stop why)
{
	cmpxchg(&job->stop, BLKGEN_STOP_NONE, why);
}

/**
 * blkgen_job_done - the last worker has ended
 * @job: RUNNING until now, DONE from here
 */
void blkgen_job_done(struct blkgen_job *job)
{
	/* No one stopped it: it ran out of I/Os */
	blkgen_job_stop(job, BLKGEN_STOP_IOS);
	/*
	 * Whoever sees DONE sees all results, and may free the job, but not
	 * before it has stopped this thread: blkgen_worker_stop().
	 */
	smp_store_release(&job->end_ns, ktime_get_ns());
	wake_up_all(job->wait);
}

/**
 * blkgen_job_state - where a job is
 * @job: may be NULL
 */
enum blkgen_state blkgen_job_state(const struct blkgen_job *job)
{
	if (!job)
		return BLKGEN_STATE_IDLE;
	if (!READ_ONCE(job->go))
		return BLKGEN_STATE_READY;
	/* Pairs with blkgen_job_done() */
	if (!smp_load_acquire(&job->end_ns))
		return BLKGEN_STATE_RUNNING;

	return BLKGEN_STATE_DONE;
}

/**
 * blkgen_job_free - end a job, whatever it is doing
 * @job: job
 *
 * Waits for what is in flight, however long the device takes: its memory is
 * in use until then. Idle, as nothing but the device can be blamed for it.
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
	/* A worker's last completion may yet be in blkgen_slot_done() */
	if (i)
		synchronize_rcu();
	while (i--)
		blkgen_worker_free(job->worker[i]);
	blkgen_put_blkcg(job->css);
	if (job->file)
		fput(job->file);
	kfree(job);
}
