// SPDX-License-Identifier: GPL-2.0
/* Print the result of a trace as tables. */
#include <errno.h>
#include "blklat/report/group_table.h"
#include "blklat/report/stage_table.h"
#include "blklat/result/names.h"
#include "blklat/result/stack_tree.h"
#include "blklat/trace/result_print.h"
#include "core/text.h"
#include "core/units.h"
#include "output/histogram.h"
#include "output/table.h"

/* A table has at most this many devices side by side, which makes it about 160 characters wide. */
#define SIDE_BY_SIDE 5

/* Print a table for each few devices: more cannot be read side by side. */
static int print_stages(const struct plot_set *tops, FILE *f)
{
	int ret = 0;

	for (size_t i = 0; i < tops->n && !ret; i += SIDE_BY_SIDE) {
		struct plot_set few = { .devs = tops->devs + i, .n = tops->n - i };

		if (few.n > SIDE_BY_SIDE)
			few.n = SIDE_BY_SIDE;
		if (i)
			fputc('\n', f);
		ret = report_print_free(stage_table(&few, tops->n), f);
	}
	return ret;
}

static int print_ops(const struct plot_set *tops, FILE *f)
{
	struct report_table *t;
	int ret = ops_table(tops, &t);

	return ret ?: report_print_titled(t, NULL, f);
}

/* Print the groups of I/Os that --by asks for. */
static int print_by(const struct plot_set *tops, FILE *f)
{
	struct report_table *t;
	char title[64];
	int ret = by_table(tops, &t);

	snprintf(title, sizeof(title), "by %s", tops->devs[0].dev->by_key ?: "");
	return ret ?: report_print_titled(t, title, f);
}

enum { S_WHAT, S_DEVICE, S_IOS, S_MEAN, S_P50, S_P99, S_MAX, NR_S };

static const struct column span_columns[NR_S] = {
	[S_WHAT] = { "what", "", COL_STR, COL_LEFT },
	[S_DEVICE] = { "device", "device", COL_STR, COL_LEFT },
	[S_IOS] = { "count", "I/Os", COL_EXACT },
	[S_MEAN] = { "mean_ns", "mean", COL_TIME },
	[S_P50] = { "p50_ns", "p50", COL_TIME },
	[S_P99] = { "p99_ns", "p99", COL_TIME },
	[S_MAX] = { "max_ns", "max", COL_TIME },
};

static void add_span(struct report_table *t, const char *dev, const struct result_group *span)
{
	int row;

	if (!span->total.count)
		return;
	row = report_row(t, -1);
	report_set_str(t, row, S_WHAT, span->name);
	report_set_str(t, row, S_DEVICE, dev);
	report_set_u64(t, row, S_IOS, span->total.count);
	report_set(t, row, S_MEAN, hist_mean(&span->total));
	report_set(t, row, S_P50, span->p50_ns);
	report_set(t, row, S_P99, span->p99_ns);
	report_set(t, row, S_MAX, span->total.max);
}

static int print_spans(const struct plot_set *tops, FILE *f)
{
	struct report_table *t = report_table_new(span_columns, NR_S);

	if (!t)
		return -ENOMEM;
	for (size_t s = 0; s < tops->devs[0].dev->spans.n; s++)
		for (size_t i = 0; i < tops->n; i++)
			add_span(t, tops->devs[i].label, &tops->devs[i].dev->spans.v[s]);
	return report_print_titled(t, NULL, f);
}

/* Write the head of a column, which says which I/Os are in the column: "p99 >=1.2ms". */
static void tail_head(char *buf, size_t len, const struct result_tail *tail)
{
	char from[FMT_LEN];

	snprintf(buf, len, "p%g >=%s", tail->pct, fmt_time(from, sizeof(from), tail->from_ns));
}

static void fill_tail(struct report_table *t, const struct result_dev *d,
		      const struct result_row *stage)
{
	int row = report_row(t, -1);

	report_set_str(t, row, 0, stage->label);
	for (unsigned int i = 0; i < NR_TAILS; i++) {
		const struct result_tail *tail = &d->tails[i];
		const struct result_row *own = result_row_find(&tail->rows, stage->stage,
							       stage->layer);
		uint64_t sum = own ? own->hist.sum : 0;

		if (!tail->count)
			continue;
		report_set(t, row, 1 + 2 * i, (double)sum / tail->count);
		report_set(t, row, 2 + 2 * i, percent(sum, tail->sum_ns));
	}
}

static int print_tail(const struct result_dev *d, FILE *f)
{
	struct column cols[1 + 2 * NR_TAILS] = { { "stage", "slowest I/Os", COL_STR, COL_LEFT } };
	char heads[NR_TAILS][48];
	struct report_table *t;
	struct text lines;
	int ios, total;
	FILE *title;

	for (unsigned int i = 0; i < NR_TAILS; i++) {
		tail_head(heads[i], sizeof(heads[i]), &d->tails[i]);
		cols[1 + 2 * i] = (struct column){ "mean_ns", heads[i], COL_TIME };
		cols[2 + 2 * i] = (struct column){ "share_pct", "share", COL_PERCENT };
	}
	t = report_table_new(cols, 1 + 2 * NR_TAILS);
	if (!t)
		return -ENOMEM;
	/* The first tail has the I/Os of all others. */
	for (size_t r = 0; r < d->tails[0].rows.n; r++)
		fill_tail(t, d, &d->tails[0].rows.v[r]);
	total = report_row(t, -1);
	report_set_str(t, total, 0, "total");
	report_row_bold(t, total);
	for (unsigned int i = 0; i < NR_TAILS; i++)
		if (d->tails[i].count)
			report_set(t, total, 1 + 2 * i,
				   (double)d->tails[i].sum_ns / d->tails[i].count);
	title = text_open(&lines, f);
	fprintf(title, "\n%s: mean of the slowest I/Os (", d->name);
	for (ios = 0; ios < NR_TAILS; ios++)
		fprintf(title, "%sp%g: %llu", ios ? ", " : "", d->tails[ios].pct,
			(unsigned long long)d->tails[ios].count);
	fprintf(title, " I/Os)\n");
	text_close(&lines);
	return report_print_free(t, f);
}

/* These counters are printed only if they are not zero. */
static const enum blklat_counter asides[] = {
	COUNT_BEFORE, COUNT_ERRORS, COUNT_RETRIED, COUNT_REQUEUES, COUNT_PARTIAL, COUNT_SPLITS,
	COUNT_MERGES, COUNT_RQ_MERGES, COUNT_POLLED, COUNT_RQ_PASSTHROUGH,
	COUNT_DISORDER, COUNT_CHECK_FAILED,
};

/* Print the requests of each kind, and the counters beside them. Most layers have neither. */
static void print_requests(const __u64 *n, FILE *f)
{
	static const struct {
		enum blklat_counter counter;
		const char *name;
	} kinds[] = {
		{ COUNT_RQ_READS, "read" }, { COUNT_RQ_WRITES, "write" },
		{ COUNT_RQ_DISCARDS, "discard" }, { COUNT_RQ_FLUSHES, "flush" },
	};
	const char *sep = "  requests: ", *aside = "  ";

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!n[kinds[i].counter])
			continue;
		fprintf(f, "%s%llu %s", sep, (unsigned long long)n[kinds[i].counter],
			kinds[i].name);
		sep = ", ";
		aside = "; ";
	}
	for (size_t i = 0; i < sizeof(asides) / sizeof(*asides); i++) {
		if (!n[asides[i]])
			continue;
		fprintf(f, "%s%llu %s", aside, (unsigned long long)n[asides[i]],
			counter_doc(asides[i]));
		aside = "; ";
	}
	if (*aside == ';')
		fputc('\n', f);
}

static void print_ledger(const struct result_dev *d, FILE *f)
{
	const __u64 *n = d->ledger.n;
	double elapsed = d->elapsed_ns / 1e9;
	char rate[FMT_LEN], depth[32];

	fmt_count(rate, sizeof(rate), elapsed > 0 ? n[COUNT_COMPLETED] / elapsed : 0);
	snprintf(depth, sizeof(depth), "%.1f",
		 d->elapsed_ns ? (double)d->total.sum / d->elapsed_ns : 0);
	fprintf(f, "%s: %llu started = %llu completed + %llu in flight + %llu lost", d->name,
		(unsigned long long)n[COUNT_STARTED], (unsigned long long)n[COUNT_COMPLETED],
		(unsigned long long)n[COUNT_INFLIGHT], (unsigned long long)ledger_lost(&d->ledger));
	if (ledger_lost(&d->ledger))
		fprintf(f, " (no slot %llu, end missed %llu, start missed %llu)",
			(unsigned long long)n[COUNT_LOST_FULL],
			(unsigned long long)n[COUNT_LOST_END],
			(unsigned long long)n[COUNT_LOST_QUEUE]);
	fprintf(f, "; %s/s, depth %s (max %llu)\n", rate, depth,
		(unsigned long long)n[COUNT_INFLIGHT_MAX]);
	if (n[COUNT_LOST_FULL])
		fputs("  no slot: too many I/Os were in flight or not counted yet; a larger "
		      "--ring has more slots\n", f);
	print_requests(n, f);
}

static void print_cost(const struct trace_cost *cost, FILE *f)
{
	char per_io[FMT_LEN], attach[FMT_LEN];

	fmt_time(attach, sizeof(attach), cost->attach_ns);
	if (cost->per_io_ns >= 0) {
		fmt_time(per_io, sizeof(per_io), cost->per_io_ns);
		fprintf(f, "tracing: %s of BPF per I/O, ", per_io);
	} else {
		fprintf(f, "tracing: BPF time not measured, ");
	}
	fprintf(f, "%llu programs, attached in %s, %llu events missed\n",
		(unsigned long long)cost->programs, attach, (unsigned long long)cost->misses);
}

static int print_tables(const struct plot_set *tops, const struct result_dev *devs, size_t n,
			bool spans, FILE *f)
{
	int ret = print_stages(tops, f);

	if (!ret)
		ret = layers_print(devs, n, NULL, f);
	if (!ret)
		ret = print_ops(tops, f);
	if (!ret)
		ret = print_by(tops, f);
	if (!ret && spans)
		ret = print_spans(tops, f);
	for (size_t i = 0; i < tops->n && !ret; i++)
		if (devs[i].total.count)
			ret = print_tail(&devs[i], f);
	fputc('\n', f);
	return ret;
}

int result_print(const struct result_dev *devs, size_t ntops, size_t n, bool spans, FILE *f)
{
	struct plot_dev shown[BLKLAT_MAX_DEVS];
	struct plot_set tops = { .devs = shown, .n = ntops };
	struct text text;
	bool any = false;
	FILE *lines;
	int ret = 0;

	for (size_t i = 0; i < ntops; i++) {
		shown[i].dev = &devs[i];
		snprintf(shown[i].label, sizeof(shown[i].label), "%s", devs[i].name);
		if (devs[i].total.count)
			any = true;
		else
			fprintf(f, "%s: no I/O was seen\n", devs[i].name);
	}
	if (any)
		ret = print_tables(&tops, devs, n, spans, f);
	lines = text_open(&text, f);
	for (size_t i = 0; i < n; i++)
		print_ledger(&devs[i], lines);
	print_cost(&devs[0].cost, lines);
	text_close(&text);
	return ret;
}

int hists_print(const struct result_dev *devs, size_t n, FILE *f)
{
	int ret = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < devs[i].ops.n && !ret; k++) {
			const struct result_group *op = &devs[i].ops.v[k];
			char title[DEV_TEXT + 32];

			snprintf(title, sizeof(title), "%s, %s, total", devs[i].name, op->name);
			ret = report_histogram_print(title, &op->total, f);
		}
	return ret;
}
