/* SPDX-License-Identifier: GPL-2.0 */
/* Define what user space asks inflight.bpf.c, and its answers. */
#ifndef BLKLAT_BPF_INFLIGHT_DISK_H
#define BLKLAT_BPF_INFLIGHT_DISK_H

#include <linux/types.h>

/*
 * Details are noted of at most this many I/Os of a disk, but all I/Os are counted. This must be a
 * power of two.
 */
#define INFLIGHT_MAX 8192
/* A request that is no I/O of a file system or a device node has this value in inflight_io.op. */
#define INFLIGHT_PASSTHROUGH 0xff

enum inflight_where {
	INFLIGHT_IN_SCHED,	/* in the scheduler, without a tag of the driver */
	INFLIGHT_UNISSUED,	/* has a tag, and was not handed to the driver yet */
	INFLIGHT_ISSUED,	/* in the driver or at the device */
	INFLIGHT_COMPLETED,	/* the device has completed it, and its end has not run */
	INFLIGHT_IN_FLUSH,	/* waits for a flush before or after it */
	INFLIGHT_HELD,		/* a bio, held by a suspended dm device or a head without a path */
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

/* inflight_disk.kind tells apart the drivers that keep a list of the bios that they hold back. */
enum inflight_kind { INFLIGHT_OTHER, INFLIGHT_DM, INFLIGHT_NVME_HEAD };

/**
 * struct inflight_disk - a disk that user space asks about, and the state of its queue
 * @older_ns: set by user space: list only I/Os that are in flight for at least this long
 * @fd: set by user space: a file descriptor of the disk's directory in /sys
 * @kind: set by user space: enum inflight_kind
 * @found: true if the disk was found; otherwise nothing else is filled in
 * @has_requests: false if the driver takes bios, of which the kernel keeps no list
 * @held_unseen: true if the list of bios held back could not be read, as its type is not known
 * @oldest_ns: when the oldest of all I/Os found began, 0 if none has a time
 * @nr: requests in flight, without the flushes that the kernel itself sends for some of them
 * @held: bios held back
 * @listed: I/Os in the list, or more if it was too short
 * @frozen: freeze depth of the queue: new I/O waits until it is 0
 * @quiesced: quiesce depth of the queue: no request is dispatched until it is 0
 * @stopped: hardware queues that the driver has stopped
 * @tag_waiters: tasks and hardware queues that wait for a tag
 * @throttled: reads and writes that a limit of a cgroup (io.max) holds back
 * @dm_flags: of a dm device, mapped_device.flags
 */
struct inflight_disk {
	__u64 older_ns;
	__u32 fd;
	__u8 kind;
	__u8 found;
	__u8 has_requests;
	__u8 held_unseen;
	__u64 oldest_ns;
	__u32 nr;
	__u32 held;
	__u32 listed;
	__u32 frozen;
	__u32 quiesced;
	__u32 stopped;
	__u32 tag_waiters;
	__u32 throttled[2];
	__u64 dm_flags;
};

#endif /* BLKLAT_BPF_INFLIGHT_DISK_H */
