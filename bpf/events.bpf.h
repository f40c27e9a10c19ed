/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records of single I/Os. What only the start of an I/O knows is noted in its slot
 * when records are wanted, and no more: with --slower most I/Os have none.
 */
#ifndef BLKLAT_EVENTS_BPF_H
#define BLKLAT_EVENTS_BPF_H

#include "tables.bpf.h"

/*
 * The name of the task is read at the end: a copy for each I/O would be dear. The
 * address alone says who it is as long as the task there has this pid.
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
	io->task = (__u64)task;
	/* That of the bio: writeback is done by a task of another one. */
	if (cfg.cgroups && bpf_core_field_exists(bio->bi_blkg))
		o->cgroup = BPF_CORE_READ(bio, bi_blkg, blkcg, css.cgroup, kn, id);
}

/* A bio ended with this: the I/O failed, also when it is a piece of it. */
static __always_inline void note_status(__u32 idx, __u8 status)
{
	struct blklat_io *io;

	if (!status || !cfg.events)
		return;
	io = io_at(idx);
	if (io->parent && !(io->flags & IO_CHILD))
		io = io_at(io->parent - 1);
	if (io)
		io->status = status;
}

#endif /* BLKLAT_EVENTS_BPF_H */
