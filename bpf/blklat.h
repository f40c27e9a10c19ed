/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The BPF programs and user space share the configuration, the I/Os under way and
 * the counters. All fields have a fixed width, and the same layout on both sides.
 */
#ifndef BLKLAT_H
#define BLKLAT_H

#include <linux/types.h>

#include "stages.h"

/* A power of two; sets of devices are 64 bits. */
#define BLKLAT_MAX_DEVS 64
#define DEV_BIT(index) (1ULL << (index))
/*
 * Slots: of I/Os under way, and of those that ended and that user space has not charged yet. A trace
 * has a power of two of them, at most BLKLAT_MAX_SLOTS, and begins with BLKLAT_FIRST_SLOTS in use.
 */
#define BLKLAT_MAX_SLOTS (1U << 20)
#define BLKLAT_FIRST_SLOTS (1U << 14)
/* Addresses of bios and kiocbs under way at once. */
#define BLKLAT_ADDRS_LOG2 16
#define BLKLAT_ADDRS (1U << BLKLAT_ADDRS_LOG2)
/* Tasks that submit I/O, a power of two. */
#define BLKLAT_TASKS 16384
/* Room for devices that join a stack while it is traced: lvconvert to raid1 takes five. */
#define BLKLAT_SPARE_DEVS 6
#define BLKLAT_COMM_LEN 16

/* Requests under way at once. */
#define BLKLAT_RQS_LOG2 16

#define BLKLAT_SYSCALLS 512

/* blklat_dev_cfg.flags */
#define DEV_JOINED	(1U << 0)	/* a spare entry that is complete */
#define DEV_GONE	(1U << 1)	/* there is no such device; its number may be another's */

/**
 * struct blklat_dev_cfg - one traced device
 * @disk: kernel dev_t of the whole disk
 * @part: kernel dev_t of the partition, 0 when the whole disk is traced
 * @bio_based: the driver has no requests (brd, zram, null_blk queue_mode=0)
 * @layer: its I/O becomes I/O of devices below it
 * @requests: a layer that has requests, and hands on those (dm-multipath)
 * @rqs: a disk that makes requests of its bios
 * @top: its I/O comes from outside the stack
 * @inner: its I/O may be a traced layer's
 * @flags: DEV_*
 * @number: @part, else @disk: what its block device has; 0 when it is gone
 * @since_ns: when it joined, monotonic clock; 0 from the start
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

/* Where blklat_state.dev_at has the device with this number, and disk_at one of this disk. */
#define BLKLAT_DEV_PLACES_LOG2 10
static inline __u32 blklat_dev_place(__u32 number)
{
	return (number * 0x9E3779B1U) >> (32 - BLKLAT_DEV_PLACES_LOG2);
}

/*
 * Ways from a bio to the one it was made for, by its bi_end_io; hashed by that
 * address. Steps: where to begin, then pointers to follow at these offsets.
 */
#define BLKLAT_LINKS 64
#define BLKLAT_LINK_DEREFS 2
#define BLKLAT_LINK_NEAR 3

enum blklat_link_from {
	LINK_FROM_BIO,		/* the structure that the bio lies in */
	LINK_FROM_PRIVATE,	/* what bi_private points at */
};

/**
 * struct blklat_link - one way up
 * @end_io: address of the bi_end_io function, 0 for none
 * @from: enum blklat_link_from
 * @nr_derefs: pointers to follow; 0: @from is the bio above
 * @below: offset of the bio in its structure (LINK_FROM_BIO), or the bits of
 *	bi_private that are not the pointer's (LINK_FROM_PRIVATE)
 * @offset: of each pointer, in what the one before points at
 * @outer: mostly the first pointer leads to what the bio itself lies in, this far before it,
 *	with the second one BLKLAT_LINK_NEAR words before the first; 0: not so
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

/* Functions that end the bios of those who keep a kiocb. */
enum blklat_ender {
	ENDER_BLKDEV,
	ENDER_BLKDEV_ASYNC,
	ENDER_IOMAP,
	ENDER_DIO,
	NR_ENDERS
};

/* Where the search for the link of this end_io begins; it goes on in order. */
static inline __u32 blklat_link_slot(__u64 end_io)
{
	return ((__u32)end_io * 0x9E3779B1U) >> 26;
}

/**
 * struct blklat_config - read-only to the programs, set before loading
 * @nr_devs: used entries of @devs
 * @max_devs: these and the spare ones of struct blklat_state
 * @filter: not all I/O is traced, but what @ops, @tgid, @comm and @cgroup_id say
 * @tgid: only this process, 0 for all
 * @has_comm: only tasks named @comm
 * @cgroup_level: depth of @cgroup_id below the root, -1 for no filter
 * @submitter: record marks E and W
 * @stack: some device is a layer
 * @queued_flag: of bi_flags: block_bio_queue has fired for this bio and will
 *	not again (BIO_TRACE_COMPLETION)
 * @cost: count the time that the programs take
 * @cgroup_id: only tasks below this cgroup
 * @starts_io: by number, whether the system call can start I/O
 * @devs: the traced devices, as they were at the start
 * @layer_majors: numbers of the drivers whose bios become others: dm, md
 * @events: note who submits each I/O, and where it is on the disk
 * @slower_ns: of I/Os that are faster nobody wants to know the name of the task
 * @cgroups: note the control group of each I/O, too
 * @joins: devices may join while they are traced
 * @last_slot: how many slots there are, less one
 * @issue: block_rq_issue sets mark D, and ties bios to their requests; else the
 *	hooks of the drivers' queue_rq do, until blklat_state.issue
 * @bio_based: some device is, or may join that is
 * @minors: of the first device's disk; partitions beyond have extended numbers
 * @cloned_flag: BIO_CLONED in bi_flags, 0 where it or @chain_end_io is not known
 * @ops: by enum blklat_op, whether that kind is
 * @comm: task name
 * @enders: addresses, 0 where the kernel does not have the function
 * @chain_end_io: address of bio_chain_endio(), which ends the part that was split off a bio
 * @links: ways from a bio to the one above
 */
struct blklat_config {
	__u32 nr_devs;
	__u32 filter;
	__u32 tgid;
	__u32 has_comm;
	__s32 cgroup_level;
	__u32 submitter;
	__u32 stack;
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
	__u32 reserved;
	__u64 slower_ns;
	__u64 cgroup_id;
	__u8 starts_io[BLKLAT_SYSCALLS];
	struct blklat_dev_cfg devs[BLKLAT_MAX_DEVS];
	char comm[BLKLAT_COMM_LEN];
	__u64 enders[NR_ENDERS];
	__u64 chain_end_io;
	struct blklat_link links[BLKLAT_LINKS];
};

/**
 * struct blklat_origin - with blklat_config.events, what only the start of an I/O knows
 * @sector: where it begins on the disk, in units of 512 bytes
 * @bytes: its length
 * @opf: the bio's bi_opf
 * @pid: of the submitting task (which other programs than ps call tid)
 * @tgid: of its process
 * @cgroup: id of the control group that the I/O is charged to, 0 if that is not asked for
 */
struct blklat_origin {
	__u64 sector;
	__u64 cgroup;
	__u32 bytes;
	__u32 opf;
	__u32 pid;
	__u32 tgid;
};

/* How the submitter is told, that is, where mark W comes from. */
enum blklat_told {
	TOLD_NONE,	/* writeback, file system: nobody waits in a known way */
	TOLD_SYSCALL,	/* the syscall it was submitted in returns */
	TOLD_KIOCB,	/* aio event or io_uring CQE posted for its kiocb */
	TOLD_BLKGEN,	/* blkgen's completion accounting */
};

/* blklat_io.flags; DONE_Z and DONE_W: whoever sets the last of the two hands the I/O over. */
#define IO_DONE_Z	(1U << 0)
#define IO_DONE_W	(1U << 1)
#define IO_LOST		(1U << 2)	/* its end was missed; only to be freed */
#define IO_JOINED	(1U << 3)	/* has the marks of its request */
#define IO_SELF_ENDED	(1U << 4)	/* the bio itself ended, pieces may not have */
#define IO_CHILD	(1U << 5)	/* @parent is an I/O of the layer above */
#define IO_STARTED	(1U << 8)	/* a child that its device began with */
#define IO_ENDS_PARENT	(1U << 9)	/* a child whose end is, or is a part of, @parent's */
#define IO_SAME_BIO	(1U << 10)	/* and whose bio is that of @parent too */
#define IO_MISSED_END	(1U << 11)	/* left to sweep: its bio was used again */

/* blklat_io.in_rq: where the marks of its request are */
enum blklat_in_rq {
	RQ_APART,	/* in an entry of its own, or it has no request */
	RQ_TO_COME,	/* the driver does not have it yet */
	RQ_HERE,	/* with the I/O: its bio is the request's only one, nothing unusual happened */
};

/* A key that no bio has: the I/O ended, W is awaited, the bio is free again. */
#define IO_KEY_ENDED	1ULL

/* What a program hangs on, as far as it matters to what a call of it costs. */
enum blklat_cost_kind {
	COST_TP,
	COST_FENTRY,
	COST_FEXIT,
	NR_COST_KINDS
};

/**
 * struct blklat_cost_note - how long tracing had taken on a CPU
 * @spent: in ns, since some moment
 * @where: the CPU and the task, 0 for no note; notes of different ones do not compare
 */
struct blklat_cost_note {
	__u64 spent;
	__u32 where;
	__u32 reserved;
};

/**
 * struct blklat_io - one I/O (or one piece of a split one) under way
 * @key: address of the bio, IO_KEY_ENDED, or 0 when the slot is free
 * @gen: counts the lives of this slot
 * @flags: IO_*; this and all behind it is 0 in a free slot
 * @m: the marks in ns of the monotonic clock, 0 when not (yet) seen
 * @irq_ns: entry of the interrupt that led to @reap_ns, 0 when polled; user space makes mark H of
 *	the two
 * @reap_ns: the driver saw the completion of its request
 * @insert_ns: block_rq_insert of its request
 * @issue_ns: block_rq_issue of its request
 * @queue_ns: block_bio_queue, where mark Q is later
 * @think_ns: the task's time outside I/O syscalls before this I/O
 * @owner: the task (pid_tgid) or kiocb whose list it is on
 * @bdev: the block device it was queued at; 0 without block_bio_queue (a piece, a bio handed on,
 *	or missed)
 * @call: argument of the queue_rq that is inside the driver with its request, 0 for none
 * @batch: batch whose doorbell is its request's, 0 for none
 * @bytes: its length
 * @pending: pieces of the bio that have not ended
 * @parent: slot + 1 of the bio this piece was split from, or with IO_CHILD of
 *	the bio above that this one is made for; 0 for none
 * @parent_gen: @gen of that slot
 * @rq: index + 1 in the rqs map of the request that carried it
 * @rq_gen: generation of that entry
 * @next: slot + 1 of the next I/O on the owner's list
 * @dev: index into blklat_config.devs
 * @op: enum blklat_op
 * @told: enum blklat_told
 * @thinks: @think_ns is known
 * @in_rq: enum blklat_in_rq
 * @alone: its bio is not split, and its end is not that of another I/O too
 * @over: it is in the hands of user space
 * @child: slot + 1 of the first bio below that was made for this one
 * @sibling: slot + 1 of the next one made for the same
 * @q_cost: what tracing had taken at mark Q
 * @z_cost: at mark Z
 *
 * With blklat_config.events, of an I/O of a top:
 * @origin: where it comes from
 * @task: address of the task
 * @status: blk_status_t of the bio or a piece of it that failed
 * @comm: the task's name when the I/O ended; empty when the task was gone
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
	__u64 task;
	__u64 status;
	char comm[BLKLAT_COMM_LEN];
};

/* The earliest mark of an I/O. */
static inline __u64 begin_of(const struct blklat_io *io)
{
	return io->m[MARK_E] ?: io->m[MARK_T] ?: io->m[MARK_Q];
}

/* When an ended I/O ended, 0 when nobody saw it: its latest mark. */
static inline __u64 ended_at(const struct blklat_io *io)
{
	__u64 end = io->m[MARK_Z];

	if (io->m[MARK_C] > end)
		end = io->m[MARK_C];
	return io->m[MARK_F] > end ? io->m[MARK_F] : end;
}

/**
 * struct blklat_rq - the marks of a request that its I/O cannot keep; its bios point here
 * @key: address of the request, 0 when the entry is free
 * @owner: argument of the queue_rq that is inside the driver with it, 0 for none
 * @batch: batch whose doorbell is this request's, 0 for none
 * @first_x: first hand-over to the driver, set when a requeue followed
 * @insert: block_rq_insert
 * @x: queue_rq entered
 * @d: block_rq_issue
 * @b: queue_rq returned
 * @h: entry of the interrupt that led to @v, 0 when polled
 * @v: the driver saw the completion
 * @c: block_rq_complete, the latest part
 * @f: second completion, at the end of a flush sequence
 * @q: its queue, when it was handed to the driver last
 * @part: its block device then; these two are known to be those of @dev, as long as
 * @changes: is what blklat_state.changes was
 * @gen: counts the lives of this entry
 * @io: slot + 1 of the I/O of its first bio, 0 when it has none
 * @requeued: a requeue was seen since the last @x
 * @done: the request completed, the entry may be taken over
 * @linked: at least one of its bios has a slot
 * @bios: whether it has several, as far as that is known
 * @dev: index into blklat_config.devs
 * @op: of the request, known since @x
 * @spilled: some request that belongs here found it taken, and is in one behind it
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
 * struct batch - requests whose doorbell is rung once for all of them
 * @seq: its number
 * @b: when it was rung
 */
struct batch {
	__u64 seq;
	__u64 b;
};

/**
 * struct blklat_cpu - what a CPU is doing
 * @irq_ns: entry of the hard interrupt it is in, 0 outside
 * @entered: when the first of those was called that are running
 * @nest: programs that are running, each in the one before
 * @spent: ns in programs before that, and in calling them
 * @runs: of programs
 * @apart: not used: each CPU has a cache line of its own
 *
 * Not in a map per CPU: looking into that is a call on older kernels.
 */
struct blklat_cpu {
	__u64 irq_ns;
	__u64 entered;
	__u64 nest;
	__u64 spent;
	__u64 runs;
	__u64 apart[3];
};

/*
 * COUNTER(id, key, what): the ledger, per device. started = completed +
 * in flight + the lost_* causes.
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
	COUNTER(RETRIED, "retried", "I/Os refused with EAGAIN: their submitter may come again") \
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
	COUNTER(CRITICAL, "critical", "of these, the last to end of those made for the same I/O") \
	COUNTER(PARENTS, "parents", "I/Os of a layer that made others below") \
	COUNTER(CHILDREN, "children", "I/Os below that were made for them") \
	COUNTER(CHILD_BYTES, "child_bytes", "bytes of those") \
	COUNTER(EVENTS_LOST, "events_lost", "records of single I/Os for which the ring had no room") \
	COUNTER(DISORDER, "disorder", "marks dropped because they were out of order") \
	COUNTER(CHECKED, "checked", "I/Os whose sum of stages was verified") \
	COUNTER(CHECK_FAILED, "check_failed", "I/Os whose stages did not sum to the total")

enum blklat_counter {
#define COUNTER(id, key, doc) COUNT_##id,
	BLKLAT_COUNTERS(COUNTER)
#undef COUNTER
	NR_COUNTERS
};

/* I/Os and bytes of one kind. */
struct blklat_flow {
	__u64 ios;
	__u64 bytes;
};

/**
 * struct blklat_ledger - what was counted of one device
 * @n: the counters. The programs leave to user space what can be summed up:
 *	BYTES of @op, COMPLETED of the samples of SPAN_TOTAL, LINKED,
 *	CRITICAL, CHILDREN and CHILD_BYTES of the edges; n[PARENTS] has how many less there are than
 *	CHILDREN, and n[INFLIGHT] how many less than STARTED, both below 0. n[RQ_ISSUED] has how
 *	many more than completed requests there are, and may be below 0.
 * @op: I/Os queued while tracing, per kind; the programs count only those without a slot
 */
struct blklat_ledger {
	__u64 n[NR_COUNTERS];
	struct blklat_flow op[NR_OPS];
};

/**
 * struct blklat_edge - what one layer's I/Os made on one device below it
 * @op: per kind of the I/O below
 * @critical: of these, the last to end of those made for the same I/O
 */
struct blklat_edge {
	struct blklat_flow op[NR_OPS];
	__u64 critical[NR_OPS];
};

/**
 * struct blklat_end - bios of one device that were made for no single I/O above
 * @end_io: the function that completes them, 0: unused
 * @count: I/Os
 */
struct blklat_end {
	__u64 end_io;
	__u64 count;
};

/* Different ones per device; it has entries of the ends map in a row. */
#define BLKLAT_ENDS 8

/* Index in the edges map. */
#define EDGE(above, below) ((above) * BLKLAT_MAX_DEVS + (below))

/* blklat_state.leaving */
#define LEAVING_CALLS	(1U << 0)	/* the programs on system calls */
#define LEAVING_KIOCBS	(1U << 1)	/* those that see a kiocb taken up and done */

enum blklat_phase {
	PHASE_IDLE,	/* attaching: nothing is recorded */
	PHASE_TRACE,	/* I/Os are started and completed */
	PHASE_DRAIN,	/* only I/Os already started are completed */
};

/**
 * struct addr_entry - an address and the slot it leads to
 * @key: the address, 0 when the entry is free
 * @slot: of an I/O
 * @away: addresses whose first place this is and that lie in another
 */
struct addr_entry {
	__u64 key;
	__u32 slot;
	__u32 away;
};

/**
 * struct task_io - what a submitting task is doing
 * @enter_ns: entry of the I/O syscall it is in, 0 outside
 * @exit_ns: return of its last I/O syscall
 * @think_ns: time outside I/O syscalls not yet charged to an I/O
 * @batch: batch of requests it is handing to a driver, 0 for none
 * @bio: bio that it is about to submit as a worker of blkgen, 0 for none
 * @bio_ns: when it began with that
 * @sqe: io_uring's request that it took up last, which begins with its kiocb
 * @sqe_ns: when it did
 * @head: slot + 1 of the first I/O submitted in this syscall
 * @in_syscall: it is in an I/O syscall (a ring's kernel thread never is)
 * @idle_sqes: how many of these since one was an I/O of a traced device
 * @key: its pid + 1, 0 when the entry is free
 * @away: tasks whose first place this is and that lie in another
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
	__u32 in_syscall;
	__u32 idle_sqes;
	__u32 key;
	__u32 away;
	__u32 reserved;
};

/**
 * struct blklat_state - what changes while the programs are attached
 * @phase: enum blklat_phase, set by user space
 * @window: slots up to this one are in use, one less than a power of two; others never were
 * @armed_ns: when PHASE_TRACE began, monotonic clock
 * @full: an I/O found no slot; user space sets it back when that is long ago
 * @missed: I/Os wait for sweep
 * @joined: spare entries of @devs asked for, more than there are when some were refused
 * @issue: a device joined, and block_rq_issue is attached, as blklat_config.issue
 * @changes: devices that joined or are gone
 * @calls: an I/O came of which only the system call says when its submitter entered the kernel, or
 *	one of io_uring while io_uring's programs are detached; user space sets it back
 * @async: an I/O of a kiocb came, so that io_uring or libaio tells its submitter; user space sets it
 *	back
 * @leaving: LEAVING_*, the programs that are to be detached, so no I/O may wait for them
 * @devs: the traced devices; the first blklat_config.nr_devs were there from the start
 * @dev_at: index in @devs of the one whose number's place this is, if it has that number
 * @disk_at: 1 + index in @devs of the first one whose disk's place this is, 0: none is traced
 * @call_ns: what a call of an empty program costs, per enum blklat_cost_kind
 * @loop: of the last run of cost_loop
 * @apart: not used. Here and below it keeps what the programs write to all the time in cache lines
 *	of its own
 * @batch_seq: number of the last batch of requests handed to a driver
 * @apart_from_batches: not used
 * @next_slot: where to look for a free slot
 * @apart_from_starts: not used
 * @ended: I/Os that ended; the slot of the next one goes to this place of the array of that name
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
	__u64 call_ns[NR_COST_KINDS];
	struct {
		__u64 ns;	/* time it took */
		__u64 spent;	/* of that in programs */
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
