/* SPDX-License-Identifier: GPL-2.0 */
/* Find, take and free the entries of I/Os, requests, bios, kiocbs, tasks and CPUs. */
#ifndef BLKLAT_ENTRIES_BPF_H
#define BLKLAT_ENTRIES_BPF_H

#include "tables.bpf.h"

/**
 * io_at() - find the I/O in a slot
 * @idx: the slot; a mask keeps it within the slots
 *
 * Return: the I/O, never NULL.
 */
static __always_inline struct blklat_io *io_at(__u32 idx)
{
	struct blklat_io *io = &slots[idx & cfg.last_slot];

	KEEP_ADDRESS(io);
	return io;
}

#define RQ_MASK ((1U << BLKLAT_RQS_LOG2) - 1)

/**
 * rq_at() - find an entry of rqs
 * @idx: index of the entry; a mask keeps it within rqs
 *
 * Return: the entry, never NULL.
 */
static __always_inline struct blklat_rq *rq_at(__u32 idx)
{
	struct blklat_rq *e = &rqs[idx & RQ_MASK];

	KEEP(e);
	return e;
}

/**
 * rq_home() - find the first place of a request in rqs
 * @key: address of the request
 *
 * Return: the index of this place.
 */
static __always_inline __u32 rq_home(__u64 key)
{
	return hash_ptr(key, 32 - BLKLAT_RQS_LOG2);
}

/**
 * addr_home() - find the first place of an address in a table of addresses
 * @key: address of a bio or kiocb
 *
 * Return: the index of this place.
 */
static __always_inline __u32 addr_home(__u64 key)
{
	return hash_ptr(key, 32 - BLKLAT_ADDRS_LOG2);
}

/**
 * addr_first() - find the first place of an address
 * @table: BIOS or KIOCBS
 * @key: the address
 *
 * Nearly every address lies in its first place, so only this is looked at inline. If the first
 * place was taken, the address lies in one of the entries behind. @away of the first place counts
 * such addresses. The functions for these entries get a pointer to a copy: a pointer to the address
 * itself would make clang keep the address on the stack all the time.
 *
 * Return: the entry there, never NULL.
 */
static __always_inline struct addr_entry *addr_first(__u32 table, __u64 key)
{
	struct addr_entry *e = &addrs[table] + addr_home(key);

	KEEP_ADDRESS(e);
	return e;
}

/**
 * addr_at() - find an entry by what addr_far() or addr_far_take() returned
 * @idx: index of the entry, or -1, which is out of range
 *
 * In the object that defines these functions, clang knows the range of their results and would
 * leave out the comparison, which the verifier needs: to it the result can be any number.
 *
 * Return: the entry, or NULL.
 */
static __always_inline struct addr_entry *addr_at(__u32 idx)
{
	KEEP(idx);
	if (idx >= NR_ADDRS)
		return NULL;
	/* Otherwise clang would make the address before the comparison. */
	KEEP(idx);
	return &addrs[idx];
}

/**
 * addr_find() - find the entry of an address
 * @table: BIOS or KIOCBS
 * @key: the address
 *
 * Return: the entry, or NULL.
 */
static __always_inline struct addr_entry *addr_find(__u32 table, __u64 key)
{
	struct addr_entry *e = addr_first(table, key);
	__u64 copy;

	if (e->key == key)
		return e;
	if (!e->away)
		return NULL;
	copy = key;
	return addr_at(addr_far(&copy, table));
}

/**
 * addr_drop() - free the entry of an address, if there is one
 * @table: BIOS or KIOCBS
 * @key: the address
 */
static __always_inline void addr_drop(__u32 table, __u64 key)
{
	struct addr_entry *e = addr_first(table, key);
	__u64 copy;

	if (e->key == key) {
		e->key = 0;
	} else if (e->away) {
		copy = key;
		addr_far_drop(&copy, table);
	}
}

/**
 * io_of() - find the I/O of a bio
 * @bio: address of the bio
 * @idx: set to the slot of the I/O, or to 0
 *
 * Context: any; several times per I/O, on the hot path
 * Return: the I/O, which is that of an earlier use of the bio if the end of that use was missed; or
 * NULL.
 */
static __always_inline struct blklat_io *io_of(__u64 bio, __u32 *idx)
{
	struct addr_entry *e = addr_find(BIOS, bio);

	/*
	 * Set a value in any case: otherwise clang may spill the lower half of whatever the
	 * register contains. That may be a pointer, and then the verifier refuses the program.
	 */
	*idx = 0;
	if (!e)
		return NULL;
	*idx = e->slot;
	return io_at(*idx);
}

/**
 * slot_take() - take a free slot
 * @bio: address of the bio that it is for
 * @index: set to the slot
 *
 * Slots are used in turn, so that it takes long until a slot is used again: a program that was
 * preempted may still work on the I/O that had the slot before.
 *
 * Return: the I/O in the slot, or NULL.
 */
static __always_inline struct blklat_io *slot_take(__u64 bio, __u32 *index)
{
	struct blklat_io *io;
	__u64 copy, old;
	int idx;

	*index = __sync_fetch_and_add(&state.next_slot, 1) & state.window;
	io = io_at(*index);
	old = __sync_val_compare_and_swap(&io->key, 0, bio);
	KEEP(old);
	if (!old)
		return io;
	copy = bio;
	idx = slot_take_next(&copy);
	*index = idx;
	return idx < 0 ? NULL : io_at(idx);
}

/**
 * io_take() - take an entry and a slot for a bio that has none
 * @bio: address of the bio
 * @index: set to the slot
 *
 * Context: any; once per I/O, on the hot path
 * Return: the I/O in the slot, or NULL if there is no room.
 */
static __always_inline struct blklat_io *io_take(__u64 bio, __u32 *index)
{
	struct addr_entry *e = addr_first(BIOS, bio);
	struct blklat_io *io;
	__u64 copy, old;

	/* A program on another CPU, or one that preempts this one, may take the entry first. */
	old = __sync_val_compare_and_swap(&e->key, 0, bio);
	KEEP(old);
	if (old) {
		/* The reason is the same as in io_of(). */
		*index = 0;
		copy = bio;
		e = addr_at(addr_far_take(&copy, BIOS));
		if (!e)
			return NULL;
	}
	io = slot_take(bio, index);
	/* Until the entry leads to the slot, no other task can look for the bio. */
	if (io)
		e->slot = *index;
	else
		addr_drop(BIOS, bio);
	return io;
}

/**
 * io_forget_bio() - make the bio no longer lead to this I/O, because the bio may be used again
 * @io: the I/O
 */
static __always_inline void io_forget_bio(struct blklat_io *io)
{
	__u64 key = io->key;

	/* If sweep found the slot in use, but it was freed since, the key is 0. */
	if (key <= IO_KEY_ENDED)
		return;
	io->key = IO_KEY_ENDED;
	addr_drop(BIOS, key);
}

/**
 * task_home() - find the first place of a task in tasks
 * @key: pid + 1
 *
 * Return: the index of this place.
 */
static __always_inline __u32 task_home(__u32 key)
{
	return key & (BLKLAT_TASKS - 1);
}

/**
 * this_task() - find the entry of the current task
 * @create: true to take an entry if the task has none
 *
 * Idle tasks get none: all of them have pid 0 and would share it.
 *
 * Return: the entry, or NULL.
 */
static __always_inline struct task_io *this_task(bool create)
{
	__u32 key = bpf_get_current_task_btf()->pid + 1;
	struct task_io *task = &tasks[task_home(key)];
	int idx;

	KEEP_ADDRESS(task);
	if (task->key == key)
		return task;
	if (key == 1 || (!create && !task->away))
		return NULL;
	idx = task_far(key, create);
	return idx < 0 ? NULL : &tasks[idx & (BLKLAT_TASKS - 1)];
}

/**
 * cpu_at() - find the entry of a CPU
 * @number: number of the CPU; a mask keeps it within cpus
 *
 * Return: the entry, never NULL.
 */
static __always_inline struct blklat_cpu *cpu_at(__u32 number)
{
	struct blklat_cpu *cpu = &cpus[number & (BLKLAT_MAX_CPUS - 1)];

	KEEP_ADDRESS(cpu);
	return cpu;
}

/**
 * this_cpu() - find the entry of the CPU that the program runs on
 *
 * Return: the entry, never NULL.
 */
static __always_inline struct blklat_cpu *this_cpu(void)
{
	return cpu_at(bpf_get_smp_processor_id());
}

#endif /* BLKLAT_ENTRIES_BPF_H */
