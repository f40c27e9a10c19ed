// SPDX-License-Identifier: GPL-2.0
/*
 * What does not lie in its first place: addresses and tasks that share it with
 * another one, and slots whose neighbour is taken. Seldom come by; global
 * functions, so that the verifier looks at them once and not once per call.
 */
#include "cost.bpf.h"

/* Slots looked at for a free one, and how far apart. */
#define SLOT_TRIES 4
#define SLOT_STEP 61

/* Take a slot at @next or a little behind it; its index, or -1. */
static __always_inline int slot_take_near(__u32 next, __u64 bio)
{
	for (int i = 0; i < SLOT_TRIES; i++) {
		__u32 idx = (next + i * SLOT_STEP) & state.window;
		struct blklat_io *io = io_at(idx);

		if (!io->key && !__sync_val_compare_and_swap(&io->key, 0, bio))
			return idx;
	}
	return -1;
}

/**
 * slot_take_next - take any slot
 * @bio: address of the bio that it is for
 *
 * Few slots in use are soon in a cache, so more are used only when these do not do. Any context.
 * Returns its index, or -1.
 */
int slot_take_next(__u64 *bio)
{
	__u32 window = state.window;
	int idx;

	if (!bio)
		return -1;
	idx = slot_take_near(__sync_fetch_and_add(&state.next_slot, 1), *bio);
	if (idx >= 0 || window >= cfg.last_slot)
		return idx;
	if (__sync_val_compare_and_swap(&state.window, window, window << 1 | 1) == window)
		state.next_slot = window + 1;
	/* In the new half, also for a program whose comparison failed. */
	return slot_take_near(__sync_fetch_and_add(&state.next_slot, 1) | (window + 1), *bio);
}

/**
 * io_take_far - as io_take(), where the first place of the address is taken
 * @bio: address of a bio that has no slot
 *
 * Any context. Returns the index of the slot, or -1.
 */
int io_take_far(__u64 *bio)
{
	__u32 home = bio ? addr_home(*bio) : 0;
	struct addr_entry *first = &bios[home];
	__u32 slot = home;

	if (!bio)
		return -1;
	for (int i = 1; i < WAYS; i++) {
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

/* The entry with this address, index or -1. */
#define DEFINE_FAR(map) \
	int map##_far(__u64 *key) \
	{ \
		__u32 home = key ? addr_home(*key) : 0; \
\
		if (!key) \
			return -1; \
		for (int i = 1; i < WAYS; i++) { \
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
		for (int i = 1; i < WAYS; i++) { \
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
 * kiocbs_far_take - the entry of a kiocb whose first place is not free for it
 * @key: its address
 *
 * Any context. Returns the index, of the one that it has or a new one, or -1.
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
	for (int i = 1; i < WAYS; i++) {
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
 * task_far - the entry of a task that is not in its first place
 * @key: pid + 1
 * @create: a new one if it has none
 *
 * Only the task itself looks for it. Returns the index, or -1.
 */
int task_far(__u32 key, bool create)
{
	__u32 home = task_home(key);
	struct task_io *first = &tasks[home];

	for (int i = 1; i < WAYS && first->away; i++) {
		__u32 idx = (home + i) & (BLKLAT_TASKS - 1);
		struct task_io *task = &tasks[idx];

		if (task->key == key)
			return idx;
	}
	if (!create)
		return -1;
	if (!first->key && !__sync_val_compare_and_swap(&first->key, 0, key))
		return home;
	for (int i = 1; i < WAYS; i++) {
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

static __always_inline void task_clear(struct task_io *task)
{
	task->enter_ns = 0;
	task->exit_ns = 0;
	task->think_ns = 0;
	task->batch = 0;
	task->bio = 0;
	task->sqe = 0;
	task->idle_sqes = 0;
	task->head = 0;
	task->in_syscall = 0;
	__sync_lock_test_and_set(&task->key, 0);
}

/* A task is no more: its pid can be another's. */
SEC("tp_btf/sched_process_free")
int TP_PROG(task_free, struct task_struct *dead)
{
	__u32 key = dead->pid + 1;
	struct task_io *first = &tasks[task_home(key)];
	int idx;

	if (first->key == key) {
		task_clear(first);
		return 0;
	}
	if (!first->away)
		return 0;
	idx = task_far(key, false);
	if (idx < 0)
		return 0;
	task_clear(&tasks[idx & (BLKLAT_TASKS - 1)]);
	__sync_fetch_and_add(&first->away, -1);
	return 0;
}
