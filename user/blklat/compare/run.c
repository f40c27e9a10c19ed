// SPDX-License-Identifier: GPL-2.0
/*
 * Run the rounds of a comparison: give each device its turns and keep or drop what they measured.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "blklat.h"
#include "blklat/compare/load.h"
#include "blklat/compare/pin.h"
#include "blklat/compare/run.h"
#include "blklat/compare/stacks.h"
#include "blklat/compare/trace.h"
#include "core/child.h"
#include "core/rounds.h"
#include "device/topo_diff.h"

/*
 * Read the signals that arrived while no load ran. Return true if a signal has asked the
 * comparison to stop.
 */
static bool stopped(struct compare *c)
{
	struct child none = { 0 };

	child_look(c->sigfd, &none);
	c->interrupted |= none.signalled;
	return c->interrupted;
}

static void show_progress(struct compare *c, const struct compare_visit *v)
{
	double left = (c->visits - c->done) * (double)c->per_visit_ns / 1e9;
	const char *how = v->traced ? "traced" : "not traced";

	if (v->warmup)
		progress_line(&c->progress, "%s, %s, warming up", c->res.devs[v->dev].label, how);
	else
		progress_line(&c->progress, "round %u of %llu, %s, %s; %.0fs left", v->round + 1,
			      (unsigned long long)c->cfg->rounds, c->res.devs[v->dev].label, how,
			      left);
}

struct found {
	struct compare *c;
	const struct compare_visit *visit;
	bool any;
};

static void say_change(const struct topo_change *change, void *arg)
{
	struct found *f = arg;

	f->any = true;
	info("%s: %s: %s", f->c->res.devs[f->visit->dev].label, change->device, change->what);
}

/*
 * Run an untraced turn. No trace watches the stack here, so compare its topology before and
 * after. Return -EAGAIN if the stack changed.
 */
static int plain_visit(struct compare *c, const struct compare_visit *v, struct result_sample *s)
{
	struct found found = { c, v, false };
	struct topo before, after;
	int ret;

	ret = topo_look(&c->devs[v->dev], 1, &before);
	if (ret) {
		err(ret, "cannot read the stack of devices: %s", strerror(-ret));
	} else {
		ret = compare_load_run(c, v, NULL, s);
		if (!topo_look(&c->devs[v->dev], 1, &after) && !ret)
			topo_diff(&before, &after, say_change, &found);
		topo_free(&after);
	}
	topo_free(&before);
	return ret ?: found.any ? -EAGAIN : 0;
}

static int try_visit(struct compare *c, const struct compare_visit *v, struct result_sample *s)
{
	unsigned long long start = now_ns();
	int ret;

	s->round = v->round;
	s->traced = v->traced;
	s->at_ns = start - c->start_ns;
	show_progress(c, v);
	ret = v->traced ? compare_trace_visit(c, v, s) : plain_visit(c, v, s);
	if (!v->warmup)
		c->per_visit_ns = now_ns() - start;
	return ret;
}

static void drop_last(struct result_dev *d)
{
	result_sample_free(&d->samples[--d->nsamples]);
}

static int add_visit(struct compare *c, const struct compare_visit *v)
{
	struct result_dev *d = &c->res.devs[v->dev];
	struct result_sample *s = result_sample_add(d);
	int ret;

	if (!s)
		return err(-ENOMEM, "out of memory");
	ret = try_visit(c, v, s);
	if (ret || v->warmup)
		drop_last(d);
	return ret;
}

/*
 * Run a turn on a device that exists. If its stack changed during the turn, the turn is void and
 * is run once more.
 */
static int visit_there(struct compare *c, const struct compare_visit *v)
{
	const char *label = c->res.devs[v->dev].label;
	int ret = add_visit(c, v);

	if (ret == -EAGAIN) {
		warn("%s: its stack changed during this turn, which is repeated", label);
		ret = add_visit(c, v);
	}
	if (ret == -EAGAIN)
		err(ret, "%s: its stack changed again; it must not change during a comparison",
		    label);
	return ret;
}

static int warm_up(struct compare *c, const struct compare_visit *v)
{
	struct compare_visit w = *v;

	w.warmup = true;
	return visit_there(c, &w);
}

static int visit(struct compare *c, const struct compare_visit *v)
{
	int ret, left;

	if (stopped(c))
		return -EINTR;
	ret = compare_stacks_enter(c, v->dev);
	/* A stack that was just made has to warm up again. */
	if (ret > 0 && !v->warmup)
		ret = warm_up(c, v);
	ret = ret < 0 ? ret : visit_there(c, v);
	/*
	 * The programs are attached to the devices that exist now: the stack stays until its last
	 * traced turn.
	 */
	left = v->traced ? 0 : compare_stacks_leave(c, v->dev);
	c->done += !v->warmup;
	return ret ?: left;
}

static int phase(struct compare *c, bool traced, const unsigned int *members, size_t n)
{
	struct compare_visit v = { .traced = traced, .warmup = true, .time_ns = c->cfg->time };
	unsigned int order[BLKLAT_COMPARE_MAX];
	int ret = 0;

	/* A stack that is made for each turn is warmed up in visit() instead. */
	for (size_t i = 0; i < n && !ret && (traced || !compare_stacks_by_turns(c)); i++) {
		v.dev = members[i];
		ret = visit(c, &v);
	}
	if (traced && !ret)
		compare_trace_start(c);
	v.warmup = false;
	for (v.round = 0; v.round < c->cfg->rounds && !ret; v.round++) {
		rounds_order(c->cfg->seed, v.round, n, order);
		for (size_t i = 0; i < n && !ret; i++) {
			v.dev = members[order[i]];
			ret = visit(c, &v);
		}
	}
	progress_done(&c->progress);
	return ret;
}

static int traced_phase(struct compare *c, const unsigned int *members, size_t n)
{
	int ret = compare_trace_open(c, members, n), collected;

	if (!ret) {
		ret = phase(c, true, members, n);
		collected = compare_trace_collect(c, members, n);
		ret = ret ?: collected;
	}
	compare_trace_close(c);
	return ret;
}

static int traced_groups(struct compare *c)
{
	unsigned int group[BLKLAT_COMPARE_MAX], members[BLKLAT_COMPARE_MAX];
	int groups = compare_trace_groups(c, group), ret = 0;

	if (groups > 1)
		info("traced in %d groups: at most %d devices can be traced at once, and no disk "
		     "together with its partitions", groups, BLKLAT_MAX_DEVS);
	for (int g = 0; g < groups && !ret; g++) {
		size_t n = 0;

		for (size_t i = 0; i < c->n; i++)
			if (group[i] == (unsigned int)g)
				members[n++] = i;
		ret = traced_phase(c, members, n);
	}
	return groups < 0 ? groups : ret;
}

/*
 * All devices exist at the same time: run all untraced rounds, then the traced ones, so that each
 * group of devices is attached only once.
 */
static int side_by_side(struct compare *c)
{
	unsigned int all[BLKLAT_COMPARE_MAX];
	int ret;

	for (size_t i = 0; i < c->n; i++)
		all[i] = i;
	ret = phase(c, false, all, c->n);
	return ret ?: c->cfg->untraced ? 0 : traced_groups(c);
}

/*
 * Attaching takes longer than a turn, so each stack has its traced turns in a row. A drift over
 * time may therefore look like a difference between stages. The untraced figures do not have this
 * error, because the untraced turns of the devices alternate.
 */
static int by_turns(struct compare *c)
{
	unsigned int all[BLKLAT_COMPARE_MAX], order[BLKLAT_COMPARE_MAX];
	int ret, left;

	for (size_t i = 0; i < c->n; i++)
		all[i] = i;
	ret = phase(c, false, all, c->n);
	if (c->cfg->untraced)
		return ret;
	rounds_order(c->cfg->seed, 0, c->n, order);
	for (size_t i = 0; i < c->n && !ret; i++) {
		ret = compare_stacks_enter(c, order[i]);
		ret = ret < 0 ? ret : traced_phase(c, &order[i], 1);
		left = compare_stacks_leave(c, order[i]);
		ret = ret ?: left;
	}
	return ret;
}

/*
 * Return the number of rounds of this kind that all devices have completed. Drop the samples of
 * later rounds: they are not compared.
 */
static unsigned int keep_complete(struct compare *c, bool traced)
{
	unsigned int rounds = UINT32_MAX;

	for (size_t i = 0; i < c->n; i++) {
		const struct result_dev *d = &c->res.devs[i];
		unsigned int n = 0;

		for (size_t k = 0; k < d->nsamples; k++)
			n += d->samples[k].traced == traced;
		rounds = n < rounds ? n : rounds;
	}
	for (size_t i = 0; i < c->n; i++) {
		struct result_dev *d = &c->res.devs[i];
		size_t n = 0;

		for (size_t k = 0; k < d->nsamples; k++) {
			if (d->samples[k].traced == traced && d->samples[k].round >= rounds)
				result_sample_free(&d->samples[k]);
			else
				d->samples[n++] = d->samples[k];
		}
		d->nsamples = n;
	}
	return rounds;
}

int compare_measure(struct compare *c)
{
	int ret, ended;

	c->start_ns = now_ns();
	c->shortest_ns = 0;
	c->per_visit_ns = c->cfg->time * 1.15;
	c->visits = (c->cfg->untraced ? 1 : 2) * c->cfg->rounds * c->n;
	ret = compare_pin(c);
	if (!ret)
		ret = compare_stacks_by_turns(c) ? by_turns(c) : side_by_side(c);
	/* Restore the schedulers before anything is printed. */
	ended = compare_unpin(c);
	c->rounds = keep_complete(c, false);
	c->traced_rounds = keep_complete(c, true);
	return ret ?: ended;
}
