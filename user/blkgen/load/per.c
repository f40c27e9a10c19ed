// SPDX-License-Identifier: GPL-2.0
/* Report results per job, per stream, and by response time. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blkgen/load/cfg.h"
#include "blkgen/load/per.h"
#include "blkgen/load/result.h"
#include "blkgen/load/table.h"
#include "blkgen/load/target.h"
#include "core/log.h"
#include "output/histogram.h"

static const struct column job_column[] = { { "job", "job", COL_EXACT } };
static const struct column stream_column[] = { { "stream", "stream", COL_EXACT } };

static void job_rows(const struct load_target *t, const struct blkgen_worker_info *w,
		     const struct load_result *r, void *arg)
{
	struct report_table *tb = arg;
	int row = load_table_ops(tb, 1, t, r, true);

	report_set_u64(tb, row, 0, w->worker);
}

/*
 * Read the results of a stream. The module keeps no start and end of a stream, so use the start and
 * end of all jobs.
 */
static int read_stream(const struct load *l, const struct load_target *t, unsigned int stream,
		       struct load_sum *s)
{
	struct blkgen_worker_info w;
	struct blkgen_result r;
	int ret;

	if (load_sum_init(s, &l->feat))
		return err(-ENOMEM, "out of memory");
	ret = kctl_worker(t->ctl, BLKGEN_ALL_WORKERS, &w);
	if (!ret)
		ret = kctl_result(t->ctl, BLKGEN_WHAT_STREAM, BLKGEN_ALL_WORKERS, stream, &r,
				  &s->lat);
	if (ret) {
		load_sum_free(s);
		return err(ret, "%s: cannot read the result of stream %u: %s", t->on->dev.name,
			   stream, strerror(-ret));
	}
	s->ios = r.ios;
	s->bytes = r.bytes;
	/* The module counts failed I/Os by op only. */
	s->errors = LOAD_NOT_COUNTED;
	s->start_ns = w.start_ns;
	s->end_ns = w.end_ns;
	return 0;
}

static int fill_streams(const struct load *l, const struct load_target *t, struct report_table *tb)
{
	unsigned int i;
	struct load_sum s;
	int ret, row;

	for (i = 0; i < t->setup.streams; i++) {
		ret = read_stream(l, t, i, &s);
		if (ret)
			return ret;
		row = load_table_row(tb, 1, t->on->dev.name, "all", &s, false);
		report_set_u64(tb, row, 0, i);
		load_sum_free(&s);
	}
	return 0;
}

/*
 * Members of the JSON object "stream":
 * @stream: integer: Number, from 0.
 * @job: integer: Number of the job that does its I/O.
 * @ios: integer: I/Os that completed without an error, flushes not included.
 * @bytes: integer: Bytes of these I/Os.
 * @iops: number: ``ios`` per second, from the device's first submission to its last completion.
 * @bytes_per_s: number: ``bytes`` per second of the same time.
 * @latency_ns: latency: Latencies of these I/Os. The histogram buckets are 3.1 % wide.
 */
void load_streams_json(const struct load *l, const struct load_target *t, json_object *o)
{
	json_object *all, *x;
	struct load_sum s;
	unsigned int i;

	if (!t->setup.streams)
		return;
	all = json_object_new_array();
	for (i = 0; i < t->setup.streams && !read_stream(l, t, i, &s); i++) {
		x = json_object_new_object();
		json_u64(x, "stream", i);
		json_u64(x, "job", i % t->setup.workers);
		json_u64(x, "ios", s.ios);
		json_u64(x, "bytes", s.bytes);
		json_real(x, "iops", load_sum_rate(&s, s.ios));
		json_real(x, "bytes_per_s", load_sum_rate(&s, s.bytes));
		json_object_object_add(x, "latency_ns", report_latency(NULL, &s.lat));
		json_object_array_add(all, x);
		load_sum_free(&s);
	}
	json_object_object_add(o, "streams", all);
}

/* Print a table of the rows that @fill adds for each target. */
static int print_table(const struct load *l, const struct column *first,
		       int (*fill)(const struct load *l, const struct load_target *t,
				   struct report_table *tb))
{
	struct report_table *tb = load_table_new(first, 1);
	int ret = tb ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; i < l->ntargets && !ret; i++)
		ret = fill(l, &l->targets[i], tb);
	if (!ret) {
		putchar('\n');
		ret = report_print(tb, stdout);
	}
	report_table_free(tb);
	return ret;
}

static int fill_jobs(const struct load *l, const struct load_target *t, struct report_table *tb)
{
	struct load_result r = { 0 };
	int ret = load_result_read(l, t, &r, job_rows, tb);

	load_result_free(&r);
	return ret;
}

int load_per_print(struct load *l)
{
	int ret = 0;

	if (load_stdout_taken(l))
		return 0;
	if (l->cfg->per & 1u << LOAD_PER_JOB)
		ret = print_table(l, job_column, fill_jobs);
	if (!ret && l->cfg->per & 1u << LOAD_PER_STREAM)
		ret = print_table(l, stream_column, fill_streams);
	return ret;
}

static int print_hist(const struct load_target *t, const char *op, const char *of,
		      const struct hist *h)
{
	char title[256];
	int ret;

	snprintf(title, sizeof(title), "%s%s%s, %s, %s", t->label ? t->label : "",
		 t->label ? " on " : "", t->on->dev.name, op, of);
	ret = report_histogram_print(title, h, stdout);
	return ret == -ENOMEM ? err(ret, "out of memory") : ret;
}

int load_hist_print(const struct load *l, const struct load_results *rs)
{
	unsigned int op;
	size_t i;
	int ret = 0;

	if (!l->cfg->hist || load_stdout_taken(l))
		return 0;
	for (i = 0; i < rs->n; i++)
		for (op = 0; op < BLKGEN_NR_OPS && !ret; op++) {
			const struct load_sum *s = &rs->of[i].op[op];

			if (!load_target_has_op(&l->targets[i], op))
				continue;
			ret = print_hist(&l->targets[i], load_op_names[op], "latency", &s->lat);
			if (!ret)
				ret = print_hist(&l->targets[i], load_op_names[op], "service time",
						 &s->service);
		}
	return ret;
}
