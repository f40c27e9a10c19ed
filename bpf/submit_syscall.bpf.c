// SPDX-License-Identifier: GPL-2.0
/* Note the entry of system calls that can start I/O for mark E, and their return for mark W. */
#include "submit.bpf.h"

static __always_inline bool starts_io(long nr)
{
	__u64 n = nr;

	return n < BLKLAT_SYSCALLS && cfg.starts_io[n];
}

SEC("tp_btf/sys_enter")
int TP_PROG(syscall_enter, struct pt_regs *regs, long nr)
{
	struct task_io *task;
	__u64 now;

	/* Most system calls start no I/O. */
	if (!starts_io(nr) || state.phase != PHASE_TRACE)
		return 0;
	task = this_task(true);
	if (!task)
		return 0;
	/* The task still has a list: the return from its last system call was missed. */
	if (task->head)
		blklat_told_missed(task->head, bpf_get_current_pid_tgid(), false);
	now = mark_time(began);
	if (task->exit_ns)
		task->think_ns += now - task->exit_ns;
	task->exit_ns = 0;
	task->enter_ns = now;
	task->nr = nr;
	task->in_syscall = 1;
	task->head = 0;
	return 0;
}

/*
 * Return when the I/O syscall that @task is in returned: @now, or 0 if that is not known. It is not
 * known if another system call returns now, because then the kernel has skipped this program at the
 * return of the I/O syscall.
 */
static __always_inline __u64 returned_ns(struct task_io *task, struct pt_regs *regs, __u64 now)
{
	__s32 nr = cfg.preempts ? syscall_of(regs) : -1;

	return nr < 0 || nr == task->nr ? now : 0;
}

SEC("tp_btf/sys_exit")
int TP_PROG(syscall_exit, struct pt_regs *regs, long ret)
{
	struct task_io *task;
	__u64 now;

	if (state.phase == PHASE_IDLE)
		return 0;
	task = this_task(false);
	if (!task || !task->enter_ns)
		return 0;
	now = returned_ns(task, regs, mark_time(began));
	task->enter_ns = 0;
	task->in_syscall = 0;
	task->exit_ns = now;
	if (task->head)
		tell_list(task->head, bpf_get_current_pid_tgid(), now, false);
	task->head = 0;
	return 0;
}
