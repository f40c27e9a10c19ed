// SPDX-License-Identifier: GPL-2.0
/*
 * Set marks of asynchronous I/O: E when io_uring takes up a request, W when its CQE or the event
 * of libaio is posted.
 */
#include "submit.bpf.h"

/*
 * Stop reading the clock for the next requests of a task after more than this number of its
 * requests in a row were no I/O of a traced device.
 */
#define IDLE_SQES 64

/*
 * A kiocb completed: mark its I/Os as told. If the kernel has @freed the kiocb by now, it may
 * already be in use again. The first I/O on its list has then not ended, so leave the list alone.
 * This is right as well if only the end of that I/O was missed: the next use of the kiocb marks the
 * I/O as told.
 */
static __always_inline int told_kiocb(__u64 kiocb, bool freed, __u64 began)
{
	struct addr_entry *e;
	__u32 head;

	e = addr_find(KIOCBS, kiocb);
	if (!e)
		return 0;
	head = e->slot;
	if (freed && head && !(io_at(head - 1)->flags & IO_DONE_Z))
		return 0;
	/*
	 * The next use of a freed kiocb may have put its I/O on the list meanwhile. The list then
	 * belongs to that use, so leave it alone.
	 */
	if (!freed)
		e->slot = 0;
	else if (__sync_val_compare_and_swap(&e->slot, head, 0) != head)
		return 0;
	/* If the next use has put its I/O on the list since, it needs the entry: do not drop it. */
	if (!freed || !e->slot)
		addr_drop(KIOCBS, kiocb);
	tell_list(head, kiocb, mark_time(began), true);
	return 0;
}

/**
 * blklat_told_missed() - do as tell_list() if it was missed that the submitter was told
 * @head: slot + 1 of the first I/O on the list
 * @owner: the task (pid_tgid) or kiocb that has the list
 * @ended: true for a kiocb: all these I/Os have ended, because it is in use again
 *
 * Context: any
 * Return: 0.
 */
int blklat_told_missed(__u32 head, __u64 owner, bool ended)
{
	struct told_ctx ctx = { .owner = owner, .idx = head, .ended = ended };

	bpf_loop(LIST_MAX, tell_one, &ctx, 0);
	return 0;
}

SEC("?fexit/aio_complete_rw")
int FEXIT_PROG(aio_told, struct kiocb *kiocb)
{
	return told_kiocb((__u64)kiocb, true, began);
}

/* A request of io_uring, struct io_kiocb, begins with the kiocb of its read or write. */
SEC("?tp_btf/io_uring_complete")
int TP_PROG(uring_told, void *ring, void *req)
{
	/* @req is NULL for a CQE that is not the last one of its request. */
	return req ? told_kiocb((__u64)req, false, began) : 0;
}

/*
 * The task of a ring, which may be its SQ poll thread, takes up a request: note the time for mark
 * E of the request's bios. If the request is punted to io-wq, another task submits its bios, so
 * these do not get this mark E.
 */
static __always_inline int uring_taken(void *req, __u64 began)
{
	struct task_io *task;

	if (state.phase != PHASE_TRACE)
		return 0;
	task = this_task(true);
	if (!task)
		return 0;
	if (task->idle_sqes > IDLE_SQES) {
		/* An earlier request may have had the same address, so forget that one. */
		task->sqe = 0;
		return 0;
	}
	task->idle_sqes++;
	task->sqe = (__u64)req;
	task->sqe_used = 0;
	task->sqe_ns = mark_time(began);
	return 0;
}

SEC("?tp_btf/io_uring_submit_req")
int TP_PROG(uring_submit_req, void *req)
{
	return uring_taken(req, began);
}

SEC("?tp_btf/io_uring_submit_sqe")
int TP_PROG(uring_submit_sqe, void *req)
{
	return uring_taken(req, began);
}
