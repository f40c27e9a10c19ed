/* SPDX-License-Identifier: GPL-2.0 */
/* Define what user space asks inflight.bpf.c, and its answers. */
#ifndef BLKLAT_BPF_INFLIGHT_DISK_H
#define BLKLAT_BPF_INFLIGHT_DISK_H

#include <linux/types.h>

/* The number of I/Os of a disk of which details are noted, a power of two. All are counted. */
#define INFLIGHT_MAX 8192
/* What inflight_io.op is for a request that is no I/O of a file system or a device node */
#define INFLIGHT_PASSTHROUGH 0xff

enum inflight_where {
	INFLIGHT_IN_SCHED,	/* in the scheduler, without a tag of the driver */
	INFLIGHT_UNISSUED,	/* has a tag, and was not handed to the driver yet */
	INFLIGHT_ISSUED,	/* in the driver or at the device */
	INFLIGHT_COMPLETED,	/* the device has completed it, and its end has not run */
	INFLIGHT_HELD,		/* a bio that a suspended dm device holds back */
	NR_INFLIGHT_WHERE
};

/**
 * struct inflight_io - an I/O in flight
 * @since_ns: when it began by CLOCK_MONOTONIC, 0 if the kernel did not note it
 * @sector: its first sector of 512 bytes
 * @bytes: its size
 * @op: enum blklat_op, or INFLIGHT_PASSTHROUGH
 * @where: enum inflight_where
 */
struct inflight_io {
	__u64 since_ns;
	__u64 sector;
	__u32 bytes;
	__u8 op;
	__u8 where;
};

/**
 * struct inflight_disk - a disk that user space asks about, and the state of its queue
 * @fd: set by user space, a file descriptor of the disk's directory in /sys
 * @is_dm: set by user space, the disk is a dm device
 * @found: true if the disk was found; otherwise nothing else is filled in
 * @has_requests: false if the driver takes bios, which leave no trace that could be looked up
 * @nr: I/Os in flight that were found
 * @frozen: how often the queue was frozen and not unfrozen; new I/O waits until it is 0
 * @quiesced: how often dispatching was stopped and not started again
 * @stopped: hardware queues that the driver has stopped
 * @tag_waiters: tasks that wait for a request
 * @throttled: reads and writes that a limit of a cgroup (io.max) holds back
 */
struct inflight_disk {
	__u32 fd;
	__u8 is_dm;
	__u8 found;
	__u8 has_requests;
	__u32 nr;
	__u32 frozen;
	__u32 quiesced;
	__u32 stopped;
	__u32 tag_waiters;
	__u32 throttled[2];
};

#endif /* BLKLAT_BPF_INFLIGHT_DISK_H */
