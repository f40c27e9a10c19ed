/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declare the state that all programs share (I/Os and requests under way, the ledger), and the
 * functions that several objects call. entries.bpf.h finds and takes the entries.
 *
 * Everything lies in plain arrays. To find the entry of a request, a bio or a kiocb, the programs
 * hash its address and look at WAYS entries from there on; the first is nearly always enough.
 * Tasks are found in the same way by their pids. The slots of I/Os are used in turn and found
 * through the bio's entry: many I/Os can have ended and wait for one fsync to return while their
 * bios are already used again. An entry is taken with one compare-and-swap, and no lock is ever
 * held: the programs run in hard interrupts, and may interrupt one another.
 */
#ifndef BLKLAT_TABLES_BPF_H
#define BLKLAT_TABLES_BPF_H

#include "op.bpf.h"

#define WAYS 8
#define BATCHES 4096
/*
 * The entries of bios and kiocbs are two tables in one array, so that the same functions search
 * both. A table is known by the index of its first entry. Behind its last first place it has some
 * entries more, so that a search need not wrap around.
 */
#define BIOS 0U
#define KIOCBS (BLKLAT_ADDRS + WAYS)
#define NR_ADDRS (2 * KIOCBS)

/*
 * User space sets the configuration before it loads the programs. It is volatile only in the
 * object that defines it: there clang sees the initial 0 and would take that for its value.
 */
#ifdef BLKLAT_DEFINE_TABLES
#define SET_BY_USER const volatile
#else
#define SET_BY_USER const
#endif
extern SET_BY_USER struct blklat_config cfg;
extern struct blklat_state state;
/*
 * These are variables and not maps: their address is known when a program is loaded, so nothing
 * has to be looked up.
 */
extern struct blklat_io slots[BLKLAT_MAX_SLOTS];
extern __u32 ended[BLKLAT_MAX_SLOTS];
extern struct blklat_rq rqs[1U << BLKLAT_RQS_LOG2];
extern struct batch batches[BATCHES];
extern struct blklat_ledger ledgers[BLKLAT_MAX_DEVS];
extern struct blklat_end ends[BLKLAT_MAX_DEVS * BLKLAT_ENDS];
extern struct addr_entry addrs[NR_ADDRS];
extern struct task_io tasks[BLKLAT_TASKS];
extern struct blklat_cpu cpus[BLKLAT_MAX_CPUS];

/*
 * APART puts code that seldom runs into a function of its own. Inlined, it would need registers,
 * and each run of the program would have to save these.
 */
#define APART __attribute__((noinline))

/* end.bpf.c: end a bio, or a piece of a split bio */
int blklat_end(__u32 idx, __u64 now);
/* end.bpf.c: give up an I/O whose end was missed */
int blklat_lose(__u32 idx);
/* end.bpf.c: free the slot of a piece of a split bio */
int blklat_free(__u32 idx);
/* join.bpf.c: return the index of the traced device that has this disk and partition, or -1 */
int blklat_dev_search(__u32 disk, __u32 part);
/*
 * addr.bpf.c: these functions find, take or drop an entry that need not lie in its first place, or
 * take a slot. An address is passed by a pointer, because the verifier does not accept a kernel
 * pointer as a number in the arguments of a global function.
 */
int addr_far(__u64 *key, __u32 table) APART;
int addr_far_take(__u64 *key, __u32 table) APART;
int addr_far_drop(__u64 *key, __u32 table);
int rqs_far(__u64 *key);
int rqs_take(__u64 *key, __u64 now);
int slot_take_next(__u64 *bio);
int task_far(__u32 key, bool create);

/**
 * hash_ptr() - hash an address
 * @ptr: the address
 * @shift: 32 minus the number of bits of the hash
 *
 * The verifier allows no arithmetic on a typed kernel pointer, but a 32-bit move makes a number of
 * its lower half. That half is enough to spread entries; whoever finds an entry compares the whole
 * address.
 *
 * Return: the hash.
 */
static __always_inline __u32 hash_ptr(__u64 ptr, __u32 shift)
{
	__u32 lower;

	asm("%0 = %1" : "=w"(lower) : "w"((__u32)ptr));
	/* The upper bits of the product are the mixed ones. */
	return (lower * 0x9E3779B1U) >> shift;
}

/*
 * Loop over the places behind the first one where an entry may lie. This loop must not be unrolled,
 * unless a step takes a few instructions only: the verifier of some kernels spends time on each
 * instruction of a program, even on those that cannot be reached.
 */
#define FOR_WAYS(i) _Pragma("clang loop unroll(disable)") \
	for (int i = 1; i < WAYS; i++)

/*
 * Have clang keep a value in a register; otherwise it may compute the value again at each use. It
 * also makes clang forget what it knows of the value.
 */
#define KEEP(p) asm volatile("" : "+r"(p))
/* Keep an address that is not NULL, and tell clang so, because KEEP() makes clang forget it. */
#define KEEP_ADDRESS(p) do { KEEP(p); __builtin_assume(p); } while (0)

#endif /* BLKLAT_TABLES_BPF_H */
