// SPDX-License-Identifier: GPL-2.0
/*
 * Measure the time that the kernel takes to call a program. This is done before a trace, with a
 * function and a tracepoint that hardly anything else uses.
 */
#include "cost.bpf.h"

static long loop_one(__u32 i, void *unused)
{
	bpf_get_numa_node_id();
	return 0;
}

/*
 * Note in state.loop how long COST_LOOP_CALLS calls of the function take, and how much of that is
 * spent in the program that is attached to it.
 */
SEC("?syscall")
int cost_loop(void *ctx)
{
	struct blklat_cpu *cpu = this_cpu();
	__u64 spent, begin;

	spent = cpu->spent;
	begin = bpf_ktime_get_ns();
	bpf_loop(COST_LOOP_CALLS, loop_one, NULL, 0);
	state.loop.ns = bpf_ktime_get_ns() - begin;
	state.loop.spent = cpu->spent - spent;
	return 0;
}

SEC("?fentry/bpf_get_numa_node_id")
int FENTRY_PROG(cost_fentry)
{
	return 0;
}

SEC("?fexit/bpf_get_numa_node_id")
int FEXIT_PROG(cost_fexit)
{
	return 0;
}

/* prctl(PR_SET_NAME) calls this tracepoint. */
SEC("?tp_btf/task_rename")
int TP_PROG(cost_tp)
{
	return 0;
}
