// SPDX-License-Identifier: GPL-2.0
/* Who submitted an I/O, for --events. */
#include "events.bpf.h"

/**
 * blklat_note_task - note the name of the task that submitted an I/O
 * @idx: its slot
 *
 * The task may be gone; then another one has its place, or what is left there is its own. Any
 * context. Returns 0.
 */
int blklat_note_task(__u32 idx)
{
	struct blklat_io *io = io_at(idx);
	struct task_struct *task = (struct task_struct *)io->task;
	int pid = 0;

	if (!dev_cfg(io->dev)->top || io->flags & IO_CHILD)
		return 0;
	bpf_core_read(&pid, sizeof(pid), &task->pid);
	if (pid != io->origin.pid)
		return 0;
	bpf_core_read(&io->comm, sizeof(io->comm), &task->comm);
	return 0;
}
