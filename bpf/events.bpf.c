// SPDX-License-Identifier: GPL-2.0
/* Note the name of the task that submitted an I/O, for --events and --by. */
#include "events.bpf.h"

/**
 * blklat_note_task() - note the name of the task that submitted an I/O
 * @idx: slot of the I/O
 *
 * The task may be gone. Then its memory either belongs to another task, which has another pid, or
 * still has the old contents. Any context.
 *
 * Return: 0.
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
