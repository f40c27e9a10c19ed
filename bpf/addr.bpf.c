// SPDX-License-Identifier: GPL-2.0
/*
 * Find entries that do not lie in their first place, because another address or task has that
 * place, and take a slot if the next one in turn is not free. This is seldom needed. The functions
 * are global, so that the verifier checks them once and not once per call.
 */
#include "submit.bpf.h"

/* A search for a free slot looks at SLOT_TRIES slots, which lie SLOT_STEP slots apart. */
#define SLOT_TRIES 4
#define SLOT_STEP 61
/* If the window already has all slots, look at slots that lie 1/WIDE_PLACES of the window apart. */
#define WIDE_PLACES 16

/* Take a free slot at @next or a little behind it. Return its index, or -1. */
static __always_inline int slot_take_near(__u32 next, __u64 bio)
{
	_Pragma("clang loop unroll(disable)")
	for (int i = 0; i < SLOT_TRIES; i++) {
		__u32 idx = (next + i * SLOT_STEP) & state.window;
		struct blklat_io *io = io_at(idx);

		if (!io->key && !__sync_val_compare_and_swap(&io->key, 0, bio))
			return idx;
	}
	return -1;
}

/*
 * Take a free slot far from @next. I/Os that stay in flight, such as those of a queue that hangs,
 * may have all slots near it while nearly all others are free.
 */
static __always_inline int slot_take_wide(__u32 next, __u64 bio)
{
	_Pragma("clang loop unroll(disable)")
	for (__u32 i = 1; i < WIDE_PLACES; i++) {
		__u32 idx = (next + i * ((state.window + 1) / WIDE_PLACES)) & state.window;
		struct blklat_io *io = io_at(idx);

		if (!io->key && !__sync_val_compare_and_swap(&io->key, 0, bio))
			return idx;
	}
	return -1;
}

/**
 * slot_take_next() - take the next free slot
 * @bio: points at the address of the bio that it is for
 *
 * The fewer slots are in use, the more of them are in the caches. So the number of slots in use
 * is doubled only if no free one is found.
 *
 * Context: any
 * Return: the index of the slot, or -1.
 */
int slot_take_next(__u64 *bio)
{
	__u32 window = state.window, next;
	int idx;

	if (!bio)
		return -1;
	next = __sync_fetch_and_add(&state.next_slot, 1);
	idx = slot_take_near(next, *bio);
	if (idx >= 0)
		return idx;
	if (window >= cfg.last_slot)
		return slot_take_wide(next, *bio);
	if (__sync_val_compare_and_swap(&state.window, window, window << 1 | 1) == window)
		state.next_slot = window + 1;
	/* Look in the new half, also if another program has just doubled the window. */
	return slot_take_near(__sync_fetch_and_add(&state.next_slot, 1) | (window + 1), *bio);
}

/**
 * io_take_far() - do the same as io_take() if the first place of the address is taken
 * @bio: points at the address of a bio that has no slot
 *
 * Context: any
 * Return: the index of the slot, or -1.
 */
int io_take_far(__u64 *bio)
{
	__u32 home = bio ? addr_home(*bio) : 0;
	struct addr_entry *first = &bios[home];
	__u32 slot = home;

	if (!bio)
		return -1;
	FOR_WAYS(i, 1) {
		__u32 idx = (home + i) & ADDR_MASK;
		struct addr_entry *e = &bios[idx];

		if (e->key || __sync_val_compare_and_swap(&e->key, 0, *bio))
			continue;
		__sync_fetch_and_add(&first->away, 1);
		if (addr_lead(e, *bio, &slot))
			return slot;
		__sync_fetch_and_add(&first->away, -1);
		return -1;
	}
	return -1;
}

/* Define bios_far() and bios_far_drop(), or the same for kiocbs: see tables.bpf.h. */
#define DEFINE_FAR(map) \
	int map##_far(__u64 *key) \
	{ \
		__u32 home = key ? addr_home(*key) : 0; \
\
		if (!key) \
			return -1; \
		FOR_WAYS(i, 1) { \
			__u32 idx = (home + i) & ADDR_MASK; \
			struct addr_entry *e = &map[idx]; \
\
			if (e->key == *key) \
				return idx; \
		} \
		return -1; \
	} \
\
	int map##_far_drop(__u64 *key) \
	{ \
		__u32 home = key ? addr_home(*key) : 0; \
		struct addr_entry *first = &map[home]; \
\
		if (!key) \
			return 0; \
		FOR_WAYS(i, 1) { \
			__u32 idx = (home + i) & ADDR_MASK; \
			struct addr_entry *e = &map[idx]; \
\
			if (e->key == *key) { \
				e->key = 0; \
				__sync_fetch_and_add(&first->away, -1); \
				break; \
			} \
		} \
		return 0; \
	}

DEFINE_FAR(bios)
DEFINE_FAR(kiocbs)

/**
 * kiocbs_far_take() - find or take the entry of a kiocb that may not lie in its first place
 * @key: points at the address of the kiocb
 *
 * Context: any
 * Return: the index of the entry that the kiocb has or of a new one, or -1.
 */
int kiocbs_far_take(__u64 *key)
{
	__u32 home = key ? addr_home(*key) : 0;
	struct addr_entry *first = &kiocbs[home];
	int idx;

	if (!key)
		return -1;
	idx = first->away ? kiocbs_far(key) : -1;
	if (idx >= 0)
		return idx;
	if (!first->key && !__sync_val_compare_and_swap(&first->key, 0, *key))
		return home;
	FOR_WAYS(i, 1) {
		__u32 at = (home + i) & ADDR_MASK;
		struct addr_entry *e = &kiocbs[at];

		if (e->key)
			continue;
		__sync_fetch_and_add(&first->away, 1);
		if (!__sync_val_compare_and_swap(&e->key, 0, *key))
			return at;
		__sync_fetch_and_add(&first->away, -1);
	}
	return -1;
}

/**
 * rqs_far() - find the entry of a request that is not in its first place
 * @key: points at the address of the request
 *
 * Context: any
 * Return: the index of the entry, or -1.
 */
int rqs_far(__u64 *key)
{
	__u32 home = key ? rq_home(*key) : 0;

	if (!key)
		return -1;
	FOR_WAYS(i, 1) {
		__u32 idx = (home + i) & RQ_MASK;

		if (rq_at(idx)->key == *key)
			return idx;
	}
	return -1;
}

/**
 * rqs_take() - take an entry for a request that has none
 * @key: points at the address of the request
 * @now: monotonic clock in ns
 *
 * The entry of a finished request is taken over only one second after its end, because its bios
 * may still be on their way from block_rq_complete to bio_endio.
 *
 * Context: any
 * Return: the index of the entry, or -1.
 */
int rqs_take(__u64 *key, __u64 now)
{
	__u32 home = key ? rq_home(*key) : 0;

	if (!key)
		return -1;
	FOR_WAYS(i, 0) {
		__u32 idx = (home + i) & RQ_MASK;
		struct blklat_rq *e = rq_at(idx);
		__u64 old = e->key;

		/* Another CPU may have set @c after @now was read, so the age may be negative. */
		if (old && !(e->done && (__s64)(now - e->c) > 1000000000LL))
			continue;
		if (__sync_val_compare_and_swap(&e->key, old, *key) != old)
			continue;
		e->done = 1;
		if (i)
			rq_at(home)->spilled = 1;
		return idx;
	}
	return -1;
}

/**
 * task_far() - find the entry of a task that is not in its first place
 * @key: pid + 1
 * @create: true to take an entry if the task has none
 *
 * Only the task itself looks for its entry, and task_free() when the task is gone.
 *
 * Return: the index of the entry, or -1.
 */
int task_far(__u32 key, bool create)
{
	__u32 home = task_home(key);
	struct task_io *first = &tasks[home];

	FOR_WAYS(i, 1) {
		__u32 idx = (home + i) & (BLKLAT_TASKS - 1);
		struct task_io *task = &tasks[idx];

		if (!first->away)
			break;
		if (task->key == key)
			return idx;
	}
	if (!create)
		return -1;
	if (!first->key && !__sync_val_compare_and_swap(&first->key, 0, key))
		return home;
	FOR_WAYS(i, 1) {
		__u32 idx = (home + i) & (BLKLAT_TASKS - 1);
		struct task_io *task = &tasks[idx];

		if (task->key)
			continue;
		__sync_fetch_and_add(&first->away, 1);
		if (!__sync_val_compare_and_swap(&task->key, 0, key))
			return idx;
		__sync_fetch_and_add(&first->away, -1);
	}
	return -1;
}

/* Free the entry of the task @owner, which is gone. */
static __always_inline void task_clear(struct task_io *task, __u64 owner)
{
	/* The program at the return from its last system call was skipped. */
	if (task->head)
		tell_list(task->head, owner, 0, false);
	task->enter_ns = 0;
	task->exit_ns = 0;
	task->think_ns = 0;
	task->batch = 0;
	task->batch_ends = 0;
	task->bio = 0;
	task->sqe = 0;
	task->idle_sqes = 0;
	task->head = 0;
	task->in_syscall = 0;
	__sync_lock_test_and_set(&task->key, 0);
}

/* Free the entry of a task that is gone, because another task can get its pid. */
SEC("tp_btf/sched_process_free")
int RARE_TP_PROG(task_free, struct task_struct *dead)
{
	__u32 key = dead->pid + 1;
	struct task_io *first = &tasks[task_home(key)], *task = first;
	int idx;

	if (first->key != key) {
		idx = first->away ? task_far(key, false) : -1;
		if (idx < 0)
			return 0;
		task = &tasks[idx & (BLKLAT_TASKS - 1)];
		__sync_fetch_and_add(&first->away, -1);
	}
	task_clear(task, (__u64)dead->tgid << 32 | (__u32)dead->pid);
	return 0;
}
