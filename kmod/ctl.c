// SPDX-License-Identifier: GPL-2.0
/*
 * Implement the ioctls of /dev/blkgen. An open file is a session. All ioctls are in one table;
 * the ABI is in uapi/blkgen.h.
 */
#include <linux/blkdev.h>
#include <linux/cleanup.h>
#include <linux/fs.h>
#include <linux/minmax.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "compat.h"
#include "ctl.h"
#include "engine.h"
#include "job.h"
#include "setup.h"
#include "worker.h"

/**
 * struct blkgen_session - an open file of /dev/blkgen
 * @lock: serializes the ioctls of the session
 * @job: job that SETUP created, or NULL
 * @wait: pollers wait here; woken when the job is done
 */
struct blkgen_session {
	struct mutex lock;
	struct blkgen_job *job;
	wait_queue_head_t wait;
};

/* These are the sizes of the structs as first published: no caller has a shorter struct */
#define FEATURES_SIZE_VER0	80
#define SETUP_SIZE_VER0		264
#define STATUS_SIZE_VER0	168
#define WORKER_SIZE_VER0	64
#define RESULT_SIZE_VER0	352
#define STALLS_SIZE_VER0	784
#define MISMATCH_SIZE_VER0	1176

static_assert(sizeof(struct blkgen_features) == FEATURES_SIZE_VER0);
static_assert(sizeof(struct blkgen_setup) == SETUP_SIZE_VER0);
static_assert(sizeof(struct blkgen_status) == STATUS_SIZE_VER0);
static_assert(sizeof(struct blkgen_worker_info) == WORKER_SIZE_VER0);
static_assert(sizeof(struct blkgen_result) == RESULT_SIZE_VER0);
static_assert(sizeof(struct blkgen_stalls) == STALLS_SIZE_VER0);
static_assert(sizeof(struct blkgen_mismatches) == MISMATCH_SIZE_VER0);

/* An ioctl copies its argument to this, in the module's own version of the struct */
union blkgen_arg {
	u32 size;
	struct blkgen_features features;
	struct blkgen_setup setup;
	struct blkgen_status status;
	struct blkgen_worker_info worker;
	struct blkgen_result result;
	struct blkgen_stalls stalls;
	struct blkgen_mismatches mismatches;
};

static int ctl_features(struct blkgen_session *s, union blkgen_arg *arg)
{
	struct blkgen_features *f = &arg->features;
	unsigned int i;

	if (f->reserved)
		return -EINVAL;
	*f = (struct blkgen_features) {
		.size = f->size,
		.flags = BLKGEN_COMPAT_FEATURES,
		.patterns = BIT_ULL(BLKGEN_PATTERN_SEQ) | BIT_ULL(BLKGEN_PATTERN_RANDOM) |
			    BIT_ULL(BLKGEN_PATTERN_DRAW) | BIT_ULL(BLKGEN_PATTERN_STREAMS),
		.setup_flags = BLKGEN_SETUP_FLAGS,
		.max_bs = BLKGEN_MAX_BS,
		.max_qd = BLKGEN_MAX_QD,
		.max_workers = BLKGEN_MAX_WORKERS,
		.hist_bits = BLKGEN_HIST_BITS,
		.hist_buckets = BLKGEN_HIST_BUCKETS,
		.setup_size = sizeof(struct blkgen_setup),
		.max_buffer = blkgen_max_buffer(),
	};
	for (i = 0; i < blkgen_nr_engines; i++) {
		f->engines |= BIT_ULL(i);
		f->ops |= blkgen_engines[i]->ops;
	}

	return 0;
}

static int ctl_setup(struct blkgen_session *s, union blkgen_arg *arg)
{
	struct blkgen_job *job;

	if (arg->setup.reserved)
		return -EINVAL;
	if (blkgen_job_state(s->job) == BLKGEN_STATE_RUNNING)
		return -EBUSY;
	/* Free the old job first: it may hold the memory or the device that the new job needs */
	if (s->job)
		blkgen_job_free(s->job);
	s->job = NULL;
	job = blkgen_job_create(&arg->setup, &s->wait);
	if (IS_ERR(job))
		return PTR_ERR(job);
	s->job = job;

	return 0;
}

static int ctl_start(struct blkgen_session *s, union blkgen_arg *arg)
{
	int err;

	if (blkgen_job_state(s->job) != BLKGEN_STATE_READY)
		return -EINVAL;
	err = blkgen_job_check(s->job);
	if (!err)
		blkgen_job_start(s->job);

	return err;
}

static int ctl_stop(struct blkgen_session *s, union blkgen_arg *arg)
{
	if (blkgen_job_state(s->job) < BLKGEN_STATE_RUNNING)
		return -EINVAL;
	blkgen_job_stop(s->job, BLKGEN_STOP_USER);

	return 0;
}

static void status_add(struct blkgen_status *st, const struct blkgen_worker *w)
{
	u64 completed = READ_ONCE(w->completed);
	u64 submitted = READ_ONCE(w->submitted);
	unsigned int op;

	/* Nothing orders the two counters, so @completed may be the larger number */
	if (submitted > completed)
		st->inflight += submitted - completed;
	for (op = 0; op < BLKGEN_NR_OPS; op++) {
		if (!w->stats[op])
			continue;
		st->ios[op] += READ_ONCE(w->stats[op]->ios);
		st->bytes[op] += READ_ONCE(w->stats[op]->bytes);
		st->errors += READ_ONCE(w->stats[op]->errors);
	}
}

static int ctl_status(struct blkgen_session *s, union blkgen_arg *arg)
{
	struct blkgen_status *st = &arg->status;
	enum blkgen_state state = blkgen_job_state(s->job);
	unsigned int i;

	if (st->reserved)
		return -EINVAL;
	*st = (struct blkgen_status) { .size = st->size, .state = state };
	if (state == BLKGEN_STATE_IDLE)
		return 0;
	if (state == BLKGEN_STATE_RUNNING && ktime_get_ns() >= s->job->deadline)
		blkgen_job_stop(s->job, BLKGEN_STOP_TIME);
	st->stop = READ_ONCE(s->job->stop);
	if (state == BLKGEN_STATE_RUNNING)
		st->elapsed_ns = ktime_get_ns() - s->job->start_ns;
	else if (state == BLKGEN_STATE_DONE)
		st->elapsed_ns = s->job->end_ns - s->job->start_ns;
	for (i = 0; i < s->job->par.nr_workers; i++)
		status_add(st, s->job->worker[i]);

	return 0;
}

/* Find the workers that an ioctl is about: one, or all. Return an errno if there is none. */
static int ctl_workers(const struct blkgen_session *s, u32 worker, u32 *first, u32 *end)
{
	if (!s->job)
		return -ENODATA;
	*first = worker;
	*end = worker + 1;
	if (worker == BLKGEN_ALL_WORKERS) {
		*first = 0;
		*end = s->job->par.nr_workers;
	} else if (worker >= s->job->par.nr_workers) {
		return -EINVAL;
	}

	return 0;
}

static int ctl_worker(struct blkgen_session *s, union blkgen_arg *arg)
{
	struct blkgen_worker_info *info = &arg->worker;
	u32 i, first, end;
	int err;

	if (info->reserved)
		return -EINVAL;
	err = ctl_workers(s, info->worker, &first, &end);
	if (err)
		return err;
	*info = (struct blkgen_worker_info) { .size = info->size, .worker = info->worker };
	for (i = first; i < end; i++)
		blkgen_worker_info(s->job->worker[i], info);
	if (info->worker == BLKGEN_ALL_WORKERS)
		info->pid = 0;

	return 0;
}

/* Add the results of a worker to @res; @buckets may be NULL */
static void result_add(const struct blkgen_worker *w, struct blkgen_result *res, u64 *buckets)
{
	const struct blkgen_stats *st;
	const struct blkgen_hist *h;

	if (res->what == BLKGEN_WHAT_STREAM) {
		const u32 nr = w->job->par.nr_workers;

		st = res->op % nr == w->index ? w->streams[res->op / nr] : NULL;
	} else {
		st = w->stats[res->op];
	}
	if (!st)
		return;
	h = res->what == BLKGEN_WHAT_SERVICE && st->service ? st->service : st->lat;
	blkgen_stats_report(st, res);
	blkgen_hist_report(h, res, buckets);
	res->hist_bits = h->bits;
}

static int result_check(const struct blkgen_session *s, const struct blkgen_result *res)
{
	if (!res->hist_ptr != !res->hist_len || res->what > BLKGEN_WHAT_STREAM)
		return -EINVAL;
	if (res->what == BLKGEN_WHAT_STREAM) {
		if (res->op >= s->job->par.set.streams || res->worker != BLKGEN_ALL_WORKERS)
			return -EINVAL;
	} else if (res->op >= BLKGEN_NR_OPS) {
		return -EINVAL;
	}

	return res->hist_len && res->hist_len < BLKGEN_HIST_BUCKETS ? -ENOSPC : 0;
}

static int ctl_result(struct blkgen_session *s, union blkgen_arg *arg)
{
	struct blkgen_result *res = &arg->result;
	u32 i, first, end, bits = BLKGEN_HIST_BITS;
	u64 *buckets = NULL;
	int err;

	if (res->reserved)
		return -EINVAL;
	err = ctl_workers(s, res->worker, &first, &end);
	err = err ?: result_check(s, res);
	if (err)
		return err;
	if (res->hist_len) {
		buckets = kvcalloc(BLKGEN_HIST_BUCKETS, sizeof(*buckets), GFP_KERNEL);
		if (!buckets)
			return -ENOMEM;
	}
	*res = (struct blkgen_result) {
		.size = res->size, .worker = res->worker, .op = res->op, .what = res->what,
		.hist_ptr = res->hist_ptr, .hist_bits = bits, .lat_min = U64_MAX,
	};
	for (i = first; i < end; i++)
		result_add(s->job->worker[i], res, buckets);
	if (res->lat_min == U64_MAX)
		res->lat_min = 0;
	if (buckets) {
		res->hist_len = LOGLIN_BUCKETS(BLKGEN_HIST_ORDER, res->hist_bits);
		err = copy_to_user(u64_to_user_ptr(res->hist_ptr), buckets,
				   res->hist_len * sizeof(*buckets)) ? -EFAULT : 0;
	}
	kvfree(buckets);

	return err;
}

static int ctl_stalls(struct blkgen_session *s, union blkgen_arg *arg)
{
	struct blkgen_stalls *st = &arg->stalls;
	const struct blkgen_worker *w;
	u32 first, end;
	int err;

	if (st->reserved)
		return -EINVAL;
	if (st->worker == BLKGEN_ALL_WORKERS)
		return -EINVAL;
	err = ctl_workers(s, st->worker, &first, &end);
	if (err)
		return err;
	w = s->job->worker[first];
	*st = (struct blkgen_stalls) { .size = st->size, .worker = st->worker };
	/* This pairs with blkgen_worker_stalled(): an entry that is counted is filled in */
	st->total = smp_load_acquire(&w->nr_stalls);
	memcpy(st->stall, w->stall, min_t(u32, st->total, BLKGEN_NR_STALLS) * sizeof(*st->stall));

	return 0;
}

static int ctl_mismatch(struct blkgen_session *s, union blkgen_arg *arg)
{
	struct blkgen_mismatches *mm = &arg->mismatches;

	if (mm->reserved)
		return -EINVAL;
	if (!s->job)
		return -ENODATA;
	*mm = (struct blkgen_mismatches) { .size = mm->size };
	blkgen_verify_report(s->job, mm);

	return 0;
}

/**
 * struct ctl_ioctl - an ioctl of the table
 * @call: does the ioctl; called with the session's lock held and the argument copied in
 * @size: size of the module's version of the argument's struct; 0: the argument must be 0
 * @min_size: size of the first version of the struct
 * @out: true if the argument is copied out when @call returns 0
 */
struct ctl_ioctl {
	int (*call)(struct blkgen_session *s, union blkgen_arg *arg);
	u32 size;
	u32 min_size;
	bool out;
};

/* The index is the number of the ioctl */
static const struct ctl_ioctl ctl_ioctls[] = {
	[_IOC_NR(BLKGEN_IOC_FEATURES)] = {
		ctl_features, sizeof(struct blkgen_features), FEATURES_SIZE_VER0, true
	},
	[_IOC_NR(BLKGEN_IOC_SETUP)] = {
		ctl_setup, sizeof(struct blkgen_setup), SETUP_SIZE_VER0, false
	},
	[_IOC_NR(BLKGEN_IOC_START)] = { ctl_start },
	[_IOC_NR(BLKGEN_IOC_STATUS)] = {
		ctl_status, sizeof(struct blkgen_status), STATUS_SIZE_VER0, true
	},
	[_IOC_NR(BLKGEN_IOC_WORKER)] = {
		ctl_worker, sizeof(struct blkgen_worker_info), WORKER_SIZE_VER0, true
	},
	[_IOC_NR(BLKGEN_IOC_RESULT)] = {
		ctl_result, sizeof(struct blkgen_result), RESULT_SIZE_VER0, true
	},
	[_IOC_NR(BLKGEN_IOC_STOP)] = { ctl_stop },
	[_IOC_NR(BLKGEN_IOC_STALLS)] = {
		ctl_stalls, sizeof(struct blkgen_stalls), STALLS_SIZE_VER0, true
	},
	[_IOC_NR(BLKGEN_IOC_MISMATCH)] = {
		ctl_mismatch, sizeof(struct blkgen_mismatches), MISMATCH_SIZE_VER0, true
	},
};

static int ctl_copy_in(const struct ctl_ioctl *ioc, union blkgen_arg *arg,
		       unsigned long ptr)
{
	u32 size;
	int err;

	if (!ioc->size)
		return ptr ? -EINVAL : 0;
	if (get_user(size, (u32 __user *)ptr))
		return -EFAULT;
	if (size < ioc->min_size)
		return -EINVAL;
	if (size > PAGE_SIZE)
		return -E2BIG;
	err = copy_struct_from_user(arg, ioc->size, (void __user *)ptr, size);
	if (err)
		return err;
	/* User space may have changed the size meanwhile: use the size that was checked */
	arg->size = size;

	return 0;
}

static int ctl_copy_out(const struct ctl_ioctl *ioc, const union blkgen_arg *arg,
			unsigned long ptr)
{
	void __user *to = (void __user *)ptr;
	u32 size = min(arg->size, ioc->size);

	if (!ioc->out)
		return 0;
	if (copy_to_user(to, arg, size))
		return -EFAULT;
	if (arg->size > size && clear_user(to + size, arg->size - size))
		return -EFAULT;

	return 0;
}

static long ctl_ioctl(struct file *file, unsigned int cmd, unsigned long ptr)
{
	struct blkgen_session *s = file->private_data;
	const struct ctl_ioctl *ioc;
	union blkgen_arg arg;
	int err;

	if (_IOC_NR(cmd) >= ARRAY_SIZE(ctl_ioctls) ||
	    cmd != _IO(BLKGEN_IOC_MAGIC, _IOC_NR(cmd)))
		return -ENOTTY;
	ioc = &ctl_ioctls[_IOC_NR(cmd)];

	memset(&arg, 0, sizeof(arg));
	err = ctl_copy_in(ioc, &arg, ptr);
	if (err)
		return err;
	/* SETUP allocates and frees memory: other ioctls of the session may have to wait a while */
	err = mutex_lock_killable(&s->lock);
	if (err)
		return err;
	err = ioc->call(s, &arg);
	mutex_unlock(&s->lock);
	if (err)
		return err;

	return ctl_copy_out(ioc, &arg, ptr);
}

static __poll_t ctl_poll(struct file *file, poll_table *table)
{
	struct blkgen_session *s = file->private_data;
	enum blkgen_state state;

	poll_wait(file, &s->wait, table);
	/* SETUP holds the lock while it allocates the buffers, which may take long */
	if (mutex_lock_killable(&s->lock))
		return 0;
	state = blkgen_job_state(s->job);
	mutex_unlock(&s->lock);

	return state == BLKGEN_STATE_DONE ? EPOLLIN | EPOLLRDNORM : 0;
}

static int ctl_open(struct inode *inode, struct file *file)
{
	struct blkgen_session *s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);

	if (!s)
		return -ENOMEM;
	mutex_init(&s->lock);
	init_waitqueue_head(&s->wait);
	file->private_data = s;

	return stream_open(inode, file);
}

/* This runs when the last descriptor is gone, by close() or because its owner died */
static int ctl_release(struct inode *inode, struct file *file)
{
	struct blkgen_session *s = file->private_data;

	if (s->job)
		blkgen_job_free(s->job);
	mutex_destroy(&s->lock);
	kfree(s);

	return 0;
}

static const struct file_operations ctl_fops = {
	.owner = THIS_MODULE,
	.open = ctl_open,
	.release = ctl_release,
	.poll = ctl_poll,
	.unlocked_ioctl = ctl_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

static struct miscdevice ctl_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "blkgen",
	.fops = &ctl_fops,
	.mode = 0600,
};

/**
 * blkgen_ctl_init() - register /dev/blkgen
 *
 * Context: process, sleeps
 * Return: 0, or an errno of misc_register()
 */
int blkgen_ctl_init(void)
{
	return misc_register(&ctl_misc);
}

/**
 * blkgen_ctl_exit() - remove /dev/blkgen, of which no session is open
 *
 * Context: process, sleeps
 */
void blkgen_ctl_exit(void)
{
	misc_deregister(&ctl_misc);
}
