// SPDX-License-Identifier: GPL-2.0
/* Measure the time that the kernel takes to call a program; read the time that tracing took. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include "blklat.h"
#include "blklat/collect/cost.h"
#include "blklat/collect/hooks.h"
#include "blklat/collect/kernel_btf.h"
#include "blklat.skel.h"
#include "core/log.h"
#include "device/device.h"

/*
 * The shortest of many rounds is a round that nothing interrupted. A round is COST_LOOP_CALLS calls
 * of a function or of a tracepoint, which take some us.
 */
#define ROUNDS 50

/**
 * struct round - one round of a loop
 * @ns: time that the round took
 * @spent: the part of it in the program that is attached, as that program measured it
 */
struct round {
	uint64_t ns;
	uint64_t spent;
};

typedef int (*round_fn)(struct blklat *skel, struct round *r);

static int round_of_function(struct blklat *skel, struct round *r)
{
	LIBBPF_OPTS(bpf_test_run_opts, run);

	if (bpf_prog_test_run_opts(bpf_program__fd(skel->progs.cost_loop), &run))
		return -errno;
	r->ns = skel->bss->state.loop.ns;
	r->spent = skel->bss->state.loop.spent;
	return 0;
}

/*
 * Run a round of calls of a tracepoint. Each call sets the name of this task to the name that it
 * has, which passes the tracepoint task_rename.
 */
static int round_of_tracepoint(struct blklat *skel, struct round *r)
{
	uint64_t before, after, runs;
	char name[16] = "";

	prctl(PR_GET_NAME, name);
	cost_read(skel, &before, &runs);
	r->ns = now_ns();
	for (int i = 0; i < COST_LOOP_CALLS; i++)
		prctl(PR_SET_NAME, name);
	r->ns = now_ns() - r->ns;
	cost_read(skel, &after, &runs);
	r->spent = after - before;
	return 0;
}

/* Return the least time in ns that a round takes outside of the program; 0 if no round worked. */
static uint64_t least(struct blklat *skel, round_fn fn)
{
	uint64_t min = 0;

	for (int i = 0; i < ROUNDS; i++) {
		struct round r;

		if (fn(skel, &r) || r.spent > r.ns)
			continue;
		if (!min || r.ns - r.spent < min)
			min = r.ns - r.spent;
	}
	return min;
}

/*
 * Return the time in ns that one call of @prog takes, 0 if that is not known. @without is the
 * time of a round without the program.
 */
static uint64_t call_cost(struct blklat *skel, struct bpf_program *prog, round_fn fn,
			  uint64_t without)
{
	struct bpf_link *link = bpf_program__autoload(prog) ? bpf_program__attach(prog) : NULL;
	uint64_t with;

	if (!link) {
		verbose("%s: cannot be attached; a call of this type counts like a call of the "
			"slowest type", bpf_program__name(prog));
		return 0;
	}
	with = least(skel, fn);
	bpf_link__destroy(link);
	verbose("%s: a call costs %.1f ns", bpf_program__name(prog), with > without ?
		(double)(with - without) / COST_LOOP_CALLS : 0);
	return with > without ? (with - without + COST_LOOP_CALLS / 2) / COST_LOOP_CALLS : 0;
}

void cost_autoload(struct blklat *skel)
{
	int error = 0;
	struct btf *btf = kernel_btf(&error);
	bool function = btf && !ftrace_is_off() &&
			btf__find_by_name_kind(btf, "bpf_get_numa_node_id", BTF_KIND_FUNC) > 0;
	bool tracepoint = btf && btf__find_by_name_kind(btf, "btf_trace_task_rename",
							BTF_KIND_TYPEDEF) > 0;

	bpf_program__set_autoload(skel->progs.cost_loop, function);
	bpf_program__set_autoload(skel->progs.cost_fentry, function);
	bpf_program__set_autoload(skel->progs.cost_fexit, function);
	bpf_program__set_autoload(skel->progs.cost_tp, tracepoint);
}

void cost_calibrate(struct blklat *skel)
{
	uint64_t call[NR_COST_KINDS], without, dearest = 0;

	without = least(skel, round_of_tracepoint);
	call[COST_TP] = call_cost(skel, skel->progs.cost_tp, round_of_tracepoint, without);
	without = least(skel, round_of_function);
	call[COST_FENTRY] = call_cost(skel, skel->progs.cost_fentry, round_of_function, without);
	call[COST_FEXIT] = call_cost(skel, skel->progs.cost_fexit, round_of_function, without);
	for (unsigned int k = 0; k < NR_COST_KINDS; k++)
		if (call[k] > dearest)
			dearest = call[k];
	for (unsigned int k = 0; k < NR_COST_KINDS; k++)
		skel->bss->state.half_call_ns[k] = (call[k] ?: dearest) / 2;
}

/* Return the number of the last CPU that there can be, plus 1. */
static unsigned int cpus_end(void)
{
	char list[256], *last = list;

	/* The file has a list of ranges, such as 0-3,8-11. */
	if (sys_read("/sys/devices/system/cpu", "possible", list, sizeof(list)))
		return BLKLAT_MAX_CPUS;
	for (char *c = list; *c; c++)
		if (*c == '-' || *c == ',')
			last = c + 1;
	return strtoul(last, NULL, 10) + 1;
}

void cost_read(const struct blklat *skel, uint64_t *ns, uint64_t *runs)
{
	unsigned int end = cpus_end();

	*ns = *runs = 0;
	for (unsigned int i = 0; i < end && i < BLKLAT_MAX_CPUS; i++) {
		*ns += skel->bss->cpus[i].spent;
		*runs += skel->bss->cpus[i].runs;
	}
}
