/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hide the differences between kernels: no other file knows them. compat/probe defines
 * BLKGEN_HAVE_*, after it has compiled snippets and looked at the exported symbols.
 */
#ifndef _BLKGEN_COMPAT_H
#define _BLKGEN_COMPAT_H

#include <linux/blk_types.h>
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/cgroup.h>
#include <linux/crc32.h>
#include <linux/fs.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include "compat-config.h"
#include "uapi/blkgen.h"

/* Before hybrid polling was removed, bio_poll() slept unless it was told not to */
#ifdef BLK_POLL_NOSLEEP
#define BLKGEN_POLL_NOSLEEP	BLK_POLL_NOSLEEP
#else
#define BLKGEN_POLL_NOSLEEP	0
#endif

#ifdef BLKGEN_HAVE_BLKCG
#define BLKGEN_COMPAT_CGROUP	BLKGEN_FEAT_CGROUP

/* Return the io cgroup of the caller, with a reference */
static inline struct cgroup_subsys_state *blkgen_get_blkcg(void)
{
	return task_get_css(current, io_cgrp_id);
}

/* Drop the reference to @css, which may be NULL */
static inline void blkgen_put_blkcg(struct cgroup_subsys_state *css)
{
	if (css)
		css_put(css);
}

/* Charge the bios of this kthread to @css, or to its own cgroup again if @css is NULL */
static inline void blkgen_associate_blkcg(struct cgroup_subsys_state *css)
{
	kthread_associate_blkcg(css);
}
#else
#define BLKGEN_COMPAT_CGROUP	0

static inline struct cgroup_subsys_state *blkgen_get_blkcg(void) { return NULL; }
static inline void blkgen_put_blkcg(struct cgroup_subsys_state *css) { }
static inline void blkgen_associate_blkcg(struct cgroup_subsys_state *css) { }
#endif

#ifdef BLKGEN_HAVE_BD_HOLDER
#define BLKGEN_COMPAT_EXCL	BLKGEN_FEAT_EXCL

/*
 * Return true if this file was opened O_EXCL. open() drops the flag from f_flags, but an
 * exclusive open makes the file itself the holder of the device.
 */
static inline bool blkgen_file_is_excl(struct file *file, struct block_device *bdev)
{
	return READ_ONCE(bdev->bd_holder) == file;
}
#else
#define BLKGEN_COMPAT_EXCL	0

/* The holder is not visible on this kernel: no file counts as exclusive */
static inline bool blkgen_file_is_excl(struct file *file, struct block_device *bdev)
{
	return false;
}
#endif

/* Return true if the queue claims that its I/O can be polled */
static inline bool blkgen_queue_says_poll(struct request_queue *q)
{
#ifdef BLKGEN_HAVE_FEAT_POLL
	return q->limits.features & BLK_FEAT_POLL;
#else
	return test_bit(QUEUE_FLAG_POLL, &q->queue_flags);
#endif
}

/*
 * Take a reference to the queue of a disk, and wait for it while the queue is frozen. Return false
 * if the disk is being removed, or if a fatal signal arrived.
 */
static inline bool blkgen_queue_hold(struct gendisk *disk)
{
	while (!percpu_ref_tryget_live(&disk->queue->q_usage_counter)) {
		if (test_bit(GD_DEAD, &disk->state) || fatal_signal_pending(current))
			return false;
		schedule_timeout_killable(1);
	}

	return true;
}

/*
 * Return true if I/O of the disk can be polled. A driver may claim this for all of its queues
 * although it has no poll queue, so look at the tag set. The reference to the queue is held
 * meanwhile: without it the driver could free the tag set, if the disk is removed.
 */
static inline bool blkgen_disk_polls(struct gendisk *disk)
{
	struct request_queue *q = disk->queue;
	bool polls;

	if (!blkgen_queue_says_poll(q))
		return false;
	if (!queue_is_mq(q))
		return true;
	if (!blkgen_queue_hold(disk))
		return false;
	polls = q->tag_set->nr_maps > HCTX_TYPE_POLL && q->tag_set->map[HCTX_TYPE_POLL].nr_queues;
	percpu_ref_put(&q->q_usage_counter);

	return polls;
}

static inline u32 blkgen_crc32c(const void *data, size_t len)
{
#ifdef BLKGEN_HAVE_CRC32C_LE
	return ~__crc32c_le(~0U, data, len);
#else
	return ~crc32c(~0U, data, len);
#endif
}

/* Read the counter of the kernel's clock source; return 0 if the kernel does not export this */
static inline u64 blkgen_clock_cycles(void)
{
#if defined(BLKGEN_HAVE_SNAPSHOT_ID)
	struct system_time_snapshot snap;

	ktime_get_snapshot_id(CLOCK_MONOTONIC, &snap);
	return snap.cycles;
#elif defined(BLKGEN_HAVE_SNAPSHOT)
	struct system_time_snapshot snap;

	ktime_get_snapshot(&snap);
	return snap.cycles;
#else
	return 0;
#endif
}

#define BLKGEN_COMPAT_FEATURES	(BLKGEN_COMPAT_CGROUP | BLKGEN_COMPAT_EXCL)

#endif /* _BLKGEN_COMPAT_H */
