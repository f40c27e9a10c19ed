/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Define the state of a trace: how far it is, where the I/Os of bios, kiocbs and tasks are found,
 * and what changes while it runs.
 */
#ifndef BLKLAT_STATE_H
#define BLKLAT_STATE_H

#include <linux/types.h>
#include "config.h"
#include "io.h"

/* These are the bits of blklat_state.leaving. */
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

/*
 * A run of cost_loop calls its function this many times. User space computes the time of one call.
 */
#define COST_LOOP_CALLS 64

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

#endif /* BLKLAT_STATE_H */
