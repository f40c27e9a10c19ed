/* SPDX-License-Identifier: GPL-2.0 */
/* Define the slot of an I/O, and what the programs keep of requests, batches and CPUs. */
#ifndef BLKLAT_IO_H
#define BLKLAT_IO_H

#include <linux/types.h>
#include "config.h"
#include "stages.h"

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

/* One of these events tells the submitter that the I/O is over. Its time is mark W. */
enum blklat_told {
	TOLD_NONE,	/* writeback, file system: nobody waits in a known way */
	TOLD_SYSCALL,	/* the syscall that submitted the I/O returns */
	TOLD_KIOCB,	/* the aio event or the io_uring CQE of the kiocb is posted */
	TOLD_BLKGEN,	/* blkgen counts the completion */
};

/*
 * These are the bits of blklat_io.flags. An I/O is over when it has both IO_DONE_Z and IO_DONE_W:
 * the program that sets the second one hands the I/O over to user space.
 */
#define IO_DONE_Z	(1U << 0)	/* the bio ended */
#define IO_DONE_W	(1U << 1)	/* the submitter was told, or nobody is to be told */
#define IO_LOST		(1U << 2)	/* the end was missed: free the slot, charge nothing */
#define IO_JOINED	(1U << 3)	/* the I/O has the marks of its request */
#define IO_SELF_ENDED	(1U << 4)	/* the bio ended, but pieces of it may still be in flight */
#define IO_CHILD	(1U << 5)	/* @parent is an I/O of the layer above */
#define IO_STARTED	(1U << 8)	/* a child, and its device has begun with it */
#define IO_ENDS_PARENT	(1U << 9)	/* a child whose end is @parent's end, or a part of it */
#define IO_SAME_BIO	(1U << 10)	/* with IO_ENDS_PARENT: @parent has the same bio */
#define IO_MISSED_END	(1U << 11)	/* its end was not seen: sweep ends it */
#define IO_OF_LAYER	(1U << 12)	/* block_bio_complete ends it, and bio_endio does not */

/*
 * This bit of blklat_io.over says that the I/O was handed over. The lower bits say how many I/Os of
 * its device had started by then.
 */
#define IO_OVER		(1U << 31)

/* blklat_io.in_rq says where the marks of the request of the I/O are. */
enum blklat_in_rq {
	RQ_APART,	/* in an entry of rqs; or the I/O has no request */
	RQ_TO_COME,	/* nowhere yet: the request has not reached the driver */
	RQ_HERE,	/* in the I/O: the request has one bio, and nothing unusual has happened */
};

/*
 * An I/O has this key if no bio leads to it any more: its bio is free again, or leads to another
 * I/O. No bio has this address.
 */
#define IO_KEY_ENDED	1ULL

/* These kinds of hook differ in the time that a call of their programs takes. */
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
 * @above: with IO_CHILD, the index of the device of @parent
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
	__u8 above;
	__u8 reserved;
	__u32 over;
	__u32 child;
	__u32 sibling;
	struct blklat_cost_note q_cost;
	struct blklat_cost_note z_cost;
	struct blklat_origin origin;
	__u64 status;
	char comm[BLKLAT_COMM_LEN];
};

/**
 * io_is_piece() - check if a slot has no I/O but a piece of one
 * @io: the slot
 *
 * A piece is the front part of a bio that was split.
 *
 * Return: true if it has a piece.
 */
static inline int io_is_piece(const struct blklat_io *io)
{
	return io->parent && !(io->flags & IO_CHILD);
}

/**
 * begin_of() - find the earliest mark of an I/O
 * @io: the I/O
 *
 * Return: mark E, T or Q in ns, 0 if it has none of these.
 */
static inline __u64 begin_of(const struct blklat_io *io)
{
	return io->m[MARK_E] ?: io->m[MARK_T] ?: io->m[MARK_Q];
}

/**
 * ended_at() - find out when an I/O that is over ended
 * @io: the I/O
 *
 * Return: its latest mark of C, F and Z in ns, 0 if it has none.
 */
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

#endif /* BLKLAT_IO_H */
