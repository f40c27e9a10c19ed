// SPDX-License-Identifier: GPL-2.0
/*
 * Marks of asynchronous I/O: E where io_uring takes up a request, W where its CQE or a libaio event
 * is posted.
 */
#include "submit.bpf.h"

/*
 * After so many requests of a task that were no I/O of a traced device the clock is not read for
 * the next ones.
 */
#define IDLE_SQES 64

static __always_inline int told_kiocb(__u64 kiocb)
{
	struct addr_entry *e;
	__u32 head;

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
 * The task of a ring, which may be its SQ poll thread, takes up a request: mark E of its bios. What
 * is punted to io-wq is taken up here by another task than the one that submits its bios, so it has
 * no mark E.
 */
static __always_inline int uring_taken(void *req)
{
	struct task_io *task;

	if (state.phase != PHASE_TRACE)
		return 0;
	task = this_task(true);
	if (!task)
		return 0;
	if (task->idle_sqes > IDLE_SQES) {
		/* This may be the address that an earlier one had. */
		task->sqe = 0;
		return 0;
	}
	task->idle_sqes++;
	task->sqe = (__u64)req;
	task->sqe_ns = bpf_ktime_get_ns();
	return 0;
}

SEC("?tp_btf/io_uring_submit_req")
int TP_PROG(uring_submit_req, void *req)
{
	return uring_taken(req);
}

SEC("?tp_btf/io_uring_submit_sqe")
int TP_PROG(uring_submit_sqe, void *req)
{
	return uring_taken(req);
}
