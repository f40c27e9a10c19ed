// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "blkgen/load/cfg.h"
#include "blkgen/load/result.h"
#include "blkgen/load/table.h"
#include "blkgen/load/target.h"
#include "core/log.h"

enum {
	C_DEV, C_OP, C_IOPS, C_BW, C_MEAN, C_P50, C_P90, C_P99, C_P999, C_P9999, C_P99999, C_MAX,
	C_CPU, C_ERR
};

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

/* Fill in the latencies of a row. @at: index of the first usual column */
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
	if (s->errors != LOAD_NOT_COUNTED)
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

/* Write the op for the table. Name the page cache here too: the header may not be printed. */
static void op_title(const struct load_target *t, unsigned int op, char *buf, size_t len)
{
	const char *name = op < BLKGEN_NR_OPS ? load_op_names[op] : "all";

	if (t->setup.engine != BLKGEN_ENGINE_BUFFERED)
		snprintf(buf, len, "%s", name);
	else
		snprintf(buf, len, "%s, page cache", op == BLKGEN_OP_FLUSH ? "fsync" : name);
}

int load_table_ops(struct report_table *tb, size_t at, const struct load_target *t,
		   const struct load_result *r, bool blank)
{
	unsigned int op, nops = 0, only = 0;
	char title[40];
	int first, row;

	for (op = 0; op < BLKGEN_NR_OPS; op++) {
		if (!load_target_has_op(t, op))
			continue;
		nops++;
		only = op;
	}
	op_title(t, nops == 1 ? only : BLKGEN_NR_OPS, title, sizeof(title));
	first = load_table_row(tb, at, t->on->dev.name, title, &r->all, true);
	for (op = 0; op < BLKGEN_NR_OPS && nops > 1; op++) {
		if (!load_target_has_op(t, op))
			continue;
		op_title(t, op, title, sizeof(title));
		row = load_table_row(tb, at, "", title, &r->op[op], false);
		if (blank)
			report_set_str(tb, row, 0, "");
	}
	return first;
}

static void say_unpolled(const struct load_target *t, const struct load_sum *s)
{
	warn("%s: %llu of %llu I/Os completed by interrupt: the queues below it were full, and a "
	     "layer does not poll I/Os that have to wait for them; lower --qd or --jobs",
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
	     t->status.stop == BLKGEN_STOP_ERRORS ? "; this ended its load, see --errors" : "");
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
		int r = load_table_ops(tb, n, &l->targets[i], &rs->of[i], false);

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

int load_table_print(const struct load *l, const struct report_table *tb)
{
	return load_stdout_taken(l) ? 0 : report_print(tb, stdout);
}
