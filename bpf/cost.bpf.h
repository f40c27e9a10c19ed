/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Measure the time that tracing itself takes. Each CPU has a clock that runs while one of the
 * programs runs, and that also counts the time that the kernel needs to call the programs. Some
 * marks note this clock. From two such notes follows how much of the time between the marks went
 * into tracing.
 */
#ifndef BLKLAT_COST_BPF_H
#define BLKLAT_COST_BPF_H

#include "count.bpf.h"

/**
 * cost_own() - note that the outermost program on this CPU is one of the current task
 * @cpu: this CPU
 *
 * A kernel that preempts a task in a program runs programs of other tasks before that task goes on.
 * So a program's time is known only to its own task, and only if the task was not preempted in the
 * program. If a program interrupts another program of the same task, its time is part of the other
 * one's.
 */
static __always_inline void cost_own(struct blklat_cpu *cpu)
{
	cpu->own = 1;
	/* Set @own first: once @task is set, programs of this task count in @own. */
	barrier();
	cpu->task = bpf_get_current_task();
}

/**
 * cost_disown() - end a program of the current task
 * @cpu: this CPU
 *
 * Return: true if it is the outermost one and its time is known.
 */
static __always_inline bool cost_disown(struct blklat_cpu *cpu)
{
	if (cpu->task != bpf_get_current_task() || --cpu->own)
		return false;
	cpu->task = 0;
	return cpu->switches == bpf_get_current_task_btf()->nivcsw;
}

/**
 * cost_nest() - change the number of programs that run on this CPU
 * @cpu: this CPU
 * @by: 1 when a program begins, -1 when it ends
 *
 * An interrupt leaves the number as it was, so this is atomic only if programs can be preempted:
 * then programs of two tasks can overlap on a CPU and end in any order.
 *
 * Return: the old number.
 */
static __always_inline __u64 cost_nest(struct blklat_cpu *cpu, int by)
{
	__u64 old;

	if (cfg.preempts)
		return __sync_fetch_and_add(&cpu->nest, by);
	old = cpu->nest;
	cpu->nest = old + by;
	barrier();
	return old;
}

/**
 * cost_enter() - begin to count the time of a program
 * @cpu: this CPU
 * @kind: kind of hook that the program is on
 *
 * The time of a program that interrupts another one belongs to that other one.
 *
 * Context: any; first in each program, if blklat_config.cost is set
 * Return: the time at which the program began, in ns of the monotonic clock.
 */
static __always_inline __u64 cost_enter(struct blklat_cpu *cpu, enum blklat_cost_kind kind)
{
	bool outermost;
	__u64 now;

	if (cfg.preempts && cpu->task == bpf_get_current_task())
		cpu->own++;
	outermost = !cost_nest(cpu, 1);
	if (cfg.preempts && outermost)
		cpu->switches = bpf_get_current_task_btf()->nivcsw;
	/* If the task is preempted from here on, its time is not known. */
	barrier();
	now = bpf_ktime_get_ns();
	if (outermost) {
		cpu->entered = now - state.half_call_ns[kind];
		if (cfg.preempts)
			cost_own(cpu);
	}
	return now;
}

/**
 * cost_exit() - end the count that cost_enter() began
 * @cpu: this CPU
 * @kind: kind of hook that the program is on
 *
 * Context: any; last in each program, if blklat_config.cost is set
 */
static __always_inline void cost_exit(struct blklat_cpu *cpu, enum blklat_cost_kind kind)
{
	__u64 ns = bpf_ktime_get_ns() + state.half_call_ns[kind] - cpu->entered;

	/*
	 * While @nest is not 0, no other program writes @entered, @spent and @runs. A program that
	 * interrupts this one here may read them. So move @entered as well, or that program would
	 * count the time in @spent again.
	 */
	if ((!cfg.preempts || cost_disown(cpu)) && cpu->nest == 1) {
		cpu->entered += ns;
		cpu->spent += ns;
		cpu->runs++;
	}
	barrier();
	cost_nest(cpu, -1);
}

/**
 * cost_note() - note how much time tracing has taken on this CPU until a mark
 * @note: note of that mark, filled in
 * @now: time of the mark in ns, which the running program has read
 */
static __always_inline void cost_note(struct blklat_cost_note *note, __u64 now)
{
	struct blklat_cpu *cpu;

	if (!cfg.cost)
		return;
	cpu = this_cpu();
	/* The program sweep does not call cost_enter(), because its time does not count. */
	if (!cpu->nest)
		return;
	if (cfg.preempts && (cpu->task != bpf_get_current_task() ||
			     cpu->switches != bpf_get_current_task_btf()->nivcsw))
		return;
	note->spent = cpu->spent + now - cpu->entered;
	note->where = ((__u32)bpf_get_current_pid_tgid() << 10 |
		       (bpf_get_smp_processor_id() & 1023)) + 1;
	note->until = 0;
}

/**
 * cost_until() - note how much time tracing took from one mark to another
 * @from: note of the first mark, filled in if the same task set both marks on one CPU
 * @now: time of the other mark in ns, which the running program has read
 */
static __always_inline void cost_until(struct blklat_cost_note *from, __u64 now)
{
	struct blklat_cost_note to = {};

	if (!cfg.cost)
		return;
	cost_note(&to, now);
	if (to.where && to.where == from->where && to.spent - from->spent <= ~0U)
		from->until = to.spent - from->spent;
}

/**
 * mark_time() - find the time of a mark
 * @began: time at which the running program began, in ns, if its time is counted; otherwise 0
 *
 * Return: @began, which saves a read of the clock, or else the time now; monotonic clock in ns.
 */
static __always_inline __u64 mark_time(__u64 began)
{
	return began ?: bpf_ktime_get_ns();
}

/**
 * set_q() - set mark Q of an I/O
 * @io: the I/O
 * @began: argument of mark_time()
 */
static __always_inline void set_q(struct blklat_io *io, __u64 began)
{
	__u64 now = mark_time(began);

	io->m[MARK_Q] = now;
	cost_note(&io->q_cost, now);
}

/*
 * Define a program like BPF_PROG(), and count its time if cfg.cost is set. The body is there
 * twice, so that the configuration is read only once; the verifier removes one of the two. In the
 * body @began is the argument of mark_time(). TP_PROG() is for raw tracepoints as well, because
 * they pass arguments in the same way as typed ones.
 */
#define TP_PROG(name, args...) COST_PROG(TP, name, ##args)
#define FENTRY_PROG(name, args...) COST_PROG(FENTRY, name, ##args)
#define FEXIT_PROG(name, args...) COST_PROG(FEXIT, name, ##args)
/*
 * Do the same for programs that seldom run. These read the configuration twice and have the body
 * only once, because a larger program takes longer to load.
 */
#define RARE_TP_PROG(name, args...) RARE_COST_PROG(TP, name, ##args)
#define RARE_FENTRY_PROG(name, args...) RARE_COST_PROG(FENTRY, name, ##args)
#define RARE_FEXIT_PROG(name, args...) RARE_COST_PROG(FEXIT, name, ##args)

#define COST_PROG(kind, name, args...) \
DEFINE_PROG(name, __u32 cpu; \
	__u64 began; \
\
	if (cfg.cost) { \
		cpu = bpf_get_smp_processor_id(); \
		began = cost_enter(cpu_at(cpu), COST_##kind); \
		____##name(began, ___bpf_ctx_cast(args)); \
		cost_exit(cpu_at(cpu), COST_##kind); \
	} else { \
		____##name(0, ___bpf_ctx_cast(args)); \
	}, ##args)

#define RARE_COST_PROG(kind, name, args...) \
DEFINE_PROG(name, __u32 cpu = 0; \
	__u64 began = 0; \
\
	if (cfg.cost) { \
		cpu = bpf_get_smp_processor_id(); \
		began = cost_enter(cpu_at(cpu), COST_##kind); \
	} \
	____##name(began, ___bpf_ctx_cast(args)); \
	if (cfg.cost) \
		cost_exit(cpu_at(cpu), COST_##kind);, ##args)

#define DEFINE_PROG(name, calls, args...) \
name(unsigned long long *ctx); \
static __always_inline int ____##name(__u64 began, unsigned long long *ctx, ##args); \
int name(unsigned long long *ctx) \
{ \
	_Pragma("GCC diagnostic push") \
	_Pragma("GCC diagnostic ignored \"-Wint-conversion\"") \
	calls \
	_Pragma("GCC diagnostic pop") \
	return 0; \
} \
static __always_inline int ____##name(__u64 began, unsigned long long *ctx, ##args)

#endif /* BLKLAT_COST_BPF_H */
