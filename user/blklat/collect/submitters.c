// SPDX-License-Identifier: GPL-2.0
/* Attach the programs on system calls and on requests of io_uring only while they are needed. */
#include <string.h>
#include <bpf/libbpf.h>
#include "blklat.h"
#include "blklat/collect/submitters.h"
#include "blklat.skel.h"
#include "core/log.h"

/*
 * After URING_TICKS calls of submitters_tick() with I/O of io_uring and no other I/O of a task,
 * the programs on system calls are detached. After QUIET_TICKS calls without any I/O of a task,
 * all are detached, also those on io_uring and libaio.
 */
#define URING_TICKS 5U
#define QUIET_TICKS 100U
/* Each time the programs have to be attached again, these times double, up to 32 s and 640 s. */
#define BACK_OFF_MAX 6

/* Return the group of a hook, LEAVING_CALLS or LEAVING_KIOCBS, or 0 if it is in neither. */
static unsigned int group_of(const struct hook *h)
{
	/*
	 * Two kinds of programs stay attached. blkgen's tracepoints fire for its own I/O only. The
	 * function of libaio is called for libaio only, and the kernel may have to wait for long to
	 * attach to a function.
	 */
	if (!hook_is_submitters(h) || h->type != HOOK_TP)
		return 0;
	return !strncmp(h->symbol, "sys_", 4) ? LEAVING_CALLS : LEAVING_KIOCBS;
}

/* Return true if one of these programs still has to see that the submitter of an I/O is told. */
static bool are_awaited(const struct submitters *u, unsigned int groups)
{
	for (uint32_t i = 0; i <= u->skel->bss->state.window; i++) {
		const struct blklat_io *io = &u->skel->bss->slots[i];

		if (io->key && ((groups & LEAVING_CALLS && io->told == TOLD_SYSCALL) ||
				(groups & LEAVING_KIOCBS && io->told == TOLD_KIOCB)))
			return true;
	}
	return false;
}

/*
 * Clear the notes that the programs in these groups made about tasks. The notes are about system
 * calls and requests that will be over when the programs are attached again.
 */
static void clear_tasks(struct submitters *u, unsigned int groups)
{
	for (uint32_t i = 0; i < BLKLAT_TASKS; i++) {
		struct task_io *task = &u->skel->bss->tasks[i];

		if (groups & LEAVING_CALLS) {
			task->enter_ns = task->exit_ns = task->think_ns = 0;
			task->in_syscall = 0;
		}
		if (groups & LEAVING_KIOCBS)
			task->sqe = 0;
	}
}

static void detach(struct submitters *u, unsigned int groups)
{
	for (size_t i = 0; i < nr_hooks; i++) {
		if (!(group_of(&hooks[i]) & groups))
			continue;
		bpf_link__destroy(u->links[i]);
		u->links[i] = NULL;
	}
	clear_tasks(u, groups);
	u->detached |= groups;
	verbose(u->detached & LEAVING_KIOCBS ?
		"system calls and io_uring are not traced for now: no task does I/O" :
		"system calls are not traced for now: all I/O comes from io_uring");
}

/* Attach the programs of detached groups that give this mark. Return the groups that failed. */
static unsigned int attach_marks(struct submitters *u, const char *mark, unsigned int groups)
{
	unsigned int failed = 0;

	for (size_t i = 0; i < nr_hooks; i++) {
		unsigned int group = group_of(&hooks[i]) & groups;
		struct bpf_program *prog;

		if (!group || strcmp(hooks[i].marks, mark) || u->status[i].state != HOOK_ATTACHED)
			continue;
		prog = bpf_object__find_program_by_name(u->skel->obj, hooks[i].prog);
		if (!hook_attach(&hooks[i], prog, &u->status[i], &u->links[i]))
			continue;
		failed |= group;
		verbose("%s (%s)", u->status[i].reason, hooks[i].without);
	}
	return failed;
}

static void attach(struct submitters *u)
{
	unsigned int failed;

	/* A program that was held up may have written to a task's entry after it was detached. */
	clear_tasks(u, u->detached);
	/*
	 * First attach the programs that see the end of a call or request. If this fails for a
	 * group, do not attach its programs that see the begin, because no program would see the
	 * end.
	 */
	failed = attach_marks(u, "W", u->detached);
	attach_marks(u, "E", u->detached & ~failed);
	u->detached = 0;
	if (u->back_off < BACK_OFF_MAX)
		u->back_off++;
	verbose("system calls and io_uring are traced again");
}

/* Return the groups of programs that are not needed, by the I/O of the last calls. */
static unsigned int not_needed(const struct submitters *u)
{
	if (u->quiet_ticks >= QUIET_TICKS << u->back_off)
		return LEAVING_CALLS | LEAVING_KIOCBS;
	return u->uring_ticks >= URING_TICKS << u->back_off ? LEAVING_CALLS : 0;
}

void submitters_tick(struct submitters *u)
{
	struct blklat_state *state = &u->skel->bss->state;
	bool calls = __atomic_exchange_n(&state->calls, 0, __ATOMIC_SEQ_CST);
	bool async = __atomic_exchange_n(&state->async, 0, __ATOMIC_SEQ_CST);
	unsigned int leave;

	if (!u->skel->rodata->cfg.submitter)
		return;
	u->quiet_ticks = calls || async ? 0 : u->quiet_ticks + 1;
	u->uring_ticks = calls ? 0 : u->uring_ticks + async;
	if (calls && u->detached)
		attach(u);
	leave = not_needed(u) & ~u->detached;
	/*
	 * The first call only sets state.leaving, so that new I/O does not wait for these
	 * programs. A later call detaches them, when no I/O waits for them any more.
	 */
	if (leave && !(leave & ~state->leaving) && !are_awaited(u, leave)) {
		detach(u, leave);
		leave = 0;
	}
	__atomic_store_n(&state->leaving, leave | u->detached, __ATOMIC_SEQ_CST);
}
