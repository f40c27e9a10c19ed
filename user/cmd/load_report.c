// SPDX-License-Identifier: GPL-2.0
/* blkgen load: results as a table and as JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "cmd/load.h"
#include "core/log.h"
#include "core/units.h"
#include "report/facts.h"

enum { C_DEV, C_OP, C_IOPS, C_BW, C_MEAN, C_P50, C_P90, C_P99, C_P999, C_P9999, C_MAX, C_CPU, C_ERR };

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
	[C_MAX] = { "max_ns", "max", COL_TIME },
	[C_CPU] = { "cpu_ns_per_io", "CPU/IO", COL_TIME },
	[C_ERR] = { "errors", "errors", COL_EXACT },
};

static const char *const op_names[BLKGEN_NR_OPS] = {
	"read", "write", "trim", "zeroes", "flush"
};
static const char *const stop_names[] = {
	[BLKGEN_STOP_NONE] = "none", [BLKGEN_STOP_IOS] = "ios", [BLKGEN_STOP_TIME] = "time",
	[BLKGEN_STOP_USER] = "user", [BLKGEN_STOP_ERRORS] = "errors",
};

/* One target while its workers are read out. */
struct sums {
	struct load_sum job, dev;
	struct load_sum op[BLKGEN_NR_OPS];	/* of the device */
	struct load_sum job_op;
};

static int sum_init(struct load_sum *s, const struct blkgen_features *f)
{
	memset(s, 0, sizeof(*s));
	return hist_init(&s->lat, f->hist_bits, f->hist_buckets);
}

static void sum_reset(struct load_sum *s)
{
	struct hist lat = s->lat;

	memset(s, 0, sizeof(*s));
	s->lat.bits = lat.bits;
	s->lat.nbuckets = lat.nbuckets;
	s->lat.buckets = lat.buckets;
	memset(lat.buckets, 0, lat.nbuckets * sizeof(*lat.buckets));
}

static void sum_add(struct load_sum *to, const struct load_sum *s)
{
	size_t i;

	to->ios += s->ios;
	to->bytes += s->bytes;
	to->errors += s->errors;
	to->cpu_ns += s->cpu_ns;
	for (i = 0; i < 256; i++)
		to->by_errno[i] += s->by_errno[i];
	if (s->start_ns && (!to->start_ns || s->start_ns < to->start_ns))
		to->start_ns = s->start_ns;
	if (s->end_ns > to->end_ns)
		to->end_ns = s->end_ns;
	hist_merge(&to->lat, &s->lat);
}

static uint64_t elapsed(const struct load_sum *s)
{
	return s->end_ns > s->start_ns ? s->end_ns - s->start_ns : 0;
}

static double per_second(const struct load_sum *s, uint64_t n)
{
	return elapsed(s) ? n * 1e9 / elapsed(s) : 0;
}

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

static void sum_json(json_object *o, const struct load_sum *s)
{
	json_u64(o, "ios", s->ios);
	json_u64(o, "bytes", s->bytes);
	json_u64(o, "elapsed_ns", elapsed(s));
	json_real(o, "iops", per_second(s, s->ios));
	json_real(o, "bytes_per_s", per_second(s, s->bytes));
	json_object_object_add(o, "latency_ns", report_latency(NULL, &s->lat));
	json_object_object_add(o, "errors", errors_json(s));
}

static void cpu_json(json_object *o, const struct load_sum *s)
{
	json_u64(o, "cpu_ns", s->cpu_ns);
	json_real(o, "cpu_ns_per_io", s->ios ? (double)s->cpu_ns / s->ios : 0);
}

static void count_errors(struct load_sum *s, const struct blkgen_result *r)
{
	unsigned int i;

	s->errors = r->errors;
	for (i = 0; i < r->nr_error && i < BLKGEN_NR_ERRORS; i++)
		s->by_errno[r->error[i].err & 255] += r->error[i].count;
}

static bool has_op(const struct load_target *t, unsigned int op)
{
	return t->setup.mix[op] || (op == BLKGEN_OP_FLUSH && t->setup.flush_every);
}

/* Flushes are not of the I/Os that were asked for; that they failed is. */
static void add_op(struct load_sum *to, const struct load_sum *s, unsigned int op)
{
	size_t i;

	if (op != BLKGEN_OP_FLUSH) {
		sum_add(to, s);
		return;
	}
	to->errors += s->errors;
	for (i = 0; i < 256; i++)
		to->by_errno[i] += s->by_errno[i];
}

/* One worker: adds to the device's sums; its JSON object goes to @jobs. */
static int read_job(struct load_target *t, unsigned int worker, struct sums *s,
		    json_object *jobs)
{
	json_object *job = json_object_new_object(), *ops = json_object_new_object();
	struct blkgen_worker_info w;
	struct blkgen_result r;
	unsigned int op;
	int ret;

	sum_reset(&s->job);
	ret = kctl_worker(t->ctl, worker, &w);
	for (op = 0; op < BLKGEN_NR_OPS && !ret; op++) {
		json_object *o;

		if (!has_op(t, op))
			continue;
		sum_reset(&s->job_op);
		ret = kctl_result(t->ctl, worker, op, &r, &s->job_op.lat);
		if (ret)
			break;
		s->job_op.ios = r.ios;
		s->job_op.bytes = r.bytes;
		s->job_op.start_ns = w.start_ns;
		s->job_op.end_ns = w.end_ns;
		count_errors(&s->job_op, &r);
		add_op(&s->job, &s->job_op, op);
		sum_add(&s->op[op], &s->job_op);
		o = json_object_new_object();
		sum_json(o, &s->job_op);
		json_object_object_add(ops, op_names[op], o);
	}
	s->job.cpu_ns = ret ? 0 : w.cpu_ns;
	sum_add(&s->dev, &s->job);
	json_str(job, "device", t->dev.name);
	json_u64(job, "job", worker);
	json_u64(job, "pid", ret ? 0 : w.pid);
	json_u64(job, "submitted", ret ? 0 : w.submitted);
	sum_json(job, &s->job);
	cpu_json(job, &s->job);
	json_object_object_add(job, "ops", ops);
	json_object_array_add(jobs, job);
	return ret ? err(ret, "%s: cannot read the result of job %u: %s", t->dev.name, worker,
			 strerror(-ret)) : 0;
}

static void add_row(struct report_table *tb, const char *dev, const char *op,
		    const struct load_sum *s, bool cpu)
{
	static const struct {
		int col;
		double pct;
	} pcts[] = {
		{ C_P50, 50 }, { C_P90, 90 }, { C_P99, 99 }, { C_P999, 99.9 }, { C_P9999, 99.99 },
	};
	int r = report_row(tb, -1);
	size_t i;

	report_set_str(tb, r, C_DEV, dev);
	report_set_str(tb, r, C_OP, op);
	report_set(tb, r, C_IOPS, per_second(s, s->ios));
	report_set(tb, r, C_BW, per_second(s, s->bytes));
	report_set_u64(tb, r, C_ERR, s->errors);
	if (!s->ios)
		return;
	report_set(tb, r, C_MEAN, hist_mean(&s->lat));
	for (i = 0; i < sizeof(pcts) / sizeof(*pcts); i++)
		report_set_u64(tb, r, pcts[i].col, hist_percentile(&s->lat, pcts[i].pct));
	report_set_u64(tb, r, C_MAX, s->lat.max);
	if (cpu)
		report_set(tb, r, C_CPU, (double)s->cpu_ns / s->ios);
}

static void device_rows(struct report_table *tb, const struct load_target *t,
			const struct sums *s)
{
	unsigned int op, nops = 0, only = 0;

	for (op = 0; op < BLKGEN_NR_OPS; op++) {
		if (!has_op(t, op))
			continue;
		nops++;
		only = op;
	}
	if (nops == 1) {
		add_row(tb, t->dev.name, op_names[only], &s->dev, true);
		return;
	}
	add_row(tb, t->dev.name, "all", &s->dev, true);
	for (op = 0; op < BLKGEN_NR_OPS; op++)
		if (has_op(t, op))
			add_row(tb, "", op_names[op], &s->op[op], false);
}

static json_object *device_json(const struct load_target *t, const struct sums *s)
{
	json_object *o = json_object_new_object(), *ops = json_object_new_object();
	unsigned int op;

	json_str(o, "name", t->dev.name);
	json_object_object_add(o, "facts", report_facts(&t->dev));
	json_str(o, "stop", t->status.stop < sizeof(stop_names) / sizeof(*stop_names) ?
		 stop_names[t->status.stop] : "unknown");
	sum_json(o, &s->dev);
	cpu_json(o, &s->dev);
	for (op = 0; op < BLKGEN_NR_OPS; op++) {
		json_object *x;

		if (!has_op(t, op))
			continue;
		x = json_object_new_object();
		sum_json(x, &s->op[op]);
		json_object_object_add(ops, op_names[op], x);
	}
	json_object_object_add(o, "ops", ops);
	return o;
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
	warn("%s: %llu I/Os failed:%s%s", t->dev.name, (unsigned long long)s->errors, list,
	     t->status.stop == BLKGEN_STOP_ERRORS ? "; given up on it" : "");
}

static int read_target(struct load *l, struct load_target *t, struct report_table *tb,
		       struct load_sum *all, json_object *jobs, json_object *devs)
{
	struct sums *s = calloc(1, sizeof(*s));
	unsigned int i;
	int ret;

	if (!s)
		return err(-ENOMEM, "out of memory");
	ret = sum_init(&s->job, &l->feat);
	ret = ret ?: sum_init(&s->dev, &l->feat);
	ret = ret ?: sum_init(&s->job_op, &l->feat);
	for (i = 0; i < BLKGEN_NR_OPS && !ret; i++)
		ret = sum_init(&s->op[i], &l->feat);
	if (ret)
		err(ret, "out of memory");
	for (i = 0; i < t->setup.workers && !ret; i++)
		ret = read_job(t, i, s, jobs);
	if (!ret) {
		device_rows(tb, t, s);
		json_object_array_add(devs, device_json(t, s));
		sum_add(all, &s->dev);
		if (s->dev.errors)
			say_errors(t, &s->dev);
	}
	hist_free(&s->job.lat);
	hist_free(&s->dev.lat);
	hist_free(&s->job_op.lat);
	for (i = 0; i < BLKGEN_NR_OPS; i++)
		hist_free(&s->op[i].lat);
	free(s);
	return ret;
}

json_object *load_options_json(const struct load_cfg *cfg)
{
	json_object *o = json_object_new_object();

	json_str(o, "rw", load_rw_names[cfg->rw]);
	json_u64(o, "bs", cfg->bs);
	json_u64(o, "qd", cfg->qd);
	json_u64(o, "jobs", cfg->jobs);
	if (cfg->rw == RW_RW || cfg->rw == RW_RANDRW)
		json_real(o, "mix", cfg->mix);
	json_u64(o, "time_ns", cfg->time);
	json_u64(o, "ios", cfg->ios);
	json_u64(o, "offset", cfg->offset);
	json_u64(o, "size", cfg->size);
	json_u64(o, "seed", cfg->seed);
	json_u64(o, "batch", cfg->batch);
	json_flag(o, "fua", cfg->fua);
	json_u64(o, "flush", cfg->flush);
	return o;
}

int load_report(struct load *l)
{
	struct report_table *tb = report_table_new(columns, sizeof(columns) / sizeof(*columns));
	json_object *jobs = json_object_new_array(), *devs = json_object_new_array();
	struct load_sum all;
	size_t i;
	int ret;

	ret = sum_init(&all, &l->feat);
	if (!tb || ret)
		ret = err(-ENOMEM, "out of memory");
	for (i = 0; i < l->ntargets && !ret; i++)
		ret = read_target(l, &l->targets[i], tb, &all, jobs, devs);
	if (!ret && l->ntargets > 1)
		add_row(tb, "all", "all", &all, true);
	if (!ret && !(l->cfg->json && !strcmp(l->cfg->json, "-")))
		ret = report_print(tb, stdout);
	l->errors = all.errors;
	if (l->doc) {
		json_object_object_add(l->doc, "jobs", json_object_get(jobs));
		json_object_object_add(l->doc, "devices", json_object_get(devs));
	}
	json_object_put(jobs);
	json_object_put(devs);
	hist_free(&all.lat);
	report_table_free(tb);
	return ret;
}
