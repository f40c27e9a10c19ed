/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Define what the BPF programs and user space share: the configuration, the I/Os under way and
 * the counters. All fields have a fixed width, and the same layout on both sides.
 */
#ifndef BLKLAT_H
#define BLKLAT_H

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
/* The number of bios that can be under way at once; the same number of kiocbs can be. */
#define BLKLAT_ADDRS_LOG2 16
#define BLKLAT_ADDRS (1U << BLKLAT_ADDRS_LOG2)
/* The number of tasks that can submit I/O; it must be a power of two. */
#define BLKLAT_TASKS 16384
/* The most CPUs that a kernel can have; it must be a power of two. */
#define BLKLAT_MAX_CPUS 8192
/* How many devices can join a stack while it is traced; lvconvert to raid1 adds five. */
#define BLKLAT_SPARE_DEVS 6
#define BLKLAT_COMM_LEN 16

/* The number of requests that can be under way at once. */
#define BLKLAT_RQS_LOG2 16

#define BLKLAT_SYSCALLS 512

/* blklat_dev_cfg.flags */
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

/*
 * Return the index at which blklat_state.dev_at has the device with this number, and
 * blklat_state.disk_at the first device of the disk with this number.
 */
#define BLKLAT_DEV_PLACES_LOG2 10
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
/* How many entries to look at for a link */
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

/* The bi_end_io functions of direct I/O, from whose bios a kiocb can be found */
enum blklat_ender {
	ENDER_BLKDEV,
	ENDER_BLKDEV_ASYNC,
	ENDER_IOMAP,
	ENDER_DIO,
	NR_ENDERS
};

/* The functions in ki_complete of kiocbs whose completion the programs see */
enum blklat_teller {
	TELLER_AIO,
	TELLER_URING,
	TELLER_URING_POLLED,
	NR_TELLERS
};

/*
 * Return the index at which the search for the link of this bi_end_io begins. The link is there or
 * in one of the BLKLAT_LINK_TRIES - 1 entries behind.
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
 * @chain_end_io: address of bio_chain_endio(), which ends the part that was split off a bio
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
	__u64 chain_end_io;
	struct blklat_link links[BLKLAT_LINKS];
};

/**
 * struct blklat_origin - what is known of an I/O only at its start; with blklat_config.events
 * @sector: where it begins on the disk, in units of 512 bytes
 * @cgroup: id of the control group that the I/O is charged to, 0 without blklat_config.cgroups
 * @bytes: its length
 * @opf: bi_opf of the bio
 * @pid: id of the submitting task, which user space often calls tid
 * @tgid: id of the process of that task
 */
struct blklat_origin {
	__u64 sector;
	__u64 cgroup;
	__u32 bytes;
	__u32 opf;
	__u32 pid;
	__u32 tgid;
};

/* The event that tells the submitter that the I/O is over; its time is mark W */
enum blklat_told {
	TOLD_NONE,	/* writeback, file system: nobody waits in a known way */
	TOLD_SYSCALL,	/* the syscall that submitted the I/O returns */
	TOLD_KIOCB,	/* the aio event or the io_uring CQE of the kiocb is posted */
	TOLD_BLKGEN,	/* blkgen counts the completion */
};

/*
 * blklat_io.flags. An I/O is over when it has both IO_DONE_Z and IO_DONE_W: the program that sets
 * the second one hands the I/O over to user space.
 */
#define IO_DONE_Z	(1U << 0)	/* the bio ended */
#define IO_DONE_W	(1U << 1)	/* the submitter was told, or nobody is to be told */
#define IO_LOST		(1U << 2)	/* the end was missed: free the slot, charge nothing */
#define IO_JOINED	(1U << 3)	/* the I/O has the marks of its request */
#define IO_SELF_ENDED	(1U << 4)	/* the bio itself ended; pieces of it may not have */
#define IO_CHILD	(1U << 5)	/* @parent is an I/O of the layer above */
#define IO_STARTED	(1U << 8)	/* a child, and its device has begun with it */
#define IO_ENDS_PARENT	(1U << 9)	/* a child whose end is @parent's end, or a part of it */
#define IO_SAME_BIO	(1U << 10)	/* with IO_ENDS_PARENT: @parent has the same bio */
#define IO_MISSED_END	(1U << 11)	/* its end was not seen: sweep ends it */
#define IO_OF_LAYER	(1U << 12)	/* block_bio_complete ends it, and bio_endio does not */

/* Set in blklat_io.over. The lower bits count the I/Os of the device that had started. */
#define IO_OVER		(1U << 31)

/* blklat_io.in_rq: where the marks of its request are */
enum blklat_in_rq {
	RQ_APART,	/* in an entry of rqs; or the I/O has no request */
	RQ_TO_COME,	/* nowhere yet: the request has not reached the driver */
	RQ_HERE,	/* in the I/O: its bio is the request's only one, and all went as usual */
};

/*
 * The key of an I/O to which no bio leads any more: its bio is free again, or leads to another
 * I/O. No bio has this address.
 */
#define IO_KEY_ENDED	1ULL

/* The kinds of hook whose calls cost different amounts of time */
enum blklat_cost_kind {
	COST_TP,
	COST_FENTRY,
	COST_FEXIT,
	NR_COST_KINDS
};

/**
 * struct blklat_cost_note - how much time tracing had taken on a CPU at a mark
 * @spent: in ns since some moment, which is the same for all notes of a CPU
 * @where: made of the CPU and the task, 0 for no note; only notes with the same @where can be
 *	compared
 * @until: how much time tracing took from this mark to another one, in ns; 0 if that is not known
 */
struct blklat_cost_note {
	__u64 spent;
	__u32 where;
	__u32 until;
};

/**
 * struct blklat_io - the slot of an I/O under way, or of a piece of a split I/O
 * @key: address of the bio, IO_KEY_ENDED, or 0 when the slot is free
 * @gen: counts how often the slot was freed, to tell the I/Os that have it one after the other
 * @flags: IO_*; this and all members behind it are 0 in a free slot
 * @m: the marks in ns of the monotonic clock, 0 when not (yet) seen
 * @irq_ns: entry of the interrupt in which the driver saw the completion, 0 when polled; user
 *	space makes mark H of this and @reap_ns
 * @reap_ns: when the driver saw the completion of its request
 * @insert_ns: time of block_rq_insert of its request
 * @issue_ns: time of block_rq_issue of its request
 * @queue_ns: when a child was queued, if its device was seen to begin with it later; mark Q is then
 *	the time when the device began
 * @think_ns: time that the task was outside I/O syscalls before this I/O
 * @owner: the task (pid_tgid) or kiocb that has the I/O on its list; 0 if the kiocb has completed
 *	and the end of the I/O was missed
 * @bdev: address of the block device at which the bio was queued; 0 without block_bio_queue (a
 *	piece, a bio that a layer handed on, or a missed event)
 * @call: argument of the queue_rq() that is inside the driver with its request, 0 for none
 * @batch: number of the batch that its request is in: the driver rings the doorbell once for the
 *	whole batch; 0 for none
 * @bytes: its length
 * @pending: number of parts of the I/O that have not ended: its bio, pieces and IO_ENDS_PARENT
 *	children that were split off
 * @parent: slot + 1 of the I/O this piece was split from, or with IO_CHILD of the I/O above that
 *	this one was made for; 0 for none
 * @parent_gen: @gen of that slot
 * @rq: 1 + index in rqs of the entry of its request, 0 for none
 * @rq_gen: @gen of that entry
 * @next: slot + 1 of the next I/O on the owner's list
 * @dev: index into blklat_config.devs
 * @op: enum blklat_op
 * @told: enum blklat_told
 * @in_rq: enum blklat_in_rq
 * @thinks: true if @think_ns is known
 * @alone: true if the bio is not split, and its end is not the end of another I/O too
 * @over: IO_OVER and more if the I/O was handed over to user space, else 0
 * @child: slot + 1 of the last child that was made for this I/O, 0 for none
 * @sibling: slot + 1 of the child that was made for the same I/O before this one, 0 for none
 * @q_cost: time that tracing had taken at mark Q, and what it took until mark G
 * @z_cost: time that tracing had taken at mark Z, and what it took until mark W
 * @origin: what is known only at the start of an I/O of a top
 * @status: blk_status_t of the bio of an I/O of a top, or of a failed piece of it
 * @comm: name of the task that submitted an I/O of a top
 *
 * The last three are set only with blklat_config.events.
 */
struct blklat_io {
	__u64 key;
	__u32 gen;
	__u32 flags;
	__u64 m[NR_MARKS];
	__u64 irq_ns;
	__u64 reap_ns;
	__u64 insert_ns;
	__u64 issue_ns;
	__u64 queue_ns;
	__u64 think_ns;
	__u64 owner;
	__u64 bdev;
	__u64 call;
	__u64 batch;
	__u32 bytes;
	__u32 pending;
	__u32 parent;
	__u32 parent_gen;
	__u32 rq;
	__u32 rq_gen;
	__u32 next;
	__u8 dev;
	__u8 op;
	__u8 told;
	__u8 in_rq;
	__u8 thinks;
	__u8 alone;
	__u8 reserved[2];
	__u32 over;
	__u32 child;
	__u32 sibling;
	struct blklat_cost_note q_cost;
	struct blklat_cost_note z_cost;
	struct blklat_origin origin;
	__u64 status;
	char comm[BLKLAT_COMM_LEN];
};

/* Return true if this is no I/O but a piece of one: the front part of a bio that was split. */
static inline int io_is_piece(const struct blklat_io *io)
{
	return io->parent && !(io->flags & IO_CHILD);
}

/* Return the earliest mark of an I/O, 0 if it has none of E, T and Q. */
static inline __u64 begin_of(const struct blklat_io *io)
{
	return io->m[MARK_E] ?: io->m[MARK_T] ?: io->m[MARK_Q];
}

/* Return when an I/O that is over ended: its latest mark of C, F and Z; 0 if it has none. */
static inline __u64 ended_at(const struct blklat_io *io)
{
	__u64 end = io->m[MARK_Z];

	if (io->m[MARK_C] > end)
		end = io->m[MARK_C];
	return io->m[MARK_F] > end ? io->m[MARK_F] : end;
}

/**
 * struct blklat_rq - the marks of a request whose I/O cannot keep them; its bios point here
 * @key: address of the request, 0 when the entry is free
 * @owner: argument of the queue_rq() that is inside the driver with the request, 0 for none
 * @batch: number of the batch that the request is in: the driver rings the doorbell once for the
 *	whole batch; 0 for none
 * @x: when the driver last got the request: queue_rq() or queue_rqs() was entered
 * @b: when that queue_rq() returned; 0 for a request in a batch
 * @h: entry of the interrupt in which the driver saw the completion, 0 when polled
 * @v: when the driver saw the completion
 * @c: time of block_rq_complete, of the latest part
 * @p: when the task that inserted the request, or handed it to the driver without an insert, began
 *	to flush its plug; 0 if that is not known. This becomes mark P of each bio whose mark G is
 *	earlier.
 * @first_x: when the driver first got the request, if a requeue followed and it got it again
 * @f: time of the second completion, at the end of a flush sequence
 * @insert: time of block_rq_insert
 * @d: time of block_rq_issue
 * @q: address of its queue when the driver last got it; 0 if that is not known
 * @part: address of its block device at that time
 * @gen: counts the requests that had this entry, also the same request used again
 * @io: slot + 1 of the I/O of its first bio, 0 when it has none
 * @requeued: true if a requeue was seen, and the driver has not got the request again
 * @done: true if the request completed; the entry may be taken over
 * @linked: true if at least one of its bios has a slot
 * @bios: RQ_UNTIED, RQ_ONE_BIO or RQ_BIOS: if it has several bios, as far as that is known
 * @dev: index into blklat_config.devs
 * @op: operation of the request, known from @x on
 * @spilled: true if a request whose hash leads here was ever put into one of the entries behind,
 *	because this one was taken
 * @changes: the low 8 bits of blklat_state.changes when @q and @part were set; while that has not
 *	changed, @q and @part are known to be those of @dev
 */
struct blklat_rq {
	__u64 key;
	__u64 owner;
	__u64 batch;
	__u64 x;
	__u64 b;
	__u64 h;
	__u64 v;
	__u64 c;
	__u64 p;
	__u64 first_x;
	__u64 f;
	__u64 insert;
	__u64 d;
	__u64 q;
	__u64 part;
	__u32 gen;
	__u32 io;
	__u8 requeued;
	__u8 done;
	__u8 linked;
	__u8 bios;
	__u8 dev;
	__u8 op;
	__u8 spilled;
	__u8 changes;
};

/**
 * struct batch - requests for which the driver rings the doorbell once
 * @seq: number of the batch
 * @b: when the doorbell was rung, 0 before that
 */
struct batch {
	__u64 seq;
	__u64 b;
};

/**
 * struct blklat_cpu - what a CPU is doing
 * @irq_ns: entry of the hard interrupt that the CPU is in, 0 outside
 * @entered: when the outermost of the running programs was called
 * @nest: number of programs that are running, each having interrupted or preempted the one before
 * @spent: time in ns that the programs that have ended took, including the time to call them;
 *	programs in which their task was preempted are left out
 * @runs: number of outermost programs in @spent
 * @plug_ns: when a task last began to flush its plug
 * @plug_task: address of that task
 * @task: address of the task whose program is the outermost one, 0 if no program runs; this and the
 *	next two are set only with blklat_config.preempts
 * @own: number of programs of @task that are running
 * @switches: how often @task had been preempted when the outermost program began
 * @apart: not used; gives each CPU cache lines of its own
 */
struct blklat_cpu {
	__u64 irq_ns;
	__u64 entered;
	__u64 nest;
	__u64 spent;
	__u64 runs;
	__u64 plug_ns;
	__u64 plug_task;
	__u64 task;
	__u64 own;
	__u64 switches;
	__u64 apart[6];
};

/*
 * COUNTER(id, key, what): the counters of the ledger of a device. started = completed + in flight
 * + the sum of the lost_* counters.
 */
#define BLKLAT_COUNTERS(COUNTER) \
	COUNTER(STARTED, "started", "I/Os queued while tracing") \
	COUNTER(COMPLETED, "completed", "I/Os whose end was seen") \
	COUNTER(LOST_FULL, "lost_full", "no free slot at the start") \
	COUNTER(LOST_END, "lost_end", "the end was missed") \
	COUNTER(LOST_QUEUE, "lost_queue", "the start was missed") \
	COUNTER(BEFORE, "before_attach", "I/Os begun before the trace") \
	COUNTER(ERRORS, "errors", "requests that failed") \
	COUNTER(RQ_ISSUED, "rq_issued", "requests issued, requeues included") \
	COUNTER(RQ_READS, "rq_reads", "read requests completed") \
	COUNTER(RQ_WRITES, "rq_writes", "write requests completed") \
	COUNTER(RQ_DISCARDS, "rq_discards", "discard requests completed") \
	COUNTER(RQ_FLUSHES, "rq_flushes", "flush requests completed") \
	COUNTER(RQ_PASSTHROUGH, "rq_passthrough", "passthrough requests completed") \
	COUNTER(RETRIED, "retried", "I/Os refused with EAGAIN, which may be submitted again") \
	COUNTER(REQUEUES, "requeues", "requests sent back by the driver") \
	COUNTER(PARTIAL, "partial", "completions of a part of a request") \
	COUNTER(MERGES, "merges", "bios merged into a request") \
	COUNTER(RQ_MERGES, "rq_merges", "requests merged into another") \
	COUNTER(SPLITS, "splits", "bios split") \
	COUNTER(POLLED, "polled", "completions without an interrupt") \
	COUNTER(BYTES, "bytes", "bytes of the started I/Os") \
	COUNTER(INFLIGHT, "inflight", "I/Os under way now") \
	COUNTER(INFLIGHT_MAX, "inflight_max", "most I/Os under way at once") \
	COUNTER(LINKED, "linked", "I/Os made for one of the layer above") \
	COUNTER(CRITICAL, "critical", "of these, the ones that ended last for their I/O above") \
	COUNTER(PARENTS, "parents", "I/Os of a layer that made others below") \
	COUNTER(CHILDREN, "children", "I/Os below that were made for them") \
	COUNTER(CHILD_BYTES, "child_bytes", "bytes of those") \
	COUNTER(EVENTS_LOST, "events_lost", \
		"records of single I/Os for which the ring had no room") \
	COUNTER(DISORDER, "disorder", "marks dropped because they were out of order") \
	COUNTER(CHECKED, "checked", "I/Os whose sum of stages was verified") \
	COUNTER(CHECK_FAILED, "check_failed", "I/Os whose stages did not sum to the total")

enum blklat_counter {
#define COUNTER(id, key, doc) COUNT_##id,
	BLKLAT_COUNTERS(COUNTER)
#undef COUNTER
	NR_COUNTERS
};

/* The number of I/Os of one kind, and their bytes */
struct blklat_flow {
	__u64 ios;
	__u64 bytes;
};

/**
 * struct blklat_ledger - the counters of one device
 * @n: the counters. The programs do not count what user space can compute: BYTES is the sum over
 *	@op, COMPLETED the number of samples of SPAN_TOTAL; LINKED, CRITICAL, CHILDREN and
 *	CHILD_BYTES are sums over the edges. User space also counts the requests whose marks are in
 *	an I/O (RQ_HERE). Two counters of the programs are differences: n[PARENTS] is parents minus
 *	CHILDREN, so it is 0 or negative. n[RQ_ISSUED] is issued minus completed requests, and may
 *	be negative.
 * @op: I/Os queued while tracing, per kind; the programs count here only I/Os that got no slot
 */
struct blklat_ledger {
	__u64 n[NR_COUNTERS];
	struct blklat_flow op[NR_OPS];
};

/**
 * struct blklat_edge - the I/Os that one layer made on one device below it
 * @op: their number and bytes, per kind of the I/O below
 * @critical: how many of them were the critical child: of the I/Os that were made for the same I/O
 *	above, the critical child is the last to end
 */
struct blklat_edge {
	struct blklat_flow op[NR_OPS];
	__u64 critical[NR_OPS];
};

/**
 * struct blklat_end - the bios of one device that one function completes and that were made for
 *	no single I/O above
 * @end_io: address of the function, 0 if this entry is not used
 * @count: number of such I/Os
 */
struct blklat_end {
	__u64 end_io;
	__u64 count;
};

/* The number of struct blklat_end that a device has; they follow one another in ends[]. */
#define BLKLAT_ENDS 8

/* The index in edges[] of the devices with these indices */
#define EDGE(above, below) ((above) * BLKLAT_MAX_DEVS + (below))

/* blklat_state.leaving */
#define LEAVING_CALLS	(1U << 0)	/* the programs on system calls */
#define LEAVING_KIOCBS	(1U << 1)	/* the programs that see a kiocb begin and complete */

enum blklat_phase {
	PHASE_IDLE,	/* attaching: nothing is recorded */
	PHASE_TRACE,	/* I/Os are started and completed */
	PHASE_DRAIN,	/* only I/Os already started are completed */
};

/**
 * struct addr_entry - leads from the address of a bio or kiocb to the slot of an I/O
 * @key: the address, 0 when the entry is free
 * @slot: of a bio: its slot; of a kiocb: slot + 1 of the first I/O on its list, 0 for none
 * @away: number of addresses whose hash leads here, but which lie in one of the entries behind
 */
struct addr_entry {
	__u64 key;
	__u32 slot;
	__u32 away;
};

/**
 * struct task_io - what a submitting task is doing
 * @enter_ns: entry of the I/O syscall that the task is in, 0 outside
 * @exit_ns: return of its last I/O syscall, 0 if that is not known
 * @think_ns: time outside I/O syscalls that is not yet charged to an I/O
 * @batch: number of the batch of requests that it is handing to a driver, 0 for none
 * @batch_ends: true if the call that ends @batch was seen to begin
 * @bio: address of the bio that it is about to submit as a worker of blkgen, 0 for none
 * @bio_ns: when it began to submit @bio
 * @sqe: address of the io_uring request that it took up last, and of the kiocb at its beginning;
 *	0 for none
 * @sqe_ns: when it took up @sqe
 * @sqe_used: true if @sqe_ns is mark E of an I/O
 * @head: slot + 1 of the first I/O on the list of those that were submitted in this syscall
 * @nr: number of the I/O syscall that the task is in
 * @in_syscall: 1 in an I/O syscall, plus 1 for each I/O on its list; 0 outside, and for the SQ
 *	poll thread of a ring
 * @idle_sqes: number of io_uring requests that it took up since the last asynchronous I/O of a
 *	traced device; counted no further than IDLE_SQES + 1
 * @key: its pid + 1, 0 when the entry is free
 * @away: number of tasks whose pid leads here, but which lie in one of the entries behind
 */
struct task_io {
	__u64 enter_ns;
	__u64 exit_ns;
	__u64 think_ns;
	__u64 batch;
	__u64 bio;
	__u64 bio_ns;
	__u64 sqe;
	__u64 sqe_ns;
	__u32 head;
	__u16 in_syscall;
	__u16 sqe_used;
	__u16 idle_sqes;
	__u16 batch_ends;
	__u32 key;
	__u32 away;
	__s32 nr;
};

/**
 * struct blklat_state - the part of the state that changes while the programs are attached
 * @phase: enum blklat_phase, set by user space
 * @window: index of the last slot that is in use, a power of two minus one; the slots behind it
 *	were never used
 * @armed_ns: when PHASE_TRACE began, monotonic clock
 * @full: grows when an I/O, or a piece of one, finds no slot; user space sets it to 0 when that is
 *	long ago
 * @missed: not 0 if I/Os wait for sweep
 * @joined: number of times that a spare entry of @devs was asked for; if this is more than there
 *	are, some requests were refused
 * @issue: not 0 if block_rq_issue was attached because a device joined; like blklat_config.issue
 * @changes: counts the devices that joined or are gone
 * @calls: not 0 if the programs on system calls are needed: an I/O came whose mark E only the
 *	system call can give, or an asynchronous I/O came while the programs on kiocbs are leaving;
 *	user space sets it back to 0
 * @async: an I/O of a kiocb came, so that io_uring or libaio tells its submitter; user space sets
 *	it back
 * @leaving: LEAVING_*, the programs that are detached or will be, so no I/O may wait for them
 * @devs: the traced devices; the first blklat_config.nr_devs were there from the start
 * @dev_at: by blklat_dev_place() of a number: index in @devs of a device with that number. The
 *	number must be compared, as this place can be another device's.
 * @disk_at: by blklat_dev_place() of a disk: 1 + index in @devs of the first device there, 0 if
 *	no traced disk has this place. The disk must be compared.
 * @half_call_ns: half of the time that a call of an empty program takes, per enum
 *	blklat_cost_kind: a mark that a program sets lies between the two halves
 * @loop: result of the last run of cost_loop
 * @apart: not used. This and the other unused arrays keep apart, in cache lines of their own, the
 *	members that the programs write all the time.
 * @batch_seq: number of the last batch of requests that was handed to a driver
 * @apart_from_batches: not used
 * @next_slot: where to look for a free slot
 * @apart_from_starts: not used
 * @ended: number of I/Os that were handed over; modulo BLKLAT_MAX_SLOTS it is the place in
 *	ended[] for the slot of the next one
 * @apart_from_ends: not used
 */
struct blklat_state {
	__u32 phase;
	__u32 window;
	__u64 armed_ns;
	__u32 full;
	__u32 missed;
	__u32 joined;
	__u32 issue;
	__u32 changes;
	__u32 calls;
	__u32 async;
	__u32 leaving;
	struct blklat_dev_cfg devs[BLKLAT_MAX_DEVS];
	__u8 dev_at[1 << BLKLAT_DEV_PLACES_LOG2];
	__u8 disk_at[1 << BLKLAT_DEV_PLACES_LOG2];
	__u64 half_call_ns[NR_COST_KINDS];
	struct {
		__u64 ns;	/* time that the run took */
		__u64 spent;	/* the part of it in the programs that the run calls */
	} loop;
	__u64 apart[7];
	__u64 batch_seq;
	__u64 apart_from_batches[7];
	__u32 next_slot;
	__u32 apart_from_starts[15];
	__u32 ended;
	__u32 apart_from_ends[15];
};

#endif /* BLKLAT_H */
