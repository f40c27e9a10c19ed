// SPDX-License-Identifier: GPL-2.0
/* Print the breakdowns of a trace as tables. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/report/stage_table.h"
#include "blklat/result/breakdown.h"
#include "blklat/result/names.h"
#include "core/units.h"
#include "report/report.h"

/* Devices side by side in one table, which is at most about 160 characters wide. */
#define SIDE_BY_SIDE 5

static int print_side_by_side(const struct breakdown *b, size_t n, size_t in_all, FILE *f)
{
	struct result_dev devs[SIDE_BY_SIDE] = { 0 };
	const struct result_dev *which[SIDE_BY_SIDE];
	const char *labels[SIDE_BY_SIDE];
	struct report_table *t;
	int ret = 0;

	for (size_t i = 0; i < n && !ret; i++) {
		ret = breakdown_dev(&b[i], &devs[i]);
		which[i] = &devs[i];
		labels[i] = b[i].dev->name;
	}
	t = ret ? NULL : stage_table(which, labels, n, in_all);
	ret = t ? report_print(t, f) : -ENOMEM;
	report_table_free(t);
	/* The histograms are those of the breakdown. */
	for (size_t i = 0; i < n; i++)
		free(devs[i].rows.v);
	return ret;
}

/* Print a table for each few devices: more cannot be read side by side. */
static int print_stages(const struct breakdown *b, size_t n, FILE *f)
{
	int ret = 0;

	for (size_t i = 0; i < n && !ret; i += SIDE_BY_SIDE) {
		if (i)
			fputc('\n', f);
		ret = print_side_by_side(b + i, n - i < SIDE_BY_SIDE ? n - i : SIDE_BY_SIDE, n, f);
	}
	return ret;
}

enum { S_WHAT, S_DEVICE, S_IOS, S_MEAN, S_P50, S_P99, S_MAX, NR_S, S_GROUP = NR_S };

static const struct column summary_columns[] = {
	[S_WHAT] = { "what", "", COL_STR, COL_LEFT },
	[S_DEVICE] = { "device", "device", COL_STR, COL_LEFT },
	[S_IOS] = { "count", "I/Os", COL_EXACT },
	[S_MEAN] = { "mean_ns", "mean", COL_TIME },
	[S_P50] = { "p50_ns", "p50", COL_TIME },
	[S_P99] = { "p99_ns", "p99", COL_TIME },
	[S_MAX] = { "max_ns", "max", COL_TIME },
	[S_GROUP] = { "kernel_ns", "kernel", COL_TIME },
	{ "driver_ns", "driver", COL_TIME },
	{ "device_ns", "device", COL_TIME },
	{ "merged_ns", "unsplit", COL_TIME },
};

/* Add a row, unless @h is empty. Return: the row, or -1 if @h is empty. */
static int add_summary(struct report_table *t, const char *what, const char *dev,
		       const struct hist *h)
{
	int row;

	if (!h->count)
		return -1;
	row = report_row(t, -1);
	report_set_str(t, row, S_WHAT, what);
	report_set_str(t, row, S_DEVICE, dev);
	report_set_u64(t, row, S_IOS, h->count);
	report_set(t, row, S_MEAN, hist_mean(h));
	report_set(t, row, S_P50, hist_percentile(h, 50));
	report_set(t, row, S_P99, hist_percentile(h, 99));
	report_set(t, row, S_MAX, h->max);
	return row;
}

/* Add the mean of each group. The time that is not split between groups comes last. */
static void add_groups(struct report_table *t, int row, const struct hist *rows)
{
	report_set(t, row, S_GROUP, breakdown_rows_mean(rows, GROUP_KERNEL));
	report_set(t, row, S_GROUP + 1, breakdown_rows_mean(rows, GROUP_DRIVER));
	report_set(t, row, S_GROUP + 2, breakdown_rows_mean(rows, GROUP_DEVICE));
	report_set(t, row, S_GROUP + 3, breakdown_rows_mean(rows, GROUP_KERNEL_DRIVER) +
		   breakdown_rows_mean(rows, GROUP_DRIVER_DEVICE) + breakdown_rows_mean(rows, GROUP_MERGED) +
		   breakdown_rows_mean(rows, GROUP_UNATTRIBUTED));
}

static struct report_table *summary_new(bool groups)
{
	return report_table_new(summary_columns,
				groups ? sizeof(summary_columns) / sizeof(*summary_columns) : NR_S);
}

/* Print the kinds of I/O, if there is more than one. */
static int print_ops(const struct breakdown *b, size_t n, FILE *f)
{
	struct report_table *t = summary_new(true);
	unsigned int kinds = 0;
	int ret = 0;

	if (!t)
		return -ENOMEM;
	for (unsigned int o = 0; o < NR_OPS; o++) {
		bool any = false;

		for (size_t i = 0; i < n; i++) {
			int row = add_summary(t, op_name(o), b[i].dev->name,
					      &b[i].ops[o][ROW_OF_SPAN(SPAN_TOTAL)]);

			if (row < 0)
				continue;
			add_groups(t, row, b[i].ops[o]);
			any = true;
		}
		kinds += any;
	}
	if (kinds > 1) {
		fputc('\n', f);
		ret = report_print(t, f);
	}
	report_table_free(t);
	return ret;
}

/* Print the groups of I/Os that --by asks for. */
static int print_by(const struct breakdown *b, size_t n, FILE *f)
{
	struct report_table *t;
	int ret;

	if (!b[0].by_key)
		return 0;
	t = summary_new(true);
	if (!t)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		for (size_t g = 0; g < b[i].nby; g++)
			add_groups(t, add_summary(t, b[i].by[g].name, b[i].dev->name,
						  &b[i].by[g].rows[ROW_OF_SPAN(SPAN_TOTAL)]),
				   b[i].by[g].rows);
	fprintf(f, "\nby %s\n", b[0].by_key);
	ret = report_print(t, f);
	report_table_free(t);
	return ret;
}

static int print_spans(const struct breakdown *b, size_t n, FILE *f)
{
	struct report_table *t = summary_new(false);
	int ret;

	if (!t)
		return -ENOMEM;
	for (unsigned int s = SPAN_TOTAL + 1; s < NR_SPANS; s++)
		for (size_t i = 0; i < n; i++)
			add_summary(t, span_name(s), b[i].dev->name, &b[i].rows[ROW_OF_SPAN(s)]);
	fputc('\n', f);
	ret = report_print(t, f);
	report_table_free(t);
	return ret;
}

/* Write the head of a column, which says which I/Os are in the column: "p99 >=1.2ms". */
static void tail_head(char *buf, size_t len, const struct tail_part *p)
{
	char from[FMT_LEN];

	snprintf(buf, len, "%s >=%s", p->name, fmt_time(from, sizeof(from), p->from_ns));
}

static void fill_tail(struct report_table *t, const struct breakdown *b, unsigned int stage)
{
	int row = report_row(t, -1);
	struct row_name name;

	breakdown_row_name(b, stage, &name);
	report_set_str(t, row, 0, name.label);
	for (unsigned int i = 0; i < NR_TAILS; i++) {
		const struct blklat_tail *sum = &b->tails[i].sum;

		if (!sum->count)
			continue;
		report_set(t, row, 1 + 2 * i, (double)breakdown_tail_sum(sum, stage) / sum->count);
		report_set(t, row, 2 + 2 * i, percent(breakdown_tail_sum(sum, stage), sum->total));
	}
}

static int print_tail(const struct breakdown *b, FILE *f)
{
	struct column cols[1 + 2 * NR_TAILS] = { { "stage", "slowest I/Os", COL_STR, COL_LEFT } };
	char heads[NR_TAILS][48];
	struct report_table *t;
	int ios, total, ret;

	for (unsigned int i = 0; i < NR_TAILS; i++) {
		tail_head(heads[i], sizeof(heads[i]), &b->tails[i]);
		cols[1 + 2 * i] = (struct column){ "mean_ns", heads[i], COL_TIME };
		cols[2 + 2 * i] = (struct column){ "share_pct", "share", COL_PERCENT };
	}
	t = report_table_new(cols, 1 + 2 * NR_TAILS);
	if (!t)
		return -ENOMEM;
	for (unsigned int k = 0; k < NR_LINES; k++)
		if (breakdown_tail_sum(&b->tails[0].sum, breakdown_row_order()[k]))
			fill_tail(t, b, breakdown_row_order()[k]);
	total = report_row(t, -1);
	report_set_str(t, total, 0, "total");
	report_row_bold(t, total);
	for (unsigned int i = 0; i < NR_TAILS; i++)
		if (b->tails[i].sum.count)
			report_set(t, total, 1 + 2 * i,
				   (double)b->tails[i].sum.total / b->tails[i].sum.count);
	fprintf(f, "\n%s: mean of the slowest I/Os (", b->dev->name);
	for (ios = 0; ios < NR_TAILS; ios++)
		fprintf(f, "%s%s: %llu", ios ? ", " : "", b->tails[ios].name,
			(unsigned long long)b->tails[ios].sum.count);
	fprintf(f, " I/Os)\n");
	ret = report_print(t, f);
	report_table_free(t);
	return ret;
}

/* Counters that are printed only if they are not zero. */
static const enum blklat_counter asides[] = {
	COUNT_BEFORE, COUNT_ERRORS, COUNT_RETRIED, COUNT_REQUEUES, COUNT_PARTIAL, COUNT_SPLITS,
	COUNT_MERGES, COUNT_RQ_MERGES, COUNT_POLLED, COUNT_RQ_PASSTHROUGH,
	COUNT_DISORDER, COUNT_CHECK_FAILED,
};

static void print_ledger(const struct breakdown *b, FILE *f)
{
	const __u64 *n = b->ledger.n;
	double elapsed = b->elapsed_ns / 1e9;
	char rate[FMT_LEN], depth[32];

	fmt_count(rate, sizeof(rate), elapsed > 0 ? n[COUNT_COMPLETED] / elapsed : 0);
	snprintf(depth, sizeof(depth), "%.1f",
		 b->elapsed_ns ? (double)breakdown_total(b)->sum / b->elapsed_ns : 0);
	fprintf(f, "%s: %llu started = %llu completed + %llu in flight + %llu lost", b->dev->name,
		(unsigned long long)n[COUNT_STARTED], (unsigned long long)n[COUNT_COMPLETED],
		(unsigned long long)n[COUNT_INFLIGHT], (unsigned long long)breakdown_lost(b));
	if (breakdown_lost(b))
		fprintf(f, " (no slot %llu, end missed %llu, start missed %llu)",
			(unsigned long long)n[COUNT_LOST_FULL], (unsigned long long)n[COUNT_LOST_END],
			(unsigned long long)n[COUNT_LOST_QUEUE]);
	fprintf(f, "; %s/s, depth %s (max %llu)\n", rate, depth,
		(unsigned long long)n[COUNT_INFLIGHT_MAX]);
	if (n[COUNT_LOST_FULL])
		fputs("  no slot: too many I/Os were under way or not counted yet; --ring makes room\n", f);
	fprintf(f, "  requests: %llu read, %llu write, %llu discard, %llu flush",
		(unsigned long long)n[COUNT_RQ_READS], (unsigned long long)n[COUNT_RQ_WRITES],
		(unsigned long long)n[COUNT_RQ_DISCARDS], (unsigned long long)n[COUNT_RQ_FLUSHES]);
	for (size_t i = 0; i < sizeof(asides) / sizeof(*asides); i++)
		if (n[asides[i]])
			fprintf(f, "; %llu %s", (unsigned long long)n[asides[i]], counter_doc(asides[i]));
	fputc('\n', f);
}

static void print_cost(const struct breakdown *b, FILE *f)
{
	char per_io[FMT_LEN], attach[FMT_LEN];

	fmt_time(attach, sizeof(attach), b->cost.attach_ns);
	if (b->cost.per_io_ns >= 0) {
		fmt_time(per_io, sizeof(per_io), b->cost.per_io_ns);
		fprintf(f, "tracing: %s of BPF per I/O, ", per_io);
	} else {
		fprintf(f, "tracing: BPF time not measured, ");
	}
	fprintf(f, "%llu programs, attached in %s, %llu events missed\n",
		(unsigned long long)b->cost.programs, attach, (unsigned long long)b->cost.misses);
}

int breakdown_print(const struct breakdown *b, size_t ntops, size_t all, bool spans, FILE *f)
{
	size_t n = ntops;
	bool any = false;
	int ret = 0;

	for (size_t i = 0; i < n; i++) {
		if (breakdown_total(&b[i])->count)
			any = true;
		else
			fprintf(f, "%s: no I/O was seen\n", b[i].dev->name);
	}
	if (any) {
		ret = print_stages(b, n, f);
		if (!ret)
			ret = layers_print(b, ntops, all, f);
		if (!ret)
			ret = flow_print(b, ntops, all, f);
		if (!ret)
			ret = print_ops(b, n, f);
		if (!ret)
			ret = print_by(b, n, f);
		if (!ret && spans)
			ret = print_spans(b, n, f);
		for (size_t i = 0; i < n && !ret; i++)
			if (breakdown_total(&b[i])->count)
				ret = print_tail(&b[i], f);
		fputc('\n', f);
	}
	for (size_t i = 0; i < all; i++)
		print_ledger(&b[i], f);
	print_cost(&b[0], f);
	return ret;
}
