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
/*
 * If the window already has all slots, look at slots that lie 1/WIDE_PLACES of the window apart:
 * I/Os that stay in flight, such as those of a queue that hangs, may have all slots near the next
 * one while nearly all others are free.
 */
#define WIDE_PLACES 16

/* A search for a free slot: it looks at slots that lie @step slots apart, from @next on. */
struct slot_walk {
	__u64 bio;
	__u32 next;
	__u32 step;
	int found;
};

static long slot_try(__u32 i, struct slot_walk *w)
{
	__u32 idx = (w->next + i * w->step) & state.window;
	struct blklat_io *io = io_at(idx);

	if (io->key || __sync_val_compare_and_swap(&io->key, 0, w->bio))
		return 0;
	w->found = idx;
	return 1;
}

/*
 * Look at @tries slots and take a free one. Return its index, or -1. This uses bpf_loop(), because
 * the verifier walks each round of a loop.
 */
static __always_inline int slot_take_at(__u32 next, __u32 step, __u32 tries, __u64 bio)
{
	struct slot_walk w = { .bio = bio, .next = next, .step = step, .found = -1 };

	bpf_loop(tries, slot_try, &w, 0);
	return w.found;
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
	idx = slot_take_at(next, SLOT_STEP, SLOT_TRIES, *bio);
	if (idx >= 0)
		return idx;
	if (window >= cfg.last_slot)
		return slot_take_at(next, (window + 1) / WIDE_PLACES, WIDE_PLACES, *bio);
	if (__sync_val_compare_and_swap(&state.window, window, window << 1 | 1) == window)
		state.next_slot = window + 1;
	/* Look in the new half, also if another program has just doubled the window. */
	next = __sync_fetch_and_add(&state.next_slot, 1) | (window + 1);
	return slot_take_at(next, SLOT_STEP, SLOT_TRIES, *bio);
}

/**
 * addr_far() - find an entry that does not lie in its first place
 * @key: points at the address
 * @table: BIOS or KIOCBS
 *
 * Context: any
 * Return: the index of the entry in addrs, or -1.
 */
int addr_far(__u64 *key, __u32 table)
{
	struct addr_entry *first;

	if (!key || table > KIOCBS)
		return -1;
	first = addr_first(table, *key);
	/* Unrolled, each step is a load and a comparison. */
	for (int i = 1; i < WAYS; i++) {
		if (first[i].key == *key)
			return table + addr_home(*key) + i;
	}
	return -1;
}

/**
 * addr_far_drop() - free an entry that does not lie in its first place, if there is one
 * @key: points at the address
 * @table: BIOS or KIOCBS
 *
 * Context: any
 * Return: 0.
 */
int addr_far_drop(__u64 *key, __u32 table)
{
	struct addr_entry *e = addr_at(addr_far(key, table));

	if (!e || !key || table > KIOCBS)
		return 0;
	e->key = 0;
	__sync_fetch_and_add(&addr_first(table, *key)->away, -1);
	return 0;
}

/**
 * addr_far_take() - find or take an entry that may not lie in its first place
 * @key: points at the address
 * @table: BIOS or KIOCBS
 *
 * Context: any
 * Return: the index in addrs of the entry that the address has or of a new one, or -1.
 */
int addr_far_take(__u64 *key, __u32 table)
{
	struct addr_entry *first;
	int idx;

	if (!key || table > KIOCBS)
		return -1;
	first = addr_first(table, *key);
	idx = first->away ? addr_far(key, table) : -1;
	if (idx >= 0)
		return idx;
	idx = table + addr_home(*key);
	if (!first->key && !__sync_val_compare_and_swap(&first->key, 0, *key))
		return idx;
	FOR_WAYS(i) {
		if (first[i].key)
			continue;
		__sync_fetch_and_add(&first->away, 1);
		if (!__sync_val_compare_and_swap(&first[i].key, 0, *key))
			return idx + i;
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
	FOR_WAYS(i) {
		__u32 idx = (home + i) & RQ_MASK;

		if (rq_at(idx)->key == *key)
			return idx;
	}
	return -1;
}

/* A search for an entry that a request can take, from entry @home on. */
struct rqs_walk {
	__u64 key;
	__u64 now;
	__u32 home;
	int found;
};

static long rqs_try(__u32 i, struct rqs_walk *w)
{
	__u32 idx = (w->home + i) & RQ_MASK;
	struct blklat_rq *e = rq_at(idx);
	__u64 old = e->key;

	/* Another CPU may have set @c after @now was read, so the age may be negative. */
	if (old && !(e->done && (__s64)(w->now - e->c) > 1000000000LL))
		return 0;
	if (__sync_val_compare_and_swap(&e->key, old, w->key) != old)
		return 0;
	e->done = 1;
	if (i)
		rq_at(w->home)->spilled = 1;
	w->found = idx;
	return 1;
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
	struct rqs_walk w = { .now = now, .found = -1 };

	if (!key)
		return -1;
	w.key = *key;
	w.home = rq_home(*key);
	bpf_loop(WAYS, rqs_try, &w, 0);
	return w.found;
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

	FOR_WAYS(i) {
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
	FOR_WAYS(i) {
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
		blklat_told_missed(task->head, owner, false);
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
