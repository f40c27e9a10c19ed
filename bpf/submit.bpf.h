/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Find out when the submitter of an I/O entered the kernel, and how it will be told of the end.
 */
#ifndef BLKLAT_SUBMIT_BPF_H
#define BLKLAT_SUBMIT_BPF_H

#include "cost.bpf.h"

/* submit_kiocb.bpf.c: mark the I/Os of a task or kiocb as told; that it was told was missed */
int blklat_told_missed(__u32 head, __u64 owner, bool ended);

/* A list of the I/Os of a task or kiocb cannot be longer than all slots, so a walk ends there. */
#define LIST_MAX BLKLAT_MAX_SLOTS

/*
 * At most this many I/Os of a system call wait for its return: a call may submit I/O for hours, and
 * I/Os that wait keep their slots.
 */
#define CALL_MAX 4096U

/**
 * kiocb_field() - find the pointer to the kiocb, in the structure that bi_private points at
 * @end: bi_end_io of a bio
 * @priv: bi_private of that bio
 *
 * Return: the address of the pointer; 0 if @end is no function that completes a kiocb.
 */
static __always_inline __u64 kiocb_field(__u64 end, __u64 priv)
{
	if (bpf_core_type_exists(struct blkdev_dio) && end == cfg.enders[ENDER_BLKDEV])
		return priv + bpf_core_field_offset(struct blkdev_dio, iocb);
	if (bpf_core_type_exists(struct iomap_dio) && end == cfg.enders[ENDER_IOMAP])
		return priv + bpf_core_field_offset(struct iomap_dio, iocb);
	if (bpf_core_type_exists(struct dio) && end == cfg.enders[ENDER_DIO])
		return priv + bpf_core_field_offset(struct dio, iocb);
	return 0;
}

/**
 * tells() - check if the programs see the completion of a kiocb
 * @complete: its ki_complete
 *
 * They see the completions by functions of libaio and io_uring. They do not see those by other
 * functions, such as those of a loop device with direct I/O, of overlayfs and of NVMe targets.
 *
 * Return: true if they see it; if the address of no such function is known, true unless @complete
 * is 0.
 */
static __always_inline bool tells(__u64 complete)
{
	return complete && (complete == cfg.tellers[TELLER_URING] ||
			    complete == cfg.tellers[TELLER_AIO] ||
			    complete == cfg.tellers[TELLER_URING_POLLED] || !cfg.tellers_known);
}

/**
 * in_kernel_thread() - check if the current task is a kernel thread
 * @task: entry of the current task, or NULL
 *
 * When a kiocb of such a thread completes, no task is told.
 *
 * Return: true if it is; false for any task that was seen in a system call or taking up an io_uring
 * request.
 */
static __always_inline bool in_kernel_thread(struct task_io *task)
{
	if (task && (task->enter_ns || task->sqe))
		return false;
	return bpf_get_current_task_btf()->flags & PF_KTHREAD;
}

/**
 * async_kiocb() - find the asynchronous kiocb that completes when a bio ends
 * @bio: the bio
 * @task: entry of the current task, or NULL
 *
 * A synchronous call may have the address of its task in the place of the kiocb: then the word that
 * is read as ki_complete is no function, and tells() refuses it if the address of at least one such
 * function is known (cfg.tellers_known).
 *
 * Context: the task that submits the bio, as current
 * Return: the address of the kiocb, 0 if there is none.
 */
static __always_inline __u64 async_kiocb(struct bio *bio, struct task_io *task)
{
	__u64 end = (__u64)bio->bi_end_io, field, kiocb, complete;

	if (!end)
		return 0;
	/* Only bios of asynchronous kiocbs end with this function; they lie in a blkdev_dio. */
	if (bpf_core_type_exists(struct blkdev_dio) && end == cfg.enders[ENDER_BLKDEV_ASYNC]) {
		field = (__u64)bio - bpf_core_field_offset(struct blkdev_dio, bio) +
			bpf_core_field_offset(struct blkdev_dio, iocb);
		return in_kernel_thread(task) ? 0 : read_word(field, cfg.word_type);
	}
	field = kiocb_field(end, (__u64)bio->bi_private);
	kiocb = field ? read_word(field, cfg.word_type) : 0;
	if (!kiocb)
		return 0;
	complete = read_word(kiocb + bpf_core_field_offset(struct kiocb, ki_complete),
			     cfg.word_type);
	return tells(complete) ? kiocb : 0;
}

/**
 * struct told_ctx - a walk over the I/Os whose submitter is told by the same event
 * @owner: task or kiocb; an I/O of another owner ends the walk
 * @now: mark W, 0 when it is not known
 * @idx: slot + 1 of the next I/O
 * @ended: true if the event comes only after all these I/Os have ended
 */
struct told_ctx {
	__u64 owner;
	__u64 now;
	__u32 idx;
	__u32 ended;
};

/**
 * tell() - set mark W of the next I/O whose submitter is told, and hand it over if it has ended
 * @ctx: the walk over the I/Os
 *
 * Return: 1 if the walk ends, else 0.
 */
static __always_inline long tell(struct told_ctx *ctx)
{
	struct blklat_io *io;
	__u32 idx = ctx->idx - 1;

	io = ctx->idx ? io_at(idx) : NULL;
	if (!io || io->owner != ctx->owner)
		return 1;
	ctx->idx = io->next;
	if (io->over)
		return 0;
	io->m[MARK_W] = ctx->now;
	cost_until(&io->z_cost, ctx->now);
	if (!ctx->ended) {
		if (!io_is_over(io, IO_DONE_W, IO_DONE_Z))
			return 0;
	} else if (io->flags & IO_DONE_Z) {
		io->flags |= IO_DONE_W;
	} else {
		/* The I/O has ended, and its bio_endio was missed: leave it to sweep. */
		io->owner = 0;
		__sync_fetch_and_or(&io->flags, IO_MISSED_END);
		state.missed = 1;
		return 0;
	}
	/* The submitter was told before the end, so it did not wait for this I/O. */
	if (io->m[MARK_W] < io->m[MARK_Z])
		io->m[MARK_W] = 0;
	io_hand_over(idx, io);
	return 0;
}

/**
 * tell_one() - do tell() as a callback of bpf_loop()
 * @i: number of the round, not used
 * @ctx: the walk over the I/Os
 *
 * Return: as tell().
 */
static long tell_one(__u32 i, struct told_ctx *ctx)
{
	return tell(ctx);
}

/**
 * tell_list() - set mark W of each I/O on the list of a submitter that was told
 * @head: slot + 1 of the first I/O, 0 for none
 * @owner: the task (pid_tgid) or kiocb that has the list
 * @now: mark W in ns, 0 when it is not known
 * @ended: true if the submitter is told only after all these I/Os have ended
 *
 * Without @ended, an I/O that has not ended (readahead, writeback from a syscall) loses the mark
 * again when it ends. With @ended, its end was missed, and it is left to sweep.
 */
static __always_inline void tell_list(__u32 head, __u64 owner, __u64 now, bool ended)
{
	struct told_ctx ctx = { .owner = owner, .now = now, .idx = head, .ended = ended };

	/* Mostly there is only one I/O, so bpf_loop() is not needed. */
	if (head && !tell(&ctx) && ctx.idx)
		bpf_loop(LIST_MAX, tell_one, &ctx, 0);
}

/**
 * kiocbs_take() - find or take the entry of a kiocb
 * @kiocb: address of the kiocb
 *
 * Return: the entry, or NULL if there is no room.
 */
static __always_inline struct addr_entry *kiocbs_take(__u64 kiocb)
{
	struct addr_entry *e = addr_first(KIOCBS, kiocb);
	__u64 copy;

	if (e->key == kiocb)
		return e;
	if (!(e->key | e->away) && !__sync_val_compare_and_swap(&e->key, 0, kiocb))
		return e;
	copy = kiocb;
	return addr_at(addr_far_take(&copy, KIOCBS));
}

/**
 * note_kiocb() - put an I/O on the list of its kiocb
 * @io: the I/O, which has mark E by now if that is known
 * @idx: slot of the I/O
 * @kiocb: address of the kiocb
 * @e: entry of the kiocb
 */
static __always_inline void note_kiocb(struct blklat_io *io, int idx, __u64 kiocb,
				       struct addr_entry *e)
{
	/* This is 0 if the entry was free. */
	__u32 head = e->slot;
	struct blklat_io *first = head ? io_at(head - 1) : NULL;

	/* If mark E differs, the list is that of an earlier use of the kiocb. */
	if (first && first->owner == kiocb && first->m[MARK_E] != io->m[MARK_E]) {
		blklat_told_missed(head, kiocb, true);
		head = 0;
	}
	io->told = TOLD_KIOCB;
	io->owner = kiocb;
	io->next = head;
	e->slot = idx + 1;
}

/**
 * submitter_entered() - check if mark E of a bio that the current task submits is known
 * @bio: the bio
 *
 * Context: the task that submits the bio, as current
 * Return: true if it is known when the task entered the kernel for this bio.
 */
static __always_inline bool submitter_entered(struct bio *bio)
{
	struct task_io *task = cfg.submitter ? this_task(false) : NULL;
	__u32 leaving = state.leaving;

	if (!task)
		return false;
	if (task->bio == (__u64)bio || (task->enter_ns && !(leaving & LEAVING_CALLS)))
		return true;
	return task->sqe && !(leaving & LEAVING_KIOCBS) && task->sqe == async_kiocb(bio, task);
}

/**
 * task_calls() - check if the current task can be in a system call
 *
 * Return: true if it is neither a kernel thread nor a worker of io_uring.
 */
static __always_inline bool task_calls(void)
{
	return !(bpf_get_current_task_btf()->flags & (PF_KTHREAD | PF_IO_WORKER));
}

/**
 * note_syscall() - set mark E to the entry of the system call that the task is in, if that was seen
 * @io: the I/O that the task submits
 * @task: entry of the task, or NULL
 */
static __always_inline void note_syscall(struct blklat_io *io, struct task_io *task)
{
	if (task && task->enter_ns) {
		io->m[MARK_E] = task->enter_ns;
		io->think_ns = task->think_ns;
		io->thinks = 1;
		task->think_ns = 0;
	}
}

/**
 * note_async() - note that the end of a kiocb tells the submitter of a new I/O
 * @io: the I/O
 * @idx: slot of the I/O
 * @task: entry of the current task, or NULL
 * @kiocb: address of the kiocb
 *
 * This sets mark E as well, if the task submits a request of io_uring.
 *
 * Context: the task that submits the bio, as current
 * Return: false if mark E must still come from a system call, else true. The programs on system
 * calls may not be attached yet.
 */
static __always_inline bool note_async(struct blklat_io *io, int idx, struct task_io *task,
				       __u64 kiocb)
{
	struct addr_entry *e;
	bool sqe = false;

	/*
	 * The programs on kiocbs are being detached: the time of the task's request may be old, and
	 * no program will see the end of the request.
	 */
	if (state.leaving & LEAVING_KIOCBS) {
		state.calls = 1;
		return true;
	}
	e = kiocbs_take(kiocb);
	if (task) {
		/*
		 * Read the clock for the task's next requests, as they may be I/O of a traced
		 * device, too.
		 */
		task->idle_sqes = 0;
		/*
		 * If the time was already mark E of an I/O, and the list of the kiocb is empty, the
		 * time is that of an earlier request at this address: the kernel has skipped the
		 * program that sees the task take up this one.
		 */
		sqe = task->sqe == kiocb && !(task->sqe_used && e && !e->slot);
		/* This comes before note_kiocb(), which compares the marks E of the I/Os. */
		if (sqe) {
			io->m[MARK_E] = task->sqe_ns;
			task->sqe_used = 1;
		} else if (task->sqe == kiocb) {
			/* The time is old, so the next bios of this request must not get it. */
			task->sqe = 0;
		}
	}
	if (!state.async)
		state.async = 1;
	if (e)
		note_kiocb(io, idx, kiocb, e);
	return sqe;
}

/**
 * is_untold() - check if no program sees the end of a kiocb
 * @kiocb: address of the kiocb
 *
 * Return: true if it is one of libaio, and aio_told cannot be attached.
 */
static __always_inline bool is_untold(__u64 kiocb)
{
	return cfg.aio_untold && cfg.tellers[TELLER_AIO] ==
	       read_word(kiocb + bpf_core_field_offset(struct kiocb, ki_complete), cfg.word_type);
}

/**
 * note_submitter() - set mark E of a new I/O, and note how its submitter will be told
 * @io: the I/O
 * @idx: slot of the I/O
 * @bio: its bio
 *
 * Context: the task that submits the bio, as current; once per I/O, on the hot path
 */
static __always_inline void note_submitter(struct blklat_io *io, int idx, struct bio *bio)
{
	struct task_io *task = this_task(false);
	__u64 kiocb;

	/* Without this, clang would keep the result of the NULL check in a register of its own. */
	KEEP(task);
	if (task && task->bio == (__u64)bio) {
		io->m[MARK_E] = task->bio_ns;
		io->told = TOLD_BLKGEN;
		task->bio = 0;
		return;
	}
	note_syscall(io, task);
	kiocb = async_kiocb(bio, task);
	if (kiocb && !is_untold(kiocb) && note_async(io, idx, task, kiocb))
		return;
	if (!state.calls && task_calls())
		state.calls = 1;
	if (!kiocb && task && task->in_syscall - 1U < CALL_MAX &&
	    !(state.leaving & LEAVING_CALLS)) {
		task->in_syscall++;
		io->told = TOLD_SYSCALL;
		io->owner = bpf_get_current_pid_tgid();
		io->next = task->head;
		task->head = idx + 1;
	}
}

#endif /* BLKLAT_SUBMIT_BPF_H */
