// SPDX-License-Identifier: GPL-2.0
/* Report the intervals of a load as a table, CSV, a log and JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "blkgen/load/cfg.h"
#include "blkgen/load/hang.h"
#include "blkgen/load/interval.h"
#include "blkgen/load/result.h"
#include "blkgen/load/target.h"
#include "core/log.h"
#include "core/reader.h"
#include "output/file.h"
#include "output/histlog.h"
#include "output/json.h"
#include "output/table.h"

#define SECOND 1000000000ull

/* A growth is the difference of two snapshots of a histogram. */
struct growth {
	struct hist before, now, part;
};

/* These are the results of one op of one target: since the start, and in the interval (part). */
struct op_growth {
	struct growth lat, service;
	bool has_service;
	uint64_t bytes, errors;			/* since the start */
	uint64_t part_bytes, part_errors;
};

struct target_growth {
	struct op_growth *op[BLKGEN_NR_OPS];	/* NULL: the load does not have the op */
	struct hist all;			/* all ops but flushes, in the interval */
	uint64_t at_ns, last_ns;		/* end and begin of the interval */
	uint64_t cpu_ns, part_cpu_ns;
	uint64_t bytes, errors;			/* all ops, in the interval */
	bool row;				/* the interval gets a row in the outputs */
	/* There is a point for each second: its time, and the I/Os from the start until then. */
	uint64_t *point_at, *point_ios;
	size_t npoints;
};

/* Times are of CLOCK_MONOTONIC. */
struct load_intervals {
	uint64_t zero_ns;			/* measuring begins: the end of the shortest ramp */
	uint64_t period_ns, next_ns, next_point_ns;
	uint64_t grid;				/* next_ns as a number of periods from zero_ns */
	uint64_t deadline_ns;			/* when all targets stop; 0: not known */
	bool based;				/* the ramp is over */
	bool rows;				/* some output needs rows */
	struct target_growth *of;
	size_t n;
	struct report_live live;
	json_object *json;
	FILE *csv, *log;
	bool csv_headed;
	int failed;				/* -errno, reported: a file could not be written */
};

enum {
	T_STEP, T_START, T_END, T_AT, T_DEV, T_NAME, T_IOS, T_BYTES, T_IOPS, T_BW, T_MEAN, T_DEVN,
	T_P99, T_MAX, T_QUEUE, T_CPU, T_ERR, T_READ, T_WRITE = T_READ + 3, T_COLS = T_WRITE + 3
};

/*
 * Members of the JSON object "interval":
 * @step: string, optional: Step or round that the interval belongs to. Only if several loads or
 *	rounds run one after the other.
 * @start_ns: integer: Start of the interval, from the start of measuring.
 * @end_ns: integer: End of the interval, from the start of measuring. The next interval of the
 *	device begins here.
 * @device: string: Name of the device.
 * @name: string, optional: Name of the load, if there are several on a device.
 * @ios: integer: I/Os that completed without an error, flushes not included.
 * @bytes: integer: Bytes of these I/Os.
 * @iops: number: ``ios`` per second.
 * @bytes_per_s: number: ``bytes`` per second.
 * @mean_ns: number, optional: Mean latency of these I/Os. Absent, like ``stddev_ns``, ``p99_ns``
 *	and ``max_ns``, if no I/O completed.
 * @stddev_ns: number, optional: Standard deviation of the latency. Each I/O counts with the middle
 *	of its histogram bucket.
 * @p99_ns: integer, optional: 99th percentile of the latency.
 * @max_ns: integer, optional: Largest latency. Exact if no earlier I/O of the load was slower, else
 *	the edge of its histogram bucket, which is at most 0.8 % too large.
 * @queue_depth: number: Mean number of I/Os in flight. By Little's law, this is the total time in
 *	the device of the I/Os that completed, divided by the length of the interval. If no I/O
 *	completed: the I/Os in flight at the end of the interval.
 * @cpu_pct: number: CPU time of the kernel threads, in per cent of one CPU. It may lag by a timer
 *	tick.
 * @errors: integer: I/Os that failed.
 * @read: interval part, optional: The reads. Only if the load has reads and writes.
 * @write: interval part, optional: The writes. Only if the load has reads and writes.
 *
 * ``--csv`` writes a line per interval and device, with the same members as columns. The members of
 * ``read`` and ``write`` are columns such as ``read.iops``. If a member is absent, its field is
 * empty.
 */

/*
 * Members of the JSON object "interval part":
 * @iops: number: I/Os of this op that completed without an error, per second.
 * @mean_ns: number, optional: Mean latency of these I/Os.
 * @max_ns: integer, optional: Largest latency of these I/Os.
 */
static const struct column columns[T_COLS] = {
	[T_STEP] = { "step", "step", COL_STR, COL_NOTABLE },
	[T_START] = { "start_ns", "start", COL_TIME, COL_NOTABLE },
	[T_END] = { "end_ns", "end", COL_TIME, COL_NOTABLE },
	[T_AT] = { "at", "seconds", COL_STR, COL_NOJSON },
	[T_DEV] = { "device", "device", COL_STR },
	[T_NAME] = { "name", "name", COL_STR },
	[T_IOS] = { "ios", "ios", COL_EXACT, COL_NOTABLE },
	[T_BYTES] = { "bytes", "bytes", COL_EXACT, COL_NOTABLE },
	[T_IOPS] = { "iops", "IOPS", COL_COUNT },
	[T_BW] = { "bytes_per_s", "bandwidth", COL_BW },
	[T_MEAN] = { "mean_ns", "mean", COL_TIME },
	[T_DEVN] = { "stddev_ns", "stddev", COL_TIME },
	[T_P99] = { "p99_ns", "p99", COL_TIME },
	[T_MAX] = { "max_ns", "max", COL_TIME },
	[T_QUEUE] = { "queue_depth", "queue", COL_REAL },
	[T_CPU] = { "cpu_pct", "CPU", COL_PERCENT },
	[T_ERR] = { "errors", "errors", COL_EXACT },
	[T_READ] = { "iops", "IOPS", COL_COUNT, 0, "read" },
	[T_READ + 1] = { "mean_ns", "mean", COL_TIME, 0, "read" },
	[T_READ + 2] = { "max_ns", "max", COL_TIME, 0, "read" },
	[T_WRITE] = { "iops", "IOPS", COL_COUNT, 0, "write" },
	[T_WRITE + 1] = { "mean_ns", "mean", COL_TIME, 0, "write" },
	[T_WRITE + 2] = { "max_ns", "max", COL_TIME, 0, "write" },
};

static int growth_init(struct growth *g, const struct blkgen_features *f)
{
	return hist_init(&g->before, f->hist_bits, f->hist_buckets) ||
	       hist_init(&g->now, f->hist_bits, f->hist_buckets) ||
	       hist_init(&g->part, f->hist_bits, f->hist_buckets) ? -ENOMEM : 0;
}

static void growth_free(struct growth *g)
{
	hist_free(&g->before);
	hist_free(&g->now);
	hist_free(&g->part);
}

/* Compute the difference after @now has been read. */
static void growth_look(struct growth *g)
{
	/* Histograms of service times are coarser than the module's features say. */
	g->before.bits = g->part.bits = g->now.bits;
	g->before.nbuckets = g->part.nbuckets = g->now.nbuckets;
	hist_since(&g->part, &g->now, &g->before);
}

static void growth_next(struct growth *g)
{
	struct hist h = g->before;

	g->before = g->now;
	g->now = h;
}

static void free_targets(struct load_intervals *iv)
{
	size_t i, op;

	for (i = 0; i < iv->n; i++) {
		struct target_growth *tg = &iv->of[i];

		for (op = 0; op < BLKGEN_NR_OPS; op++) {
			if (!tg->op[op])
				continue;
			growth_free(&tg->op[op]->lat);
			growth_free(&tg->op[op]->service);
			free(tg->op[op]);
		}
		hist_free(&tg->all);
		free(tg->point_at);
		free(tg->point_ios);
	}
	free(iv->of);
	iv->of = NULL;
	iv->n = 0;
}

static int init_target(const struct load *l, const struct load_target *t, struct target_growth *tg)
{
	size_t op;
	int ret;

	ret = hist_init(&tg->all, l->feat.hist_bits, l->feat.hist_buckets);
	for (op = 0; op < BLKGEN_NR_OPS && !ret; op++) {
		if (!load_target_has_op(t, op))
			continue;
		tg->op[op] = calloc(1, sizeof(*tg->op[op]));
		if (!tg->op[op])
			return -ENOMEM;
		ret = growth_init(&tg->op[op]->lat, &l->feat);
		tg->op[op]->has_service = t->setup.rate && op != BLKGEN_OP_FLUSH;
		if (!ret && tg->op[op]->has_service)
			ret = growth_init(&tg->op[op]->service, &l->feat);
	}
	return ret;
}

static int open_file(const char *path, FILE **f)
{
	int fd;

	if (!path || *f)
		return 0;
	if (report_is_stdout(path)) {
		*f = stdout;
		return 0;
	}
	fd = report_file_open(path);
	if (fd < 0)
		return fd;
	*f = fdopen(fd, "w");
	if (*f)
		return 0;
	close(fd);
	return no_memory();
}

static int open_files(const struct load *l, struct load_intervals *iv)
{
	bool new_log = !iv->log;
	int ret;

	ret = open_file(l->cfg->csv, &iv->csv);
	if (!ret)
		ret = open_file(l->cfg->log, &iv->log);
	if (!ret && iv->log && new_log)
		ret = histlog_head(iv->log);
	return ret;
}

/*
 * Let the interval end @grid periods after zero_ns. If this is less than a quarter of a period away
 * from the deadline, move the end to a quarter of a period after the deadline. Then the end of the
 * load ends the interval. Otherwise a very short last interval would follow.
 */
static void set_next(struct load_intervals *iv)
{
	uint64_t early = iv->period_ns / 4;

	iv->next_ns = iv->zero_ns + iv->grid * iv->period_ns;
	/* With grid 0, next_ns is the end of the ramp, not of an interval: do not move it. */
	if (iv->grid && iv->next_ns + early > iv->deadline_ns &&
	    iv->next_ns < iv->deadline_ns + early)
		iv->next_ns = iv->deadline_ns + early;
}

static void set_times(const struct load *l, struct load_intervals *iv)
{
	uint64_t ramp = UINT64_MAX, end = 0, now = now_ns();
	size_t i;

	for (i = 0; i < l->ntargets; i++) {
		const struct load_target *t = &l->targets[i];

		ramp = t->cfg->set.ramp_ns < ramp ? t->cfg->set.ramp_ns : ramp;
		/* There is a deadline only if all targets stop at the same time. */
		if (!t->setup.time_ns || (end && end != t->cfg->set.ramp_ns + t->setup.time_ns))
			end = UINT64_MAX;
		else if (end != UINT64_MAX)
			end = t->cfg->set.ramp_ns + t->setup.time_ns;
	}
	iv->zero_ns = now + ramp;
	iv->deadline_ns = end == UINT64_MAX ? 0 : now + end;
	iv->period_ns = l->cfg->interval ? l->cfg->interval : SECOND;
	iv->grid = !ramp;
	iv->based = !ramp;
	set_next(iv);
	iv->next_point_ns = iv->zero_ns;
	for (i = 0; i < iv->n; i++)
		iv->of[i].last_ns = iv->zero_ns;
}

int load_intervals_begin(struct load *l)
{
	struct load_intervals *iv = l->intervals;
	size_t i;
	int ret = 0;

	if (!iv) {
		iv = l->intervals = calloc(1, sizeof(*iv));
		if (!iv)
			return no_memory();
		iv->rows = l->cfg->interval || l->cfg->csv || l->cfg->log || l->doc;
		iv->json = l->doc ? json_object_new_array() : NULL;
	}
	free_targets(iv);
	iv->of = calloc(l->ntargets, sizeof(*iv->of));
	if (!iv->of)
		return no_memory();
	iv->n = l->ntargets;
	for (i = 0; i < iv->n && !ret; i++)
		ret = init_target(l, &l->targets[i], &iv->of[i]);
	if (ret)
		return no_memory();
	ret = open_files(l, iv);
	set_times(l, iv);
	return ret;
}

uint64_t load_intervals_next(const struct load *l)
{
	const struct load_intervals *iv = l->intervals;

	return iv->rows && iv->next_ns < iv->next_point_ns ? iv->next_ns : iv->next_point_ns;
}

bool load_intervals_live(const struct load *l)
{
	return l->cfg->interval && !load_stdout_taken(l);
}

uint64_t load_intervals_zero(const struct load *l)
{
	return l->intervals ? l->intervals->zero_ns : 0;
}

json_object *load_intervals_json(struct load *l)
{
	json_object *rows = l->intervals ? l->intervals->json : NULL;

	if (l->intervals && l->doc)
		l->intervals->json = json_object_new_array();
	return rows ? rows : json_object_new_array();
}

/* Read the results of an op, and compute what it did in the interval that ends now. */
static int look_at_op(const struct load *l, const struct load_target *t, unsigned int op,
		      struct op_growth *g)
{
	struct blkgen_result r;
	int ret;

	ret = kctl_result(t->ctl, BLKGEN_WHAT_LATENCY, BLKGEN_ALL_WORKERS, op, &r, &g->lat.now);
	if (ret)
		return ret;
	growth_look(&g->lat);
	g->part_bytes = r.bytes - g->bytes;
	g->part_errors = r.errors - g->errors;
	g->bytes = r.bytes;
	g->errors = r.errors;
	if (!g->has_service)
		return 0;
	/* Give the module all room again: the last call has reduced it to the buckets in use. */
	g->service.now.nbuckets = l->feat.hist_buckets;
	ret = kctl_result(t->ctl, BLKGEN_WHAT_SERVICE, BLKGEN_ALL_WORKERS, op, &r, &g->service.now);
	if (!ret)
		growth_look(&g->service);
	return ret;
}

static int look_at(const struct load *l, const struct load_target *t, struct target_growth *tg,
		   bool done)
{
	struct blkgen_worker_info w;
	size_t op;
	int ret;

	tg->at_ns = now_ns();
	ret = kctl_worker(t->ctl, BLKGEN_ALL_WORKERS, &w);
	for (op = 0; op < BLKGEN_NR_OPS && !ret; op++)
		if (tg->op[op])
			ret = look_at_op(l, t, op, tg->op[op]);
	if (ret)
		return err(ret, "%s: cannot read its results: %s", t->on->dev.name, strerror(-ret));
	/* The load ended some time before now, so the interval ends at the last completion. */
	if (done && w.end_ns > tg->last_ns)
		tg->at_ns = w.end_ns;
	/*
	 * CPU time falls if this target's ramp is longer than another's: the module counts it anew
	 * from the end of the ramp.
	 */
	tg->part_cpu_ns = w.cpu_ns > tg->cpu_ns ? w.cpu_ns - tg->cpu_ns : 0;
	tg->cpu_ns = w.cpu_ns;
	hist_clear(&tg->all);
	tg->bytes = tg->errors = 0;
	for (op = 0; op < BLKGEN_NR_OPS; op++) {
		if (!tg->op[op])
			continue;
		if (op != BLKGEN_OP_FLUSH)
			hist_merge(&tg->all, &tg->op[op]->lat.part);
		tg->bytes += tg->op[op]->part_bytes;
		tg->errors += tg->op[op]->part_errors;
	}
	return 0;
}

static void next_target(struct target_growth *tg)
{
	size_t op;

	tg->last_ns = tg->at_ns;
	for (op = 0; op < BLKGEN_NR_OPS; op++) {
		if (!tg->op[op])
			continue;
		growth_next(&tg->op[op]->lat);
		if (tg->op[op]->has_service)
			growth_next(&tg->op[op]->service);
	}
}

/*
 * Return the mean number of I/Os in flight. By Little's law the sum of the times in the device is
 * this number times the length of the interval. The sum is of the I/Os that ended in the interval:
 * if none did, return the number in flight now. The result is at most what --qd and --jobs allow.
 */
static double queue_depth(const struct load_target *t, const struct target_growth *tg)
{
	double sum = 0, length = tg->at_ns - tg->last_ns;
	double most = (double)t->setup.qd * t->setup.workers;
	uint64_t count = 0;
	size_t op;

	for (op = 0; op < BLKGEN_NR_OPS; op++) {
		const struct op_growth *g = tg->op[op];

		if (!g)
			continue;
		count += g->lat.part.count;
		sum += g->has_service ? g->service.part.sum : g->lat.part.sum;
	}
	if (!count)
		return t->status.inflight;
	return sum / length < most ? sum / length : most;
}

static void set_op(struct report_table *tb, int row, int at, const struct target_growth *tg,
		   unsigned int op)
{
	const struct hist *h = &tg->op[op]->lat.part;

	report_set(tb, row, at, h->count * 1e9 / (tg->at_ns - tg->last_ns));
	if (!h->count)
		return;
	report_set(tb, row, at + 1, hist_mean(h));
	report_set_u64(tb, row, at + 2, h->max);
}

static void set_latency(struct report_table *tb, int row, const struct hist *h)
{
	if (!h->count)
		return;
	report_set(tb, row, T_MEAN, hist_mean(h));
	report_set(tb, row, T_DEVN, hist_stddev(h));
	report_set_u64(tb, row, T_P99, hist_percentile(h, 99));
	report_set_u64(tb, row, T_MAX, h->max);
}

static void set_time(struct report_table *tb, int row, const struct load_intervals *iv, uint64_t at)
{
	char text[40];

	snprintf(text, sizeof(text), "%7.*f", iv->period_ns % SECOND ? 2 : 1,
		 (at - iv->zero_ns) / 1e9);
	report_set_str(tb, row, T_AT, text);
}

static void add_row(const struct load *l, struct report_table *tb, const struct load_target *t,
		    const struct target_growth *tg)
{
	const struct load_intervals *iv = l->intervals;
	uint64_t length = tg->at_ns - tg->last_ns;
	int row = report_row(tb, -1);

	report_set_str(tb, row, T_STEP, *l->step ? l->step : NULL);
	report_set_u64(tb, row, T_START, tg->last_ns - iv->zero_ns);
	report_set_u64(tb, row, T_END, tg->at_ns - iv->zero_ns);
	set_time(tb, row, iv, tg->at_ns);
	report_set_str(tb, row, T_DEV, t->on->dev.name);
	report_set_str(tb, row, T_NAME, t->label);
	report_set_u64(tb, row, T_IOS, tg->all.count);
	report_set_u64(tb, row, T_BYTES, tg->bytes);
	report_set(tb, row, T_IOPS, tg->all.count * 1e9 / length);
	report_set(tb, row, T_BW, tg->bytes * 1e9 / length);
	set_latency(tb, row, &tg->all);
	report_set(tb, row, T_QUEUE, queue_depth(t, tg));
	report_set(tb, row, T_CPU, 100.0 * tg->part_cpu_ns / length);
	report_set_u64(tb, row, T_ERR, tg->errors);
	if (!tg->op[BLKGEN_OP_READ] || !tg->op[BLKGEN_OP_WRITE])
		return;
	set_op(tb, row, T_READ, tg, BLKGEN_OP_READ);
	set_op(tb, row, T_WRITE, tg, BLKGEN_OP_WRITE);
}

/* Add a row with the sum. Only the table has it: programs that read CSV or JSON can add up. */
static void add_sum(struct report_table *tb, const struct load *l)
{
	const struct load_intervals *iv = l->intervals;
	double ios = 0, bytes = 0, queue = 0, cpu = 0;
	uint64_t errors = 0;
	struct hist all;
	size_t i;
	int row;

	if (hist_init(&all, l->feat.hist_bits, l->feat.hist_buckets))
		return;
	for (i = 0; i < iv->n; i++) {
		const struct target_growth *tg = &iv->of[i];
		double per_s = tg->row ? 1e9 / (tg->at_ns - tg->last_ns) : 0;

		hist_merge(&all, &tg->all);
		ios += tg->all.count * per_s;
		bytes += tg->bytes * per_s;
		errors += tg->errors;
		queue += tg->row ? queue_depth(&l->targets[i], tg) : 0;
		cpu += tg->part_cpu_ns * per_s / 1e7;
	}
	row = report_row(tb, -1);
	set_time(tb, row, iv, iv->of[0].at_ns);
	report_set_str(tb, row, T_DEV, "all");
	report_set(tb, row, T_IOPS, ios);
	report_set(tb, row, T_BW, bytes);
	set_latency(tb, row, &all);
	report_set(tb, row, T_QUEUE, queue);
	report_set(tb, row, T_CPU, cpu);
	report_set_u64(tb, row, T_ERR, errors);
	hist_free(&all);
}

/* Make a table. Columns that no target of this load needs are in CSV and JSON only. */
static struct report_table *new_table(const struct load *l)
{
	struct column cols[T_COLS];
	bool mixed = false, named = false;
	size_t i;

	memcpy(cols, columns, sizeof(cols));
	for (i = 0; i < l->ntargets; i++) {
		mixed |= load_has_op(l->targets[i].cfg, BLKGEN_OP_READ) &&
			 load_has_op(l->targets[i].cfg, BLKGEN_OP_WRITE);
		named |= l->targets[i].label != NULL;
	}
	for (i = T_READ; i < T_COLS && !mixed; i++)
		cols[i].flags |= COL_NOTABLE;
	if (!named)
		cols[T_NAME].flags |= COL_NOTABLE;
	return report_table_new(cols, T_COLS);
}

static void add_json(struct load_intervals *iv, const struct report_table *tb)
{
	json_object *rows = report_json(tb);
	json_object *row;
	size_t i;

	for (i = 0; i < json_object_array_length(rows); i++) {
		row = json_object_array_get_idx(rows, i);
		json_object_array_add(iv->json, json_object_get(row));
	}
	json_object_put(rows);
}

static int add_csv(struct load_intervals *iv, const struct report_table *tb)
{
	int ret = 0;

	if (!iv->csv_headed)
		ret = report_csv_head(tb, iv->csv);
	iv->csv_headed = true;
	if (!ret)
		ret = report_csv_rows(tb, iv->csv);
	return ret || fflush(iv->csv) ? -EIO : 0;
}

static int add_log(const struct load *l, struct load_intervals *iv, size_t i)
{
	const struct target_growth *tg = &iv->of[i];
	const struct load_target *t = &l->targets[i];
	struct histlog_entry e = {
		.device = t->on->dev.name, .name = t->label, .step = *l->step ? l->step : NULL,
		.start_ns = tg->last_ns, .end_ns = tg->at_ns,
	};
	size_t op;
	int ret = 0;

	for (op = 0; op < BLKGEN_NR_OPS && !ret; op++) {
		const struct op_growth *g = tg->op[op];

		if (!g)
			continue;
		e.op = load_op_names[op];
		e.bytes = g->part_bytes;
		e.errors = g->part_errors;
		e.service = false;
		e.hist = &g->lat.part;
		ret = histlog_write(iv->log, &e);
		e.service = true;
		e.hist = &g->service.part;
		if (!ret && g->has_service)
			ret = histlog_write(iv->log, &e);
	}
	return ret;
}

/*
 * End the load, and write no more to a file that could not be written. What the load has done so
 * far is still reported. If the reader of stdout is gone, this is no error.
 */
static void cannot_write(struct load *l, struct load_intervals *iv, FILE **f, const char *path)
{
	int error = errno;

	if (*f != stdout)
		fclose(*f);
	*f = NULL;
	load_stop(l);
	if (!report_is_stdout(path) || !reader_gone())
		iv->failed = err(-EIO, "%s: cannot write: %s", path, strerror(error));
}

static int publish(struct load *l, struct load_intervals *iv, struct report_table *tb)
{
	size_t i;
	int ret = 0;

	if (iv->json)
		add_json(iv, tb);
	if (iv->csv && add_csv(iv, tb))
		cannot_write(l, iv, &iv->csv, l->cfg->csv);
	for (i = 0; i < iv->n && iv->log && !ret; i++)
		if (iv->of[i].row)
			ret = add_log(l, iv, i);
	if (iv->log && (ret || fflush(iv->log)))
		cannot_write(l, iv, &iv->log, l->cfg->log);
	if (!load_intervals_live(l))
		return 0;
	if (iv->n > 1)
		add_sum(tb, l);
	return report_live(tb, &iv->live, stdout) ? reader_print_error(-EIO) : 0;
}

/* Return true if the interval gets a row. A short rest without I/O at the load's end gets none. */
static bool worth_a_row(const struct load_intervals *iv, const struct target_growth *tg, bool done)
{
	uint64_t length = tg->at_ns - tg->last_ns;

	return length && (!done || tg->all.count || tg->errors || length >= iv->period_ns / 2);
}

/* End the interval of all targets, and report it. @done: all targets are done */
static int interval(struct load *l, struct load_intervals *iv, bool done)
{
	struct report_table *tb = new_table(l);
	size_t i, rows = 0;
	int ret = tb ? 0 : no_memory();

	for (i = 0; i < iv->n && !ret; i++) {
		struct target_growth *tg = &iv->of[i];

		ret = look_at(l, &l->targets[i], tg, done);
		tg->row = !ret && worth_a_row(iv, tg, done);
		if (tg->row)
			add_row(l, tb, &l->targets[i], tg);
		rows += tg->row;
	}
	if (rows && !ret)
		ret = publish(l, iv, tb);
	for (i = 0; i < iv->n; i++)
		next_target(&iv->of[i]);
	report_table_free(tb);
	return ret;
}

/* Find when the next interval ends. */
static void schedule(struct load_intervals *iv, uint64_t now)
{
	do
		iv->grid++;
	while (iv->zero_ns + iv->grid * iv->period_ns + iv->period_ns / 4 < now);
	set_next(iv);
}

/* Record how many I/Os, without flushes, are done at @at. */
static int add_point(struct target_growth *tg, uint64_t at, const struct blkgen_status *s)
{
	size_t n = tg->npoints, op;
	uint64_t *v;

	/* The arrays are full whenever the number of points is a power of two: double them. */
	if (!(n & (n - 1))) {
		v = realloc(tg->point_at, (n ? 2 * n : 1) * sizeof(*v));
		if (!v)
			return -ENOMEM;
		tg->point_at = v;
		v = realloc(tg->point_ios, (n ? 2 * n : 1) * sizeof(*v));
		if (!v)
			return -ENOMEM;
		tg->point_ios = v;
	}
	tg->point_at[n] = at;
	tg->point_ios[n] = 0;
	for (op = 0; op < BLKGEN_NR_OPS; op++)
		if (op != BLKGEN_OP_FLUSH)
			tg->point_ios[n] += s->ios[op];
	tg->npoints++;
	return 0;
}

static int points(struct load *l, struct load_intervals *iv, uint64_t now)
{
	size_t i;

	for (i = 0; i < iv->n; i++)
		if (l->targets[i].running && add_point(&iv->of[i], now, &l->targets[i].status))
			return no_memory();
	while (iv->next_point_ns <= now)
		iv->next_point_ns += SECOND;
	return 0;
}

int load_intervals_tick(struct load *l, bool done)
{
	struct load_intervals *iv = l->intervals;
	uint64_t now = now_ns();
	int ret = 0;

	if (now >= iv->next_point_ns)
		ret = points(l, iv, now);
	if (ret || !iv->rows || (now < iv->next_ns && !done))
		return ret;
	/* The first tick after a ramp ends no interval, because the ramp does not count. */
	if (iv->based)
		ret = interval(l, iv, done);
	iv->based = true;
	schedule(iv, now);
	return ret;
}

long load_intervals_rates(const struct load *l, size_t target, uint64_t from_ns, uint64_t to_ns,
			  uint64_t **at, double **rate)
{
	const struct load_intervals *iv = l->intervals;
	const struct target_growth *tg;
	size_t i, n = 0;

	*at = NULL;
	*rate = NULL;
	if (!iv || target >= iv->n)
		return 0;
	tg = &iv->of[target];
	*at = calloc(tg->npoints + 1, sizeof(**at));
	*rate = calloc(tg->npoints + 1, sizeof(**rate));
	if (!*at || !*rate) {
		free(*at);
		free(*rate);
		*at = NULL;
		*rate = NULL;
		return -ENOMEM;
	}
	for (i = 1; i < tg->npoints; i++) {
		if (tg->point_at[i - 1] < from_ns || tg->point_at[i] > to_ns)
			continue;
		(*at)[n] = tg->point_at[i];
		(*rate)[n++] = (tg->point_ios[i] - tg->point_ios[i - 1]) * 1e9 /
			       (tg->point_at[i] - tg->point_at[i - 1]);
	}
	return n;
}

bool load_intervals_failed(const struct load *l)
{
	return l->intervals && l->intervals->failed;
}

static int close_file(FILE **f, const char *path)
{
	bool out = *f == stdout, bad = *f && (out ? fflush(*f) : fclose(*f));

	*f = NULL;
	if (!bad || (out && reader_gone()))
		return 0;
	return err(-EIO, "%s: cannot write: %s", path, strerror(errno));
}

int load_intervals_end(struct load *l)
{
	struct load_intervals *iv = l->intervals;
	int ret, csv, log;

	if (!iv)
		return 0;
	free_targets(iv);
	ret = iv->failed;
	csv = close_file(&iv->csv, l->cfg->csv);
	log = close_file(&iv->log, l->cfg->log);
	json_object_put(iv->json);
	free(iv);
	l->intervals = NULL;
	return ret ?: csv ?: log;
}
