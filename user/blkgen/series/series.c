// SPDX-License-Identifier: GPL-2.0
/* Run loads one after the other, with a row of results for each. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blkgen/load/cfg.h"
#include "blkgen/load/check.h"
#include "blkgen/load/report.h"
#include "blkgen/load/result.h"
#include "blkgen/load/run.h"
#include "blkgen/load/table.h"
#include "blkgen/load/target.h"
#include "blkgen/load/verify.h"
#include "blkgen/load/wait.h"
#include "blkgen/series/adapt.h"
#include "blkgen/series/series.h"
#include "blkgen/series/step.h"
#include "core/log.h"
#include "core/text.h"

struct load_step *load_series_add(struct load_series *s, const char *name)
{
	struct load_step *st = realloc(s->steps, (s->nsteps + 1) * sizeof(*st));

	if (st) {
		s->steps = st;
		st = memset(&st[s->nsteps], 0, sizeof(*st));
		st->values = calloc(LOAD_KEYS, sizeof(*st->values));
		st->name = name ? strdup(name) : NULL;
	}
	if (!st || !st->values || (name && !st->name)) {
		no_memory();
		return NULL;
	}
	s->named |= name != NULL;
	s->nsteps++;
	return st;
}

struct load_job *load_step_add(struct load_step *st, const char *name, const struct load_cfg *cfg,
			       const size_t *devs, size_t n)
{
	struct load_job *j = realloc(st->jobs, (st->njobs + 1) * sizeof(*j));

	if (j) {
		st->jobs = j;
		j = memset(&j[st->njobs++], 0, sizeof(*j));
		j->cfg = *cfg;
		j->name = name ? strdup(name) : NULL;
		j->devs = calloc(n ? n : 1, sizeof(*devs));
	}
	if (!j || !j->devs || (name && !j->name)) {
		no_memory();
		return NULL;
	}
	if (n)
		memcpy(j->devs, devs, n * sizeof(*devs));
	j->ndevs = n;
	return j;
}

int load_series_key(struct load_series *s, const char *key)
{
	if (s->nkeys == LOAD_KEYS)
		return usage_error("more than %d keys differ between the loads", LOAD_KEYS);
	s->keys[s->nkeys] = key;
	return s->nkeys++;
}

int load_step_set(struct load_step *st, size_t key, const char *value)
{
	free(st->values[key]);
	st->values[key] = strdup(value);
	return st->values[key] ? 0 : no_memory();
}

static void free_step(struct load_step *st)
{
	size_t i;

	for (i = 0; i < LOAD_KEYS; i++)
		free(st->values[i]);
	for (i = 0; i < NR_QUEUE_ATTRS; i++)
		free(st->queue[i]);
	for (i = 0; i < st->njobs; i++) {
		free(st->jobs[i].name);
		free(st->jobs[i].devs);
	}
	free(st->values);
	free(st->name);
	free(st->jobs);
}

void load_series_free(struct load_series *s)
{
	size_t i;

	for (i = 0; i < s->nsteps; i++)
		free_step(&s->steps[i]);
	for (i = 0; i < s->nnotes; i++)
		free(s->notes[i]);
	free(s->steps);
	free(s->notes);
	for (i = 0; i < LOAD_KEYS; i++) {
		free(s->keep[i]);
		free(s->keep_lists[i]);
	}
	report_table_free(s->tb);
	json_object_put(s->doc);
	json_object_put(s->found);
	memset(s, 0, sizeof(*s));
}

uint64_t load_series_jobs(const struct load_series *s)
{
	uint64_t most = 1;

	for (size_t i = 0; i < s->nsteps; i++)
		for (size_t k = 0; k < s->steps[i].njobs; k++)
			if (s->steps[i].jobs[k].cfg.set.workers > most)
				most = s->steps[i].jobs[k].cfg.set.workers;
	return most;
}

static int check_queue(const struct load *l, const struct load_step *st)
{
	size_t a, i;
	int ret = 0;

	for (a = 0; a < NR_QUEUE_ATTRS; a++)
		for (i = 0; st->queue[a] && i < l->ndevs && !ret; i++)
			ret = queue_check(&l->devs[i].dev, a, st->queue[a]);
	return ret;
}

static int check_target(const struct load *l, const struct load_series *s,
			const struct load_step *st, const struct load_target *t)
{
	int ret = load_check_options(t->cfg, t->on->temp ? NULL : t->on->dev.name);

	if (ret)
		return ret;
	/* Only run_once() reads the data back, and load_steady() does not call it. */
	if (st->steady && (t->cfg->set.flags & BLKGEN_SETUP_VERIFY))
		return usage_error("--verify and --steady exclude each other");
	if ((st->steady || s->goal) && !t->cfg->set.time_ns)
		return usage_error("--%s needs a --time above 0 for each %s",
				   st->steady ? "steady" : "target-latency",
				   st->steady ? "round" : "load");
	if (s->goal && t->cfg->rate && (t->cfg->set.ios || t->cfg->set.bytes || t->cfg->set.passes))
		return usage_error("--target-latency tries each --rate for all of --time, so --%s "
				   "cannot be used", t->cfg->set.ios ? "ios" : t->cfg->set.bytes ?
				   "bytes" : "pass");
	t->on->changes |= load_changes(t->cfg);
	ret = load_check_limits(t->cfg, &l->feat);
	if (!ret && s->goal)
		ret = load_search_check(l, t->cfg, s->goal);
	return ret ? ret : load_check_device(t);
}

/*
 * Check all steps before any runs: a mistake in the last step would cost the time of all others.
 */
static int check_all(struct load *l, struct load_series *s)
{
	size_t i, k;
	int ret;

	ret = load_features(l);
	for (i = 0; i < s->nsteps && !ret; i++) {
		ret = load_step_targets(l, &s->steps[i]);
		if (!ret)
			ret = check_queue(l, &s->steps[i]);
		for (k = 0; k < l->ntargets && !ret; k++) {
			log_where(s->where, l->targets[k].from);
			ret = check_target(l, s, &s->steps[i], &l->targets[k]);
			log_where(NULL, NULL);
		}
	}
	return ret;
}

static bool sets_queues(const struct load_series *s)
{
	size_t i, a;

	for (i = 0; i < s->nsteps; i++)
		for (a = 0; a < NR_QUEUE_ATTRS; a++)
			if (s->steps[i].queue[a])
				return true;
	return false;
}

static int keep_queues(const struct load *l, struct queue_keep *keep)
{
	const struct device **devs = calloc(l->ndevs, sizeof(*devs));
	size_t i;
	int ret;

	if (!devs)
		return no_memory();
	for (i = 0; i < l->ndevs; i++)
		devs[i] = &l->devs[i].dev;
	ret = queue_keep(keep, devs, l->ndevs);
	free(devs);
	return ret;
}

/* Run a step once, without --steady and --target-latency. */
static int run_once(struct load *l, struct load_series *s, struct load_step *st)
{
	json_object *jobs = json_object_new_array();
	struct load_results rs = { 0 };
	int ret;

	ret = load_step_prepare(l, s, st, false);
	if (!ret)
		ret = load_execute(l);
	if (!ret)
		ret = load_verify(l);
	if (!ret)
		ret = load_results_read(l, &rs, jobs);
	if (ret)
		json_object_put(jobs);
	else if (load_step_record(l, s, st, &rs, NULL, jobs))
		ret = load_step_details(l, &rs);
	else
		ret = -ENOMEM;
	load_results_free(&rs);
	return ret;
}

static int make_table(struct load_series *s)
{
	struct column first[2 + LOAD_KEYS + LOAD_EXTRA];
	size_t n = 0, i;

	if (s->named)
		first[n++] = (struct column) { "step", "step", COL_STR };
	for (i = 0; i < s->nkeys; i++)
		first[n++] = (struct column) { s->keys[i], s->keys[i], COL_STR };
	for (i = 0; s->extra[i]; i++)
		first[n++] = (struct column) { s->extra[i], s->extra[i], COL_STR };
	if (s->loads_named)
		first[n++] = (struct column) { "load", "load", COL_STR };
	s->tb = load_table_new(first, n);
	s->doc = json_object_new_array();
	s->found = json_object_new_array();
	return s->tb && s->doc && s->found ? 0 : -ENOMEM;
}

static int run_steps(struct load *l, struct load_series *s)
{
	int ret = 0, missed = 0;

	for (s->at = 0; s->at < s->nsteps && ret >= 0 && !load_interrupted(l); s->at++) {
		struct load_step *st = &s->steps[s->at];

		if (st->steady)
			ret = load_steady(l, s, st);
		else if (s->goal)
			ret = load_search(l, s, st);
		else
			ret = run_once(l, s, st);
		missed |= ret > 0;
	}
	load_release(l);
	return ret < 0 ? ret : missed;
}

static int print_series(struct load *l, struct load_series *s)
{
	int ret = 0;
	size_t i;

	if (json_object_array_length(s->doc))
		ret = load_table_print(l, s->tb);
	for (i = 0; i < s->nnotes; i++)
		if (!load_stdout_taken(l))
			text_printf(stdout, "%s\n", s->notes[i]);
	if (l->doc)
		json_object_object_add(l->doc, "steps", json_object_get(s->doc));
	if (l->doc && s->goal)
		json_object_object_add(l->doc, "found", json_object_get(s->found));
	return ret;
}

/* Print the options of each load of each step. */
static void print_loads(const struct load *l, const struct load_series *s)
{
	struct load one = *l;
	size_t i, k;

	for (i = 0; i < s->nsteps; i++) {
		for (k = 0; k < s->steps[i].njobs; k++) {
			one.cfg = &s->steps[i].jobs[k].cfg;
			text_printf(stdout, "%s, %s: ", s->steps[i].name,
				    s->steps[i].jobs[k].name);
			load_report_options(&one);
		}
	}
}

/* Print the header. Steps with names are different loads, so they have no options in common. */
static void print_header(const struct load *l, const struct load_series *s)
{
	size_t i;

	if (s->nsteps == 1 && !s->named) {
		load_report_header(l);
		return;
	}
	if (!load_report_facts(l))
		return;
	if (!s->named)
		load_report_options(l);
	if (s->loads_named)
		print_loads(l, s);
	printf("%zu step%s", s->nsteps, s->nsteps == 1 ? "" : "s");
	for (i = 0; i < s->nkeys; i++)
		printf("%s%s", i ? ", " : " with different values of ", s->keys[i]);
	printf("\n\n");
	fflush(stdout);
}

int load_series_run(struct load *l, struct load_series *s)
{
	struct queue_keep keep = { 0 };
	int ret, printed, restored;

	ret = make_table(s);
	if (!ret)
		ret = check_all(l, s);
	if (!ret && sets_queues(s))
		ret = keep_queues(l, &keep);
	if (!ret) {
		print_header(l, s);
		ret = run_steps(l, s);
		printed = print_series(l, s);
		ret = ret < 0 || !printed ? ret : printed;
	}
	restored = queue_keep_end(&keep, l->hung);
	return ret < 0 || !restored ? ret : restored;
}
