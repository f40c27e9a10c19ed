// SPDX-License-Identifier: GPL-2.0
/* Mark W of asynchronous I/O: a libaio event or an io_uring CQE was posted. */
#include <linux/io_uring.h>
#include "submit.bpf.h"

static __always_inline int told_kiocb(__u64 kiocb)
{
	struct addr_entry *e;
	__u32 head;

	if (state.phase == PHASE_IDLE)
		return 0;
	e = kiocbs_find(kiocb);
	if (!e)
		return 0;
	head = e->slot;
	e->slot = 0;
	kiocbs_drop(kiocb);
	tell_list(head, kiocb, bpf_ktime_get_ns(), true);
	return 0;
}

SEC("?fexit/aio_complete_rw")
int FEXIT_PROG(aio_told, struct kiocb *kiocb)
{
	return told_kiocb((__u64)kiocb);
}

/* An io_kiocb begins with the kiocb of its read or write. */
SEC("?tp_btf/io_uring_complete")
int TP_PROG(uring_told, void *ring, void *req)
{
	return told_kiocb((__u64)req);
}

/*
 * An SQ poll thread never enters a system call: mark E is where it takes up
 * the request. What is punted to io-wq is taken up here by another task than
 * the one that submits its bios, so it has no mark E.
 */
static __always_inline int uring_taken(void)
{
	struct task_io *task;

	/* Else each request of any ring would have its task looked up here. */
	if (!state.sq_threads || state.phase != PHASE_TRACE)
		return 0;
	task = this_task(true);
	if (task && !task->in_syscall)
		task->enter_ns = bpf_ktime_get_ns();
	return 0;
}

SEC("?tp_btf/io_uring_submit_req")
int TP_PROG(uring_submit_req, void *req)
{
	return uring_taken();
}

SEC("?tp_btf/io_uring_submit_sqe")
int TP_PROG(uring_submit_sqe, void *req)
{
	return uring_taken();
}

SEC("?tp_btf/io_uring_create")
int TP_PROG(uring_create, int fd, void *ring, __u32 sq_entries, __u32 cq_entries, __u32 flags)
{
	if (flags & IORING_SETUP_SQPOLL)
		state.sq_threads = 1;
	return 0;
}
