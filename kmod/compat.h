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

/**
 * blkgen_get_blkcg() - get the io cgroup of the caller
 *
 * Context: process
 * Return: the cgroup, with a reference for blkgen_put_blkcg(); NULL if the module cannot charge
 *	   I/O to cgroups on this kernel
 */
static inline struct cgroup_subsys_state *blkgen_get_blkcg(void)
{
	return task_get_css(current, io_cgrp_id);
}

/**
 * blkgen_put_blkcg() - drop the reference to a cgroup
 * @css: cgroup from blkgen_get_blkcg(), or NULL
 */
static inline void blkgen_put_blkcg(struct cgroup_subsys_state *css)
{
	if (css)
		css_put(css);
}

/**
 * blkgen_associate_blkcg() - charge the bios of this kthread to a cgroup
 * @css: cgroup from blkgen_get_blkcg(); the kthread takes a reference of its own. NULL: the
 *	cgroup of the kthread itself again.
 *
 * Context: process, in a kthread
 */
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

/**
 * blkgen_file_is_excl() - find out if a file was opened O_EXCL
 * @file: open block device
 * @bdev: block device of @file
 *
 * open() drops the flag from f_flags, but an exclusive open makes the file itself the holder of the
 * device.
 *
 * Return: true if it was; always false on a kernel without BLKGEN_COMPAT_EXCL
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

/**
 * blkgen_queue_says_poll() - find out if a queue claims that its I/O can be polled
 * @q: queue
 *
 * Return: true if it does
 */
static inline bool blkgen_queue_says_poll(struct request_queue *q)
{
#ifdef BLKGEN_HAVE_FEAT_POLL
	return q->limits.features & BLK_FEAT_POLL;
#else
	return test_bit(QUEUE_FLAG_POLL, &q->queue_flags);
#endif
}

/**
 * blkgen_queue_hold() - take a reference to the queue of a disk
 * @disk: disk; the caller drops the reference by percpu_ref_put() of its queue's q_usage_counter
 *
 * While the queue is frozen, this waits.
 *
 * Context: process, sleeps
 * Return: false, without a reference, if the disk is being removed, or if a fatal signal arrived
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

/**
 * blkgen_disk_polls() - find out if I/O of a disk can be polled
 * @disk: disk that the caller has open
 *
 * A driver may claim this for all of its queues although it has no poll queue, so look at the tag
 * set. The reference to the queue is held meanwhile: without it the driver could free the tag set,
 * if the disk is removed.
 *
 * Context: process, sleeps
 * Return: true if it can; false also if blkgen_queue_hold() returns false
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

/**
 * blkgen_crc32c() - compute the CRC32C (Castagnoli) of data, as iSCSI has it (RFC 3720)
 * @data: data
 * @len: length of @data, bytes
 *
 * Return: the CRC
 */
static inline u32 blkgen_crc32c(const void *data, size_t len)
{
#ifdef BLKGEN_HAVE_CRC32C_LE
	return ~__crc32c_le(~0U, data, len);
#else
	return ~crc32c(~0U, data, len);
#endif
}

/**
 * blkgen_clock_cycles() - read the counter of the kernel's clock source
 *
 * Return: the counter, in cycles; 0 if the kernel does not export this
 */
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
