/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What tracing itself takes: a clock per CPU that goes while one of the programs
 * runs, with what the kernel needs to call them. A mark notes it, so that the
 * part of the time between two marks that is tracing's can be told.
 */
#ifndef BLKLAT_COST_BPF_H
#define BLKLAT_COST_BPF_H

#include "tables.bpf.h"

/*
 * A program that interrupts another one is in that one's time. Nothing is kept
 * from enter to exit: the verifier would walk all that is between them twice.
 * Where programs are preempted, those of two tasks mix on a CPU at any place and
 * end in any order: what both change is changed atomically.
 */
static __always_inline void cost_enter(enum blklat_cost_kind kind)
{
	struct blklat_cpu *cpu = this_cpu();

	if (!cpu || __sync_fetch_and_add(&cpu->nest, 1))
		return;
	cpu->entered = bpf_ktime_get_ns() - state.call_ns[kind];
}

static __always_inline void cost_exit(void)
{
	struct blklat_cpu *cpu = this_cpu();
	__u64 ns;

	if (!cpu)
		return;
	/* Before the count is 0: then another program may enter. */
	ns = bpf_ktime_get_ns() - cpu->entered;
	if (__sync_fetch_and_add(&cpu->nest, -1) != 1)
		return;
	__sync_fetch_and_add(&cpu->spent, ns);
	__sync_fetch_and_add(&cpu->runs, 1);
}

/**
 * cost_note - note how long tracing has taken on this CPU until a mark
 * @note: with the mark
 * @now: the mark in ns, read by the program that runs
 */
static __always_inline void cost_note(struct blklat_cost_note *note, __u64 now)
{
	struct blklat_cpu *cpu;

	if (!cfg.cost)
		return;
	cpu = this_cpu();
	/* sweep is no program whose time counts. */
	if (!cpu || !cpu->nest)
		return;
	note->spent = cpu->spent + now - cpu->entered;
	note->where = ((__u32)bpf_get_current_pid_tgid() << 10 |
		       (bpf_get_smp_processor_id() & 1023)) + 1;
}

static __always_inline void set_q(struct blklat_io *io)
{
	__u64 now = bpf_ktime_get_ns();

	io->m[MARK_Q] = now;
	cost_note(&io->q_cost, now);
}

/*
 * As BPF_PROG(), with the program's time counted where that is asked for. The body is there twice,
 * so that the configuration is read once; the verifier takes one of them out. TP_PROG() is for raw
 * tracepoints too: their arguments lie as those of the typed ones.
 */
#define TP_PROG(name, args...) COST_PROG(TP, name, ##args)
#define FENTRY_PROG(name, args...) COST_PROG(FENTRY, name, ##args)
#define FEXIT_PROG(name, args...) COST_PROG(FEXIT, name, ##args)

#define COST_PROG(kind, name, args...) \
name(unsigned long long *ctx); \
static __always_inline int ____##name(unsigned long long *ctx, ##args); \
int name(unsigned long long *ctx) \
{ \
	_Pragma("GCC diagnostic push") \
	_Pragma("GCC diagnostic ignored \"-Wint-conversion\"") \
	if (cfg.cost) { \
		cost_enter(COST_##kind); \
		____##name(___bpf_ctx_cast(args)); \
		cost_exit(); \
	} else { \
		____##name(___bpf_ctx_cast(args)); \
	} \
	_Pragma("GCC diagnostic pop") \
	return 0; \
} \
static __always_inline int ____##name(unsigned long long *ctx, ##args)

#endif /* BLKLAT_COST_BPF_H */
