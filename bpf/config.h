/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Define the configuration of a trace: its devices, the links from a bio to the I/O above, the
 * filters, and how much there is room for.
 */
#ifndef BLKLAT_CONFIG_H
#define BLKLAT_CONFIG_H

#include <linux/types.h>
#include "stages.h"

/* This must be a power of two. A set of devices has one bit per device in 64 bits. */
#define BLKLAT_MAX_DEVS 64
#define DEV_BIT(index) (1ULL << (index))
/*
 * An I/O has a slot from its start until user space has processed it, some time after its end. The
 * number of slots of a trace is a power of two, at most BLKLAT_MAX_SLOTS. At first only
 * BLKLAT_FIRST_SLOTS of them are in use.
 */
#define BLKLAT_MAX_SLOTS (1U << 20)
#define BLKLAT_FIRST_SLOTS (1U << 14)
/* At most this many bios can be under way at once, and as many kiocbs. */
#define BLKLAT_ADDRS_LOG2 16
#define BLKLAT_ADDRS (1U << BLKLAT_ADDRS_LOG2)
/* At most this many tasks can submit I/O. This must be a power of two. */
#define BLKLAT_TASKS 16384
/* A kernel can have at most this many CPUs. This must be a power of two. */
#define BLKLAT_MAX_CPUS 8192
/* At most this many devices can join a stack while it is traced; lvconvert to raid1 adds five. */
#define BLKLAT_SPARE_DEVS 6
#define BLKLAT_COMM_LEN 16

/* At most 2^BLKLAT_RQS_LOG2 requests can be under way at once. */
#define BLKLAT_RQS_LOG2 16

#define BLKLAT_SYSCALLS 512

/* These are the bits of blklat_dev_cfg.flags. */
#define DEV_JOINED	(1U << 0)	/* this was a spare entry, and is complete now */
#define DEV_GONE	(1U << 1)	/* the device is gone; another device may get its number */

/**
 * struct blklat_dev_cfg - one traced device
 * @disk: kernel dev_t of the whole disk
 * @part: kernel dev_t of the partition, 0 when the whole disk is traced
 * @bio_based: true if the device is no layer and its driver has no requests (brd, zram, null_blk
 *	with queue_mode=0)
 * @layer: true if its I/O becomes I/O of devices below it (dm, md, the head of NVMe multipath)
 * @top: true if its I/O comes from outside the stack
 * @inner: true if its I/O may have been made by a traced layer
 * @requests: true if it is a layer that has requests and hands these on (dm-multipath)
 * @rqs: true if it is no layer and makes requests of its bios
 * @flags: DEV_*
 * @number: the dev_t of its block device: @part, or @disk without a partition; 0 if the device is
 *	gone, or if an entry before this one traces the whole disk
 * @since_ns: when it joined, monotonic clock; 0 if it was there from the start, all bits set
 *	while it joins
 */
struct blklat_dev_cfg {
	__u32 disk;
	__u32 part;
	__u8 bio_based;
	__u8 layer;
	__u8 top;
	__u8 inner;
	__u8 requests;
	__u8 rqs;
	__u8 reserved[2];
	__u32 flags;
	__u32 number;
	__u64 since_ns;
};

#define BLKLAT_DEV_PLACES_LOG2 10

/**
 * blklat_dev_place() - hash the number of a device or a disk
 * @number: kernel dev_t; several can have the same hash
 *
 * Return: the index at which blklat_state.dev_at has the device with this number, and
 * blklat_state.disk_at the first device of the disk with this number.
 */
static inline __u32 blklat_dev_place(__u32 number)
{
	return (number * 0x9E3779B1U) >> (32 - BLKLAT_DEV_PLACES_LOG2);
}

/*
 * A layer makes bios for the bio that it got. A link tells how to get from such a bio to the bio
 * above: where to begin, and the offsets of the pointers to follow. Links are in a hash table by
 * the address of bi_end_io, because each layer ends its bios with a function of its own.
 */
#define BLKLAT_LINKS_LOG2 8
#define BLKLAT_LINKS (1 << BLKLAT_LINKS_LOG2)
/* A search for a link looks at this many entries. */
#define BLKLAT_LINK_TRIES 4
#define BLKLAT_LINK_DEREFS 2
#define BLKLAT_LINK_NEAR 3

enum blklat_link_from {
	LINK_FROM_BIO,		/* begin with the structure that the bio lies in */
	LINK_FROM_PRIVATE,	/* begin with what bi_private points at */
};

/**
 * struct blklat_link - the way from a bio to the bio above that it was made for
 * @end_io: address of the bi_end_io function, 0 if this entry is free
 * @from: enum blklat_link_from
 * @nr_derefs: number of pointers to follow; 0 if @from leads to the bio above
 * @below: offset of the bio in its structure (LINK_FROM_BIO), or a mask of the bits of bi_private
 *	that do not belong to the pointer (LINK_FROM_PRIVATE)
 * @offset: offset of each pointer in the structure that the pointer before it leads to
 * @outer: if there are two pointers, this helps to get both with one read. Mostly the first pointer
 *	leads to a structure in which the bio itself lies, at this offset; the second pointer then
 *	lies BLKLAT_LINK_NEAR words before the first. 0 if the structures are not laid out like
 *	that.
 */
struct blklat_link {
	__u64 end_io;
	__u8 from;
	__u8 nr_derefs;
	__u16 below;
	__u16 offset[BLKLAT_LINK_DEREFS];
	__u16 outer;
	__u16 reserved[3];
};

/* These bi_end_io functions end bios of direct I/O, from which the kiocb can be found. */
enum blklat_ender {
	ENDER_BLKDEV,
	ENDER_BLKDEV_ASYNC,
	ENDER_IOMAP,
	ENDER_DIO,
	NR_ENDERS
};

/* The programs see a kiocb complete if its ki_complete is one of these functions. */
enum blklat_teller {
	TELLER_AIO,
	TELLER_URING,
	TELLER_URING_POLLED,
	NR_TELLERS
};

/**
 * blklat_link_slot() - hash the address of a bi_end_io function
 * @end_io: the address
 *
 * Return: the index in blklat_config.links at which the search for its link begins. The link is
 * there or in one of the BLKLAT_LINK_TRIES - 1 entries behind.
 */
static inline __u32 blklat_link_slot(__u64 end_io)
{
	return ((__u32)end_io * 0x9E3779B1U) >> (32 - BLKLAT_LINKS_LOG2);
}

/**
 * struct blklat_config - the options of a trace; user space sets them before it loads the
 *	programs, to which they are read-only
 * @nr_devs: number of used entries of @devs
 * @filter: true if only some I/O is traced: that which passes @ops, @tgid, @comm and @cgroup_id
 * @tgid: trace only the I/O of this process, 0 for all
 * @has_comm: true if only the I/O of tasks named @comm is traced
 * @cgroup_level: depth of @cgroup_id below the root, -1 for no filter
 * @submitter: true if marks E and W are recorded
 * @plug: true if mark P is recorded
 * @stack: true if some device is a layer
 * @word_type: BTF id of struct bvec_iter, for read_word()
 * @queued_flag: mask of BIO_TRACE_COMPLETION in bi_flags: block_bio_queue has fired for this bio
 *	and will not fire again; 0 without @stack, or if the kernel does not have the flag
 * @max_devs: @nr_devs and the spare entries of struct blklat_state
 * @layer_majors: major numbers of the drivers whose bios become other bios: dm, md; 0 if the
 *	driver is not loaded
 * @cost: true if the programs measure the time that they take
 * @events: true if the programs note who submits each I/O, and where it is on the disk
 * @issue: true if block_rq_issue is attached: it sets mark D and ties bios to their requests.
 *	Otherwise the hooks of the drivers' queue_rq tie them, until blklat_state.issue is set.
 * @bio_based: true if some device is bio_based, or a bio-based device may join
 * @minors: number of minors of the first device's disk; its other partitions have extended
 *	numbers
 * @cloned_flag: mask of BIO_CLONED in bi_flags; 0 if that or @chain_end_io is not known
 * @last_slot: number of slots minus one, so also the mask of a slot's index
 * @joins: true if devices may join during the trace
 * @ops: by enum blklat_op, true if this kind of I/O is traced
 * @cgroups: true if the programs note the control group of each I/O as well
 * @preempts: true if the kernel may preempt a task while a program runs for it
 * @cgroup_id: trace only tasks in or below this cgroup
 * @starts_io: by number of the system call, true if it can start I/O
 * @devs: the traced devices, as they were at the start
 * @comm: task name
 * @enders: address of each function, 0 if the kernel does not have it
 * @tellers: address of each function, 0 if it is not known
 * @tellers_known: true if one of these addresses is known: the kernel does not have the others
 * @aio_untold: true if no program sees when a submitter with libaio is told
 * @chain_end_io: address of bio_chain_endio(), which ends the part that was split off a bio
 * @flush_end_io: address of mq_flush_data_end_io(), see is_in_flush_sequence(); 0 if not known
 * @links: hash table by bi_end_io
 */
struct blklat_config {
	__u32 nr_devs;
	__u32 filter;
	__u32 tgid;
	__u32 has_comm;
	__s32 cgroup_level;
	__u32 submitter;
	__u32 plug;
	__u32 stack;
	__u32 word_type;
	__u32 queued_flag;
	__u32 max_devs;
	__u32 layer_majors[3];
	__u32 cost;
	__u32 events;
	__u32 issue;
	__u32 bio_based;
	__u32 minors;
	__u32 cloned_flag;
	__u32 last_slot;
	__u32 joins;
	__u8 ops[NR_OPS];
	__u32 cgroups;
	__u32 preempts;
	__u64 cgroup_id;
	__u8 starts_io[BLKLAT_SYSCALLS];
	struct blklat_dev_cfg devs[BLKLAT_MAX_DEVS];
	char comm[BLKLAT_COMM_LEN];
	__u64 enders[NR_ENDERS];
	__u64 tellers[NR_TELLERS];
	__u8 tellers_known;
	__u8 aio_untold;
	__u64 chain_end_io;
	__u64 flush_end_io;
	struct blklat_link links[BLKLAT_LINKS];
};

#endif /* BLKLAT_CONFIG_H */
