/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Note in the slot of an I/O the parts of its record that are known only at its start or its end.
 * User space makes the records, because with --slower most I/Os need none.
 */
#ifndef BLKLAT_EVENTS_BPF_H
#define BLKLAT_EVENTS_BPF_H

#include "count.bpf.h"

/**
 * note_comm() - copy the name of a task
 * @to: set to the name
 * @task: the task
 *
 * The name is copied as two words: a call of a function would cost ten times as much.
 */
static __always_inline void note_comm(char to[BLKLAT_COMM_LEN], struct task_struct *task)
{
	const __u64 *comm = (const __u64 *)task->comm;
	__u64 *words = (__u64 *)to;

	_Static_assert(sizeof(task->comm) == 2 * sizeof(*comm), "a name is two words");
	words[0] = comm[0];
	words[1] = comm[1];
}

/**
 * note_event() - note who submits an I/O and where it is on the disk
 * @io: the I/O
 * @task: the task that submits it
 * @bio: its bio
 * @bytes: its length
 * @opf: bi_opf of @bio
 */
static __always_inline void note_event(struct blklat_io *io, struct task_struct *task,
				       struct bio *bio, __u32 bytes, __u32 opf)
{
	struct blklat_origin *o = &io->origin;

	o->sector = bio->bi_iter.bi_sector;
	o->bytes = bytes;
	o->opf = opf;
	o->pid = task->pid;
	o->tgid = task->tgid;
	note_comm(io->comm, task);
	/* Take the control group of the bio, as the task that does writeback is in another one. */
	if (cfg.cgroups && bpf_core_field_exists(bio->bi_blkg))
		o->cgroup = BPF_CORE_READ(bio, bi_blkg, blkcg, css.cgroup, kn, id);
}

/**
 * note_status() - note the status of a bio that ended
 * @idx: slot of its I/O, or of a piece
 * @status: blk_status_t of the bio
 *
 * If a piece of a split I/O failed, the whole I/O did. blklat_end() passes the status on to the
 * layers that had handed on the bio.
 */
static __always_inline void note_status(__u32 idx, __u8 status)
{
	struct blklat_io *io;

	if (!status)
		return;
	count_retried(idx, status);
	if (!cfg.events)
		return;
	io = io_at(idx);
	if (io_is_piece(io))
		io = io_at(io->parent - 1);
	io->status = status;
}

#endif /* BLKLAT_EVENTS_BPF_H */
