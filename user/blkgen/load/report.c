// SPDX-License-Identifier: GPL-2.0
/* blkgen load: results as a table and as JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blkgen/load/load.h"
#include "blkgen/load/events.h"
#include "blkgen/load/interval.h"
#include "blkgen/load/per.h"
#include "blkgen/load/nvme.h"
#include "core/log.h"
#include "core/units.h"
#include "report/facts.h"
#include "report/histogram.h"

enum { C_DEV, C_OP, C_IOPS, C_BW, C_MEAN, C_P50, C_P90, C_P99, C_P999, C_P9999, C_P99999, C_MAX, C_CPU, C_ERR };

static const struct column columns[] = {
	[C_DEV] = { "device", "device", COL_STR },
	[C_OP] = { "op", "op", COL_STR },
	[C_IOPS] = { "iops", "IOPS", COL_COUNT },
	[C_BW] = { "bytes_per_s", "bandwidth", COL_BW },
	[C_MEAN] = { "mean_ns", "mean", COL_TIME },
	[C_P50] = { "p50_ns", "p50", COL_TIME },
	[C_P90] = { "p90_ns", "p90", COL_TIME },
	[C_P99] = { "p99_ns", "p99", COL_TIME },
	[C_P999] = { "p99.9_ns", "p99.9", COL_TIME },
	[C_P9999] = { "p99.99_ns", "p99.99", COL_TIME },
	[C_P99999] = { "p99.999_ns", "p99.999", COL_TIME },
	[C_MAX] = { "max_ns", "max", COL_TIME },
	[C_CPU] = { "cpu_ns_per_io", "CPU/IO", COL_TIME },
	[C_ERR] = { "errors", "errors", COL_EXACT },
};

const char *const load_op_names[BLKGEN_NR_OPS] = {
	"read", "write", "trim", "zeroes", "flush"
};
static const char *const stop_names[] = {
	[BLKGEN_STOP_NONE] = "none", [BLKGEN_STOP_IOS] = "ios", [BLKGEN_STOP_TIME] = "time",
	[BLKGEN_STOP_USER] = "user", [BLKGEN_STOP_ERRORS] = "errors",
	[BLKGEN_STOP_BYTES] = "bytes", [BLKGEN_STOP_PASS] = "pass",
};

static json_object *errors_json(const struct load_sum *s)
{
	json_object *o = json_object_new_object(), *by = json_object_new_object();
	size_t i;

	json_u64(o, "total", s->errors);
	for (i = 0; i < 256; i++) {
		const char *name = strerrorname_np(i);
		char number[16];

		if (!s->by_errno[i])
			continue;
		snprintf(number, sizeof(number), "%zu", i);
		json_u64(by, name ? name : number, s->by_errno[i]);
	}
	json_object_object_add(o, "by_error", by);
	return o;
}

void load_sum_json(json_object *o, const struct load_sum *s, bool hist)
{
	struct report_table *t;

	json_u64(o, "ios", s->ios);
	json_u64(o, "bytes", s->bytes);
	json_u64(o, "elapsed_ns", load_sum_elapsed(s));
	json_real(o, "iops", load_sum_rate(s, s->ios));
	json_real(o, "bytes_per_s", load_sum_rate(s, s->bytes));
	json_object_object_add(o, "latency_ns", report_latency(NULL, &s->lat));
	if (s->service.buckets)
		json_object_object_add(o, "service_ns", report_latency(NULL, &s->service));
	json_object_object_add(o, "errors", errors_json(s));
	t = hist ? report_histogram(&s->lat) : NULL;
	if (t)
		json_object_object_add(o, "histogram", report_json(t));
	report_table_free(t);
}

static void cpu_json(json_object *o, const struct load_sum *s)
{
	json_u64(o, "cpu_ns", s->cpu_ns);
	json_real(o, "cpu_ns_per_io", s->ios ? (double)s->cpu_ns / s->ios : 0);
	json_u64(o, "unpolled", s->unpolled);
}

/* @at: column of the first of ours */
static void set_times(struct report_table *tb, size_t at, int r, const struct hist *h)
{
	static const struct {
		int col;
		double pct;
	} pcts[] = {
		{ C_P50, 50 }, { C_P90, 90 }, { C_P99, 99 }, { C_P999, 99.9 }, { C_P9999, 99.99 },
		{ C_P99999, 99.999 },
	};
	size_t i;

	if (!h->count)
		return;
	report_set(tb, r, at + C_MEAN, hist_mean(h));
	for (i = 0; i < sizeof(pcts) / sizeof(*pcts); i++)
		report_set_u64(tb, r, at + pcts[i].col, hist_percentile(h, pcts[i].pct));
	report_set_u64(tb, r, at + C_MAX, h->max);
}

int load_table_row(struct report_table *tb, size_t at, const char *dev, const char *op,
		   const struct load_sum *s, bool cpu)
{
	int r = report_row(tb, -1), row;

	report_set_str(tb, r, at + C_DEV, dev);
	report_set_str(tb, r, at + C_OP, op);
	report_set(tb, r, at + C_IOPS, load_sum_rate(s, s->ios));
	report_set(tb, r, at + C_BW, load_sum_rate(s, s->bytes));
	report_set_u64(tb, r, at + C_ERR, s->errors);
	set_times(tb, at, r, &s->lat);
	if (cpu && s->ios)
		report_set(tb, r, at + C_CPU, (double)s->cpu_ns / s->ios);
	if (s->service.buckets) {
		row = report_row(tb, -1);
		report_set_str(tb, row, at + C_DEV, "");
		report_set_str(tb, row, at + C_OP, "  service");
		set_times(tb, at, row, &s->service);
	}
	return r;
}

/* Also without a header it is to be seen what a buffered load was. */
static const char *op_title(const struct load_target *t, unsigned int op, char *buf, size_t len)
{
	const char *name = op < BLKGEN_NR_OPS ? load_op_names[op] : "all";

	if (t->setup.engine != BLKGEN_ENGINE_BUFFERED)
		return name;
	snprintf(buf, len, "%s, page cache", op == BLKGEN_OP_FLUSH ? "fsync" : name);
	return buf;
}

static int target_rows(struct report_table *tb, size_t at, const struct load_target *t,
		       const struct load_result *r)
{
	unsigned int op, nops = 0, only = 0;
	char title[40];
	int row;

	for (op = 0; op < BLKGEN_NR_OPS; op++) {
		if (!load_target_has_op(t, op))
			continue;
		nops++;
		only = op;
	}
	if (nops == 1)
		return load_table_row(tb, at, t->on->dev.name, op_title(t, only, title, sizeof(title)),
			       &r->all, true);
	row = load_table_row(tb, at, t->on->dev.name, op_title(t, BLKGEN_NR_OPS, title, sizeof(title)),
		      &r->all, true);
	for (op = 0; op < BLKGEN_NR_OPS; op++)
		if (load_target_has_op(t, op))
			load_table_row(tb, at, "", op_title(t, op, title, sizeof(title)), &r->op[op], false);
	return row;
}

static json_object *ops_json(const struct load_target *t, const struct load_result *r, bool hist)
{
	json_object *ops = json_object_new_object();
	unsigned int op;

	for (op = 0; op < BLKGEN_NR_OPS; op++) {
		json_object *x;

		if (!load_target_has_op(t, op))
			continue;
		x = json_object_new_object();
		load_sum_json(x, &r->op[op], hist);
		json_object_object_add(ops, load_op_names[op], x);
	}
	return ops;
}

static json_object *device_json(const struct load_target *t, const struct load_result *r)
{
	json_object *o = json_object_new_object(), *nvme = load_nvme_json(t->on);

	json_str(o, "name", t->on->dev.name);
	json_object_object_add(o, "facts", report_facts(&t->on->dev));
	json_str(o, "engine", load_engine_label(t->cfg));
	if (t->cfg->engine == BLKGEN_ENGINE_BUFFERED)
		json_flag(o, "fsync_in_time", t->setup.flush_every != 0);
	json_str(o, "stop", t->status.stop < sizeof(stop_names) / sizeof(*stop_names) ?
		 stop_names[t->status.stop] : "unknown");
	load_sum_json(o, &r->all, t->cfg->hist);
	cpu_json(o, &r->all);
	json_object_object_add(o, "ops", ops_json(t, r, t->cfg->hist));
	if (nvme)
		json_object_object_add(o, "nvme", nvme);
	json_object_object_add(o, "outstanding", load_outstanding_json(t));
	if (load_verifies(t))
		json_object_object_add(o, "verify", load_verify_json(t));
	return o;
}

static void say_unpolled(const struct load_target *t, const struct load_sum *s)
{
	warn("%s: %llu of %llu I/Os completed by interrupt: the queues below it were full, and a layer does not poll what has to wait for them; lower --qd or --jobs",
	     t->on->dev.name, (unsigned long long)s->unpolled, (unsigned long long)s->ios);
}

static void say_errors(const struct load_target *t, const struct load_sum *s)
{
	char list[300] = "";
	size_t i, n = 0;

	for (i = 0; i < 256 && n < sizeof(list); i++) {
		const char *name = strerrorname_np(i);

		if (s->by_errno[i])
			n += snprintf(list + n, sizeof(list) - n, " %s %llu,",
				      name ? name : "other", (unsigned long long)s->by_errno[i]);
	}
	if (n && n < sizeof(list))
		list[n - 1] = 0;
	warn("%s: %llu I/Os failed:%s%s", t->on->dev.name, (unsigned long long)s->errors, list,
	     t->status.stop == BLKGEN_STOP_ERRORS ? "; given up on it" : "");
}

static void job_json(const struct load_target *t, const struct blkgen_worker_info *w,
		     const struct load_result *r, void *arg)
{
	json_object *job = json_object_new_object(), *jobs = arg;

	json_str(job, "device", t->on->dev.name);
	json_u64(job, "job", w->worker);
	json_u64(job, "pid", w->pid);
	json_u64(job, "submitted", w->submitted);
	load_sum_json(job, &r->all, false);
	cpu_json(job, &r->all);
	json_object_object_add(job, "ops", ops_json(t, r, false));
	json_object_array_add(jobs, job);
}

int load_results_read(const struct load *l, struct load_results *rs, json_object *jobs)
{
	size_t i;
	int ret = 0;

	rs->of = calloc(l->ntargets, sizeof(*rs->of));
	if (!rs->of)
		return err(-ENOMEM, "out of memory");
	for (i = 0; i < l->ntargets && !ret; i++) {
		ret = load_result_read(l, &l->targets[i], &rs->of[i], jobs ? job_json : NULL, jobs);
		if (ret)
			load_result_free(&rs->of[i]);
		else
			rs->n++;
	}
	return ret;
}

void load_results_free(struct load_results *rs)
{
	size_t i;

	for (i = 0; i < rs->n; i++)
		load_result_free(&rs->of[i]);
	free(rs->of);
	memset(rs, 0, sizeof(*rs));
}

int load_results_since(const struct load *l, struct load_results *d,
		       const struct load_results *now, uint64_t now_at,
		       const struct load_results *before, uint64_t before_at)
{
	size_t i;
	int ret = 0;

	d->of = calloc(now->n, sizeof(*d->of));
	if (!d->of)
		return err(-ENOMEM, "out of memory");
	d->n = now->n;
	for (i = 0; i < d->n && !ret; i++)
		ret = load_result_since(l, &l->targets[i], &d->of[i], &now->of[i], now_at,
					&before->of[i], before_at);
	return ret;
}

json_object *load_devices_json(const struct load *l, const struct load_results *rs)
{
	json_object *devs = json_object_new_array();
	size_t i;

	for (i = 0; i < rs->n; i++) {
		json_object *o = device_json(&l->targets[i], &rs->of[i]);

		load_events_json(l, i, &rs->of[i], o);
		load_streams_json(l, &l->targets[i], o);
		json_object_array_add(devs, o);
	}
	return devs;
}

struct report_table *load_table_new(const struct column *first, size_t n)
{
	const size_t ours = sizeof(columns) / sizeof(*columns);
	struct column *all = calloc(n + ours, sizeof(*all));
	struct report_table *tb = NULL;

	if (all) {
		if (n)
			memcpy(all, first, n * sizeof(*all));
		memcpy(all + n, columns, sizeof(columns));
		tb = report_table_new(all, n + ours);
	}
	free(all);
	if (!tb)
		err(-ENOMEM, "out of memory");
	return tb;
}

int load_table_add(struct report_table *tb, size_t n, struct load *l,
		   const struct load_results *rs)
{
	struct load_sum all;
	int row = -1;
	size_t i;

	if (load_sum_init(&all, &l->feat))
		return err(-ENOMEM, "out of memory");
	for (i = 0; i < rs->n; i++) {
		int r = target_rows(tb, n, &l->targets[i], &rs->of[i]);

		row = i ? row : r;
		if (r >= 0 && l->targets[i].label)
			report_set_str(tb, r, n - 1, l->targets[i].label);
		load_sum_add(&all, &rs->of[i].all);
		if (rs->of[i].all.errors)
			say_errors(&l->targets[i], &rs->of[i].all);
		if (rs->of[i].all.unpolled)
			say_unpolled(&l->targets[i], &rs->of[i].all);
	}
	if (rs->n > 1)
		load_table_row(tb, n, "all", "all", &all, true);
	l->errors += all.errors;
	load_sum_free(&all);
	return row;
}

json_object *load_options_json(const struct load_cfg *cfg)
{
	json_object *o = json_object_new_object();

	json_str(o, "rw", load_rw_names[cfg->rw]);
	load_where_json(o, cfg);
	json_u64(o, "qd", cfg->qd);
	json_u64(o, "jobs", cfg->jobs);
	json_str(o, "engine", load_engines[cfg->engine]);
	json_str(o, "cpus", cfg->cpus ? cfg->cpus : "");
	if (cfg->rw == RW_RW || cfg->rw == RW_RANDRW)
		json_real(o, "mix", cfg->mix);
	json_u64(o, "time_ns", cfg->time);
	json_u64(o, "ios", cfg->ios);
	json_u64(o, "offset", cfg->offset);
	json_u64(o, "size", cfg->size);
	json_u64(o, "seed", cfg->seed);
	json_u64(o, "batch", cfg->batch);
	json_flag(o, "apart", cfg->apart);
	json_flag(o, "fua", cfg->fua);
	json_u64(o, "flush", cfg->flush);
	json_u64(o, "rate", cfg->rate & ~RATE_BYTES);
	json_str(o, "rate_unit", cfg->rate & RATE_BYTES ? "bytes" : "ios");
	json_str(o, "arrival", load_arrivals[cfg->arrival]);
	json_u64(o, "burst", cfg->burst);
	json_u64(o, "think_ns", cfg->think);
	json_u64(o, "ramp_ns", cfg->ramp);
	json_u64(o, "bytes", cfg->bytes);
	json_u64(o, "pass", cfg->pass);
	json_u64(o, "interval_ns", cfg->interval);
	json_u64(o, "stall_ns", cfg->stall);
	json_str(o, "errors", cfg->on_errors);
	json_u64(o, "drain_ns", cfg->drain);
	json_flag(o, "verify", cfg->verify);
	json_u64(o, "generation", cfg->generation);
	return o;
}

bool load_report_facts(const struct load *l)
{
	size_t i;

	if (log_level() < 1 || load_stdout_taken(l))
		return false;
	for (i = 0; i < l->ndevs; i++)
		report_facts_print(&l->devs[i].dev, stdout);
	return true;
}

void load_report_options(const struct load *l)
{
	const struct load_cfg *c = l->cfg;
	char t[FMT_LEN];

	printf("%s", load_rw_names[c->rw]);
	load_where_print(c, stdout);
	printf(", qd %llu, %llu job%s", (unsigned long long)c->qd, (unsigned long long)c->jobs,
	       c->jobs == 1 ? "" : "s");
	if (load_mixed(c))
		printf(", %g%% reads", c->mix);
	if (c->engine)
		printf(", %s", load_engine_label(c));
	if (c->cpus)
		printf(", CPUs %s", c->cpus);
	if (c->apart)
		printf(", apart");
	if (c->fua)
		printf(", FUA");
	if (c->flush)
		printf(", flush after %llu", (unsigned long long)c->flush);
	if (c->verify)
		printf(", verify");
	if (c->time)
		printf(", %s", fmt_time(t, sizeof(t), c->time));
	if (c->ios)
		printf(", %llu I/Os", (unsigned long long)c->ios);
	printf(", seed %llu\n", (unsigned long long)c->seed);
	if (c->engine == BLKGEN_ENGINE_BUFFERED && load_changes(c))
		printf("%s\n", c->flush ?
		       "each job ends with an fsync, which is in its time and rates" :
		       "a write is done when the page cache has it: no fsync is in the time");
}

void load_report_header(const struct load *l)
{
	if (!load_report_facts(l))
		return;
	load_report_options(l);
	printf("\n");
	fflush(stdout);
}

int load_table_print(const struct load *l, const struct report_table *tb)
{
	return load_stdout_taken(l) ? 0 : report_print(tb, stdout);
}

int load_report(struct load *l)
{
	struct report_table *tb = load_table_new(NULL, 0);
	json_object *jobs = json_object_new_array();
	struct load_results rs = { 0 };
	int ret;

	ret = tb ? load_results_read(l, &rs, jobs) : -ENOMEM;
	if (!ret)
		ret = load_table_add(tb, 0, l, &rs) < 0 ? -ENOMEM : load_table_print(l, tb);
	if (!ret && !load_stdout_taken(l))
		ret = load_nvme_print(l, stdout);
	if (!ret && !load_stdout_taken(l))
		load_outstanding_print(l, stdout);
	if (!ret && !load_stdout_taken(l))
		load_verify_print(l, stdout);
	if (!ret)
		load_events_print(l, &rs);
	if (!ret)
		ret = load_per_print(l);
	if (!ret)
		ret = load_hist_print(l, &rs);
	if (l->doc) {
		json_object_object_add(l->doc, "intervals", load_intervals_json(l));
		json_object_object_add(l->doc, "jobs", json_object_get(jobs));
		json_object_object_add(l->doc, "devices", load_devices_json(l, &rs));
	}
	json_object_put(jobs);
	load_results_free(&rs);
	report_table_free(tb);
	return ret;
}
