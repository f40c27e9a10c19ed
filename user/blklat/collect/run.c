// SPDX-License-Identifier: GPL-2.0
/* Start a session, keep it going, and stop it. */
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include "blklat/collect/cost.h"
#include "blklat/collect/session_parts.h"
#include "core/log.h"

/* Ticks are at least this far apart. The caller comes every 0.1 s, and when events wake it. */
#define TICK_NS 90000000ULL

/*
 * If all new I/Os have got a slot for this number of ticks, assume that the earlier I/Os that got
 * none have ended.
 */
#define FULL_TICKS 50

/* Return the time and runs of the programs that the kernel has measured, and the completed I/Os. */
static struct sample programs_seen(struct session *s)
{
	struct sample seen = { 0 };

	for (size_t i = 0; i < nr_hooks; i++) {
		struct bpf_prog_info info;

		if (!session_prog_info(s, i, &info))
			continue;
		seen.run_ns += info.run_time_ns;
		seen.runs += info.run_cnt;
	}
	seen.ios = session_counted(s, COUNT_COMPLETED);
	return seen;
}

/*
 * Begin or end a sample of the programs' time. With -v, the kernel measures this time during the
 * whole trace, so there is nothing to turn on or off.
 */
static void turn_sampler(struct session *s)
{
	struct sample seen;

	if (log_level() < 2 && !s->sampler.on)
		s->stats_fd = bpf_enable_stats(BPF_STATS_RUN_TIME);
	seen = programs_seen(s);
	sampler_turn(&s->sampler, now_ns(), &seen);
	if (log_level() < 2 && !s->sampler.on && s->stats_fd >= 0) {
		close(s->stats_fd);
		s->stats_fd = -1;
	}
}

void session_start(struct session *s)
{
	if (s->own_cost)
		cost_read(s->skel, &s->run_ns_before, &s->runs_before);
	if (s->sampling)
		turn_sampler(s);
	s->skel->bss->state.armed_ns = now_ns();
	__atomic_store_n(&s->skel->bss->state.phase, PHASE_TRACE, __ATOMIC_SEQ_CST);
	session_note_under_way(s);
}

static void sweep(struct session *s)
{
	LIBBPF_OPTS(bpf_test_run_opts, run);
	int ret;

	/*
	 * Sweep may be held up between a look at a slot and a write to it, so no slot may be
	 * freed meanwhile.
	 */
	account_hold(s->account);
	ret = bpf_prog_test_run_opts(bpf_program__fd(s->skel->progs.sweep), &run);
	account_release(s->account);
	if (ret)
		warn("I/Os whose end was missed, or that nobody waited for, are not counted: %s",
		     strerror(-ret));
}

/*
 * Clear state.full when all I/Os that got no slot must have ended. Until then, the programs do not
 * count an I/O whose start they missed, because it may be one of these I/Os.
 */
static void look_at_full(struct session *s)
{
	struct blklat_state *state = &s->skel->bss->state;
	uint32_t full = state->full;

	s->full_ticks = full == s->full ? s->full_ticks + 1 : 0;
	s->full = full;
	if (full && s->full_ticks >= FULL_TICKS)
		state->full = 0;
}

void session_tick(struct session *s)
{
	uint64_t now = now_ns();

	session_attach_later(s);
	/* Events also wake the caller. Count a tick only if TICK_NS have passed. */
	if (now - s->tick_ns < TICK_NS)
		return;
	s->tick_ns = now;
	submitters_tick(&s->submitters);
	look_at_full(s);
	if (s->skel->bss->state.missed)
		sweep(s);
	if (s->sampling &&
	    sampler_wants_turn(&s->sampler, now_ns(), session_counted(s, COUNT_COMPLETED)))
		turn_sampler(s);
	for (size_t i = 0; i < nr_hooks; i++)
		if (s->status[i].state == HOOK_LATER && !access("/sys/module/blkgen", F_OK))
			session_attach_one(s, i);
}

static void read_cost(struct session *s)
{
	for (size_t i = 0; i < nr_hooks; i++) {
		struct bpf_prog_info info;

		if (!session_prog_info(s, i, &info))
			continue;
		if (info.run_cnt)
			verbose("%s: ran %llu times, %llu ns each, %llu missed", hooks[i].prog,
				(unsigned long long)info.run_cnt,
				(unsigned long long)(info.run_time_ns / info.run_cnt),
				(unsigned long long)info.recursion_misses);
	}
	s->cost.misses = session_missed(s);
	if (s->sampling) {
		struct sample all;

		all = sampler_estimate(&s->sampler, session_counted(s, COUNT_COMPLETED));
		s->cost.run_ns = all.run_ns;
		s->cost.runs = all.runs;
	}
	if (s->own_cost) {
		cost_read(s->skel, &s->cost.run_ns, &s->cost.runs);
		s->cost.run_ns -= s->run_ns_before;
		s->cost.runs -= s->runs_before;
	}
}

void session_stop(struct session *s, uint64_t wait_ns)
{
	const struct timespec pause = { .tv_nsec = 5000000 };
	unsigned long long end = now_ns() + wait_ns;

	__atomic_store_n(&s->skel->bss->state.phase, PHASE_DRAIN, __ATOMIC_SEQ_CST);
	while (session_counted(s, COUNT_INFLIGHT) && now_ns() < end) {
		nanosleep(&pause, NULL);
		if (s->skel->bss->state.missed)
			sweep(s);
	}
	__atomic_store_n(&s->skel->bss->state.phase, PHASE_IDLE, __ATOMIC_SEQ_CST);
	if (s->sampler.on)
		turn_sampler(s);
	for (size_t i = 0; i < nr_hooks; i++) {
		bpf_link__destroy(s->links[i]);
		s->links[i] = NULL;
	}
	/* A program that was called before it was detached may still run. */
	nanosleep(&pause, NULL);
	sweep(s);
	account_stop(s->account);
	read_cost(s);
}
