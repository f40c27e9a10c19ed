// SPDX-License-Identifier: GPL-2.0
/* Who submitted an I/O, for --events. */
#include "events.bpf.h"

/* Neighbours, so one read has both. */
static __always_inline bool read_ids(struct task_struct *task, __u32 id[2])
{
	if (bpf_core_field_offset(struct task_struct, tgid) ==
	    bpf_core_field_offset(struct task_struct, pid) + sizeof(*id))
		return !bpf_core_read(id, 2 * sizeof(*id), &task->pid);
	return !bpf_core_read(&id[0], sizeof(*id), &task->pid) &&
	       !bpf_core_read(&id[1], sizeof(*id), &task->tgid);
}

/**
 * blklat_note_task - note the process and the name of the task that submitted an I/O
 * @idx: its slot
 *
 * The task may be gone; then another one has its place, or what is left there is its own. Any
 * context. Returns 0.
 */
int blklat_note_task(__u32 idx)
{
	struct blklat_io *io = io_at(idx);
	struct task_struct *task = (struct task_struct *)io->task;
	__u32 id[2] = {};

	if (!dev_cfg(io->dev)->top || io->flags & IO_CHILD)
		return 0;
	io->comm[0] = 0;
	if (!read_ids(task, id) || id[0] != io->origin.pid)
		return 0;
	io->origin.tgid = id[1];
	bpf_core_read(&io->comm, sizeof(io->comm), &task->comm);
	return 0;
}
