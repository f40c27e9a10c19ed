// SPDX-License-Identifier: GPL-2.0
/*
 * Run the traced turns of a comparison. One trace goes on through all turns; a sample of a turn
 * is what its histograms gained during the turn.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "blklat/compare/load.h"
#include "blklat/compare/trace.h"
#include "blklat/trace/trace.h"
#include "blklat/trace/sampling.h"

/* A traced turn lasts at least this many ns. */
#define SHORTEST_NS 20000000ull

/* Wait at most this many ns until the programs have seen the last I/Os of a turn end. */
#define SETTLE_NS 2000000000ull

struct compare_trace {
	struct trace trace;
	struct trace_cfg cfg;
	struct trace_samples samples;
	bool started;
	unsigned int *place;		/* index in the trace of each compared device */
};

int compare_trace_groups(struct compare *c, unsigned int *group)
{
	struct trace_stack *stacks = calloc(c->n, sizeof(*stacks));
	int ret = stacks ? 0 : err(-ENOMEM, "out of memory"), n = 0, g;

	for (size_t i = 0; i < c->n && !ret; i++) {
		struct trace_stack *own = &stacks[n];
		struct opt_args args = { .npos = 1, .pos = (char *[]){ c->devs[i].path } };

		ret = trace_stack_find(own, &args, false);
		trace_stack_free(own);
		for (g = 0; g < n && !trace_stack_merge(&stacks[g], own); g++)
			;
		if (g == n)
			n++;
		else
			memset(own, 0, sizeof(*own));
		group[i] = g;
	}
	free(stacks);
	return ret ?: n;
}

static int find_places(struct compare *c, const unsigned int *members, size_t n)
{
	struct compare_trace *ct = c->trace;

	ct->place = calloc(c->n, sizeof(*ct->place));
	if (!ct->place)
		return err(-ENOMEM, "out of memory");
	for (size_t i = 0; i < n; i++) {
		const struct device *d = &c->devs[members[i]];

		for (size_t k = 0; k < ct->trace.stack.ndevs; k++)
			if (ct->trace.stack.devs[k].dev == d->dev)
				ct->place[members[i]] = k;
	}
	return 0;
}

/*
 * Collect the names of the devices to trace. A device that is compared with itself is traced
 * once.
 */
static size_t name_devices(struct compare *c, const unsigned int *members, size_t n, char **names)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		size_t k;

		for (k = 0; k < i && c->devs[members[k]].dev != c->devs[members[i]].dev; k++)
			;
		if (k == i)
			names[count++] = c->devs[members[i]].path;
	}
	return count;
}

int compare_trace_open(struct compare *c, const unsigned int *members, size_t n)
{
	struct compare_trace *ct = calloc(1, sizeof(*ct));
	char **names = calloc(n + 1, sizeof(*names));
	struct opt_args args = { .pos = names };
	int ret = ct && names ? 0 : err(-ENOMEM, "out of memory");

	c->trace = ct;
	if (ct)
		ct->trace = (struct trace){ .cfg = &ct->cfg, .sigfd = -1 };
	if (ret)
		goto out;
	ct->cfg = (struct trace_cfg){ .common = c->cfg->common, .ops = ~0ull, .spans = true,
				      .plug = c->cfg->plug, .cost = true, .steady = true,
				      .submitter = true,
				      .output = c->cfg->output };
	args.npos = name_devices(c, members, n, names);
	ret = trace_open(&ct->trace, &args);
	if (!ret)
		ret = find_places(c, members, n);
out:
	free(names);
	return ret;
}

void compare_trace_start(struct compare *c)
{
	trace_begin(&c->trace->trace);
	c->trace->started = true;
}

static void tick(struct compare *c)
{
	struct trace *t = &c->trace->trace;

	session_tick(t->session);
	trace_changes_look(&t->changes, now_ns());
}

static bool under_way(const struct trace *t, unsigned int place)
{
	struct blklat_ledger l;

	session_ledger(t->session, place, &l);
	return l.n[COUNT_INFLIGHT] != 0;
}

/*
 * Wait up to SETTLE_NS until no I/O of the device is in flight. The load has seen all of its I/Os
 * end, but the programs may be a moment behind.
 */
static void settle(const struct trace *t, unsigned int place)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	unsigned long long end = now_ns() + SETTLE_NS;

	do
		nanosleep(&pause, NULL);
	while (under_way(t, place) && now_ns() < end);
}

/* Add what the trace counted since the last call to @s. NULL for @s only starts a new part. */
static int take(struct compare *c, unsigned int place, struct result_sample *s)
{
	struct compare_trace *ct = c->trace;
	struct trace *t = &ct->trace;

	if (trace_samples_take(&ct->samples, t->session, place, &t->stack, s))
		return err(-ENOMEM, "out of memory");
	return 0;
}

/* Return the I/Os per second of a device without tracing, 0 if they are not known. */
static double untraced_iops(const struct result_dev *d)
{
	uint64_t ios = 0, ns = 0;

	for (size_t i = 0; i < d->nsamples; i++) {
		if (d->samples[i].traced)
			continue;
		ios += d->samples[i].ios;
		ns += d->samples[i].elapsed_ns;
	}
	return ns ? ios * 1e9 / ns : 0;
}

/*
 * Return how long a traced turn may take. It must not have more I/Os than 90 % of those that the
 * session follows without charging them, see session_steady_ios(). Each I/O may reach all devices
 * below, and counts for each of them.
 */
static uint64_t traced_time(const struct compare *c, const struct compare_visit *v)
{
	double room = 0.9 * session_steady_ios(c->trace->trace.session), fits;
	double iops = untraced_iops(&c->res.devs[v->dev]);

	if (!iops)
		return v->time_ns;
	fits = room / (iops * trace_stack_size(&c->trace->trace.stack, c->trace->place[v->dev])) *
		1e9;
	if (fits < SHORTEST_NS)
		fits = SHORTEST_NS;
	return fits < v->time_ns ? fits : v->time_ns;
}

int compare_trace_visit(struct compare *c, const struct compare_visit *v, struct result_sample *s)
{
	struct compare_trace *ct = c->trace;
	struct trace *t = &ct->trace;
	unsigned int place = ct->place[v->dev];
	size_t changes = t->changes.n;
	struct compare_visit part = *v;
	struct result_sample load;
	int ret;

	if (v->warmup)
		return compare_load_run(c, v, NULL, s);
	part.time_ns = traced_time(c, v);
	if (!c->shortest_ns || part.time_ns < c->shortest_ns)
		c->shortest_ns = part.time_ns;
	ret = take(c, place, NULL);
	/* The trace measures the latency: the load's histogram is thrown away. */
	memset(&load, 0, sizeof(load));
	if (!ret && hist_init(&load.total, BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS))
		ret = err(-ENOMEM, "out of memory");
	if (!ret)
		ret = compare_load_run(c, &part, tick, &load);
	hist_free(&load.total);
	if (ret)
		return ret;
	settle(t, place);
	tick(c);
	if (t->changes.n != changes)
		return -EAGAIN;
	s->elapsed_ns = load.elapsed_ns;
	s->cpu_ns = load.cpu_ns;
	ret = take(c, place, s);
	if (!ret && !s->total.count)
		ret = err(-EIO, "%s: the trace saw no I/O of the load", c->res.devs[v->dev].label);
	return ret;
}

/* Take the document of a device, and its legs, which are printed. */
static int add_result(struct result_dev *d, const struct compare_trace *ct, size_t place)
{
	const struct result_dev *traced = &ct->trace.devs[place];

	d->doc = result_dev_json(traced, ct->trace.cfg->output);
	d->legs = calloc(traced->nlegs + 1, sizeof(*d->legs));
	if (!d->legs)
		return err(-ENOMEM, "out of memory");
	/* The histograms end with the trace, and so do the places of its devices. */
	for (; d->nlegs < traced->nlegs; d->nlegs++) {
		d->legs[d->nlegs] = traced->legs[d->nlegs];
		d->legs[d->nlegs].total = NULL;
		d->legs[d->nlegs].place = SIZE_MAX;
	}
	return 0;
}

/*
 * Add the result of a device below the compared ones. A device that is in two traces is in the
 * result once.
 */
static int add_below(struct compare *c, const struct compare_trace *ct, size_t place)
{
	const char *name = ct->trace.stack.devs[place].name;
	struct result_dev *v;

	for (size_t i = 0; i < c->res.ndevs; i++)
		if (!strcmp(c->res.devs[i].name, name))
			return 0;
	v = realloc(c->res.devs, (c->res.ndevs + 1) * sizeof(*v));
	if (!v)
		return err(-ENOMEM, "out of memory");
	c->res.devs = v;
	v = &v[c->res.ndevs++];
	memset(v, 0, sizeof(*v));
	snprintf(v->name, sizeof(v->name), "%s", name);
	snprintf(v->label, sizeof(v->label), "%s", name);
	return add_result(v, ct, place);
}

/* Warn about I/Os that the programs lost: no stage contains them. */
static void say_lost(const struct trace *t)
{
	for (size_t i = 0; i < t->stack.ndevs; i++) {
		uint64_t lost = ledger_lost(&t->devs[i].ledger);

		if (lost)
			warn("%s: the trace lost %llu I/Os", t->stack.devs[i].name,
			     (unsigned long long)lost);
	}
}

int compare_trace_collect(struct compare *c, const unsigned int *members, size_t n)
{
	struct compare_trace *ct = c->trace;
	int ret;

	if (!ct->started)
		return 0;
	trace_stop(&ct->trace);
	ret = trace_collect(&ct->trace);
	if (ret)
		return ret;
	say_lost(&ct->trace);
	for (size_t i = 0; i < n && !ret; i++)
		ret = add_result(&c->res.devs[members[i]], ct, ct->place[members[i]]);
	for (size_t k = 0; k < ct->trace.stack.ndevs && !ret; k++)
		ret = add_below(c, ct, k);
	return ret;
}

void compare_trace_close(struct compare *c)
{
	struct compare_trace *ct = c->trace;

	if (!ct)
		return;
	trace_close(&ct->trace);
	trace_samples_free(&ct->samples);
	free(ct->place);
	free(ct);
	c->trace = NULL;
}
