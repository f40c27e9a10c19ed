// SPDX-License-Identifier: GPL-2.0
/* The breakdown of a device's I/O as tables and as JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "core/units.h"
#include "report/breakdown.h"
#include "report/facts.h"
#include "report/report.h"

static const char *const group_names[] = {
#define GROUP(id, name) [GROUP_##id] = name,
	BLKLAT_GROUPS(GROUP)
#undef GROUP
};

static const struct {
	const char *name;
	enum blklat_group group;
} stages[] = {
#define STAGE(id, name, group, doc) [STAGE_##id] = { name, GROUP_##group },
	BLKLAT_STAGES(STAGE)
#undef STAGE
};

static const struct {
	const char *name;
	enum blklat_group group;
} layer_stages[] = {
#define LAYER(id, name, group, doc) [LAYER_##id] = { name, GROUP_##group },
	BLKLAT_LAYER_STAGES(LAYER)
#undef LAYER
};

static const char *const span_names[] = {
#define SPAN(id, name, doc) [SPAN_##id] = name,
	BLKLAT_SPANS(SPAN)
#undef SPAN
};

static const char *const op_names[] = {
#define OP(id, name) [BLKLAT_OP_##id] = name,
	BLKLAT_OPS(OP)
#undef OP
};

static const struct {
	const char *name, *doc;
} counters[] = {
#define COUNTER(id, name, doc) [COUNT_##id] = { name, doc },
	BLKLAT_COUNTERS(COUNTER)
#undef COUNTER
};

const char *op_name(unsigned int op)
{
	return op_names[op];
}

static bool is_layer_row(unsigned int row)
{
	return row >= NR_ROWS;
}

static unsigned int depth_of(unsigned int row)
{
	return (row - NR_ROWS) / NR_LAYER_STAGES;
}

static enum blklat_group row_group(unsigned int row)
{
	return is_layer_row(row) ? layer_stages[(row - NR_ROWS) % NR_LAYER_STAGES].group :
				   stages[row].group;
}

static const char *row_stage(unsigned int row)
{
	return is_layer_row(row) ? layer_stages[(row - NR_ROWS) % NR_LAYER_STAGES].name :
				   stages[row].name;
}

const char *stage_name(unsigned int row)
{
	return row_stage(row);
}

enum blklat_group stage_group(unsigned int row)
{
	return row_group(row);
}

const char *group_name(unsigned int group)
{
	return group_names[group];
}

const unsigned int *breakdown_row_order(void)
{
	static unsigned int order[NR_LINES], n;

	for (unsigned int s = 0; n < NR_LINES; s++) {
		if (s == STAGE_ALLOC)
			for (unsigned int d = 0; d < BLKLAT_MAX_LAYERS; d++)
				order[n++] = ROW_OF_LAYER(d, LAYER_SUBMIT);
		if (s == STAGE_DELIVER)
			for (unsigned int d = BLKLAT_MAX_LAYERS; d-- > 0;)
				order[n++] = ROW_OF_LAYER(d, LAYER_COMPLETE);
		if (s == STAGE_UNATTRIBUTED)
			for (unsigned int d = 0; d < BLKLAT_MAX_LAYERS; d++)
				order[n++] = ROW_OF_LAYER(d, LAYER_WHOLE);
		order[n++] = s;
	}
	return order;
}

static uint64_t tail_sum(const struct blklat_tail *t, unsigned int row)
{
	return is_layer_row(row) ? t->layer[row - NR_ROWS] : t->stage[row];
}

/* "dm-0 submit"; devices side by side that differ there: "layer 0 submit". */
static void row_label(char *buf, size_t len, const struct breakdown *b, size_t n, unsigned int row)
{
	const char *names = NULL, *what = row_stage(row);
	unsigned int depth = depth_of(row);

	if (!is_layer_row(row)) {
		snprintf(buf, len, "%s", what);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (!b[i].rows[row].count)
			continue;
		if (names && strcmp(names, b[i].layers[depth])) {
			snprintf(buf, len, "layer %u%s", depth, what + strlen("layer"));
			return;
		}
		names = b[i].layers[depth];
	}
	snprintf(buf, len, "%s%s", names ?: "layer", what + strlen("layer"));
}

void breakdown_row_name(const struct breakdown *b, unsigned int row, struct row_name *name)
{
	name->stage = row_stage(row);
	name->group = group_names[row_group(row)];
	if (is_layer_row(row))
		snprintf(name->layer, sizeof(name->layer), "%u", depth_of(row));
	else
		strcpy(name->layer, "leaf");
	row_label(name->label, sizeof(name->label), b, 1, row);
}

int breakdown_init(struct breakdown *b, const struct device *dev)
{
	static const struct tail_part tails[NR_TAILS] = {
		{ "p50", 50 }, { "p90", 90 }, { "p99", 99 }, { "p99.9", 99.9 },
	};
	int ret = 0;

	memset(b, 0, sizeof(*b));
	b->dev = dev;
	memcpy(b->tails, tails, sizeof(tails));
	for (unsigned int r = 0; r < NR_ALL_ROWS && !ret; r++) {
		ret = hist_init(&b->rows[r], BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS);
		for (unsigned int o = 0; o < NR_OPS && !ret; o++)
			ret = hist_init(&b->ops[o][r], BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS);
	}
	return ret;
}

void breakdown_free(struct breakdown *b)
{
	for (unsigned int r = 0; r < NR_ALL_ROWS; r++) {
		hist_free(&b->rows[r]);
		for (unsigned int o = 0; o < NR_OPS; o++)
			hist_free(&b->ops[o][r]);
	}
}

uint64_t breakdown_lost(const struct breakdown *b)
{
	const __u64 *n = b->ledger.n;

	return n[COUNT_LOST_FULL] + n[COUNT_LOST_END] + n[COUNT_LOST_QUEUE];
}

/* Per I/O of the device, not per I/O that has the stage: these add up. */
static double mean_per_io(const struct breakdown *b, unsigned int row)
{
	const struct hist *total = breakdown_total(b);

	if (row == STAGE_THINK)
		return hist_mean(&b->rows[row]);
	return total->count ? (double)b->rows[row].sum / total->count : 0;
}

/* Devices in one table: at most some 160 characters. */
#define SIDE_BY_SIDE 5

/* The columns of one device; side by side there is room for fewer. */
enum { C_MEAN, C_SHARE, C_BAR, C_P50, C_P90, C_P99, C_P999, C_MAX, NR_C };

static const struct column dev_columns[NR_C] = {
	[C_MEAN] = { "mean_ns", "mean", COL_TIME },
	[C_SHARE] = { "share_pct", "share", COL_PERCENT },
	[C_BAR] = { NULL, "", COL_BAR },
	[C_P50] = { "p50_ns", "p50", COL_TIME },
	[C_P90] = { "p90_ns", "p90", COL_TIME },
	[C_P99] = { "p99_ns", "p99", COL_TIME },
	[C_P999] = { "p99.9_ns", "p99.9", COL_TIME },
	[C_MAX] = { "max_ns", "max", COL_TIME },
};

/* Columns that n devices side by side get, most important first. */
static unsigned int columns_for(size_t n, unsigned int *which)
{
	static const unsigned int all[] = { C_MEAN, C_SHARE, C_BAR, C_P50, C_P90, C_P99, C_P999, C_MAX };
	static const unsigned int two[] = { C_MEAN, C_SHARE, C_BAR, C_P50, C_P99 };
	static const unsigned int many[] = { C_MEAN, C_SHARE, C_P99 };
	const unsigned int *from = n == 1 ? all : n == 2 ? two : many;
	unsigned int count = n == 1 ? NR_C : n == 2 ? 5 : 3;

	memcpy(which, from, count * sizeof(*which));
	return count;
}

static double cell(const struct breakdown *b, const struct hist *h, double mean, unsigned int c)
{
	switch (c) {
	case C_MEAN:
		return mean;
	case C_SHARE:
	case C_BAR:
		return percent(mean, hist_mean(breakdown_total(b)));
	case C_P50:
		return hist_percentile(h, 50);
	case C_P90:
		return hist_percentile(h, 90);
	case C_P99:
		return hist_percentile(h, 99);
	case C_P999:
		return hist_percentile(h, 99.9);
	default:
		return h->max;
	}
}

static bool row_shown(const struct breakdown *b, size_t n, unsigned int row)
{
	if (row == STAGE_UNATTRIBUTED)
		return true;
	for (size_t i = 0; i < n; i++)
		if (b[i].rows[row].count)
			return true;
	return false;
}

/* Mean time per I/O in the stages of a group; @rows are of all kinds of I/O or of one. */
static double group_mean(const struct hist *rows, unsigned int group)
{
	const unsigned int *order = breakdown_row_order();
	uint64_t n = rows[ROW_OF_SPAN(SPAN_TOTAL)].count;
	double sum = 0;

	for (unsigned int k = 0; k < NR_LINES; k++)
		if (row_group(order[k]) == group && order[k] != STAGE_THINK)
			sum += rows[order[k]].sum;
	return n ? sum / n : 0;
}

double breakdown_group_mean(const struct breakdown *b, unsigned int group)
{
	return group_mean(b->rows, group);
}

/* @h NULL: a group, which has a mean but no distribution of its own. */
static void fill_cells(struct report_table *t, int row, size_t first, const struct breakdown *b,
		       const struct hist *h, double mean, bool share,
		       const unsigned int *which, unsigned int ncols)
{
	for (unsigned int c = 0; c < ncols; c++) {
		if (!h && which[c] > C_BAR)
			continue;
		if (!share && (which[c] == C_SHARE || which[c] == C_BAR))
			continue;
		if (h && !h->count && which[c] > C_BAR)
			continue;
		report_set(t, row, first + c, cell(b, h, mean, which[c]));
	}
}

static void add_group(struct report_table *t, const struct breakdown *b, size_t n,
		      unsigned int group, const unsigned int *which, unsigned int ncols)
{
	const unsigned int *order = breakdown_row_order();
	int head = -1;

	for (unsigned int k = 0; k < NR_LINES; k++) {
		unsigned int s = order[k];
		char label[DEV_TEXT];
		int row;

		if (row_group(s) != group || !row_shown(b, n, s))
			continue;
		if (head < 0) {
			head = report_row(t, -1);
			report_set_str(t, head, 0, group_names[group]);
			report_row_bold(t, head);
			for (size_t i = 0; i < n && group != GROUP_APP; i++)
				fill_cells(t, head, 1 + i * ncols, &b[i], NULL,
					   breakdown_group_mean(&b[i], group), true, which, ncols);
			if (group == GROUP_UNATTRIBUTED)
				return;
		}
		row = report_row(t, head);
		row_label(label, sizeof(label), b, n, s);
		report_set_str(t, row, 0, label);
		for (size_t i = 0; i < n; i++)
			if (b[i].rows[s].count)
				fill_cells(t, row, 1 + i * ncols, &b[i], &b[i].rows[s],
					   mean_per_io(&b[i], s), s != STAGE_THINK, which, ncols);
	}
}

static int print_side_by_side(const struct breakdown *b, size_t n, const unsigned int *which,
			      unsigned int ncols, FILE *f)
{
	struct report_table *t;
	struct column *cols;
	int row, ret;

	cols = calloc(1 + n * ncols, sizeof(*cols));
	if (!cols)
		return -ENOMEM;
	cols[0] = (struct column){ "stage", "stage", COL_STR, COL_TREE };
	for (size_t i = 0; i < n * ncols; i++) {
		cols[1 + i] = dev_columns[which[i % ncols]];
		cols[1 + i].group = ncols < NR_C ? b[i / ncols].dev->name : NULL;
	}
	t = report_table_new(cols, 1 + n * ncols);
	free(cols);
	if (!t)
		return -ENOMEM;
	for (unsigned int g = 0; g < NR_GROUPS; g++)
		add_group(t, b, n, g, which, ncols);
	row = report_row(t, -1);
	report_set_str(t, row, 0, "total");
	report_row_bold(t, row);
	for (size_t i = 0; i < n; i++)
		fill_cells(t, row, 1 + i * ncols, &b[i], breakdown_total(&b[i]),
			   hist_mean(breakdown_total(&b[i])), true, which, ncols);
	ret = report_print(t, f);
	report_table_free(t);
	return ret;
}

/* More devices than can be read side by side are in tables of their own. */
static int print_stages(const struct breakdown *b, size_t n, FILE *f)
{
	unsigned int which[NR_C], ncols = columns_for(n, which);
	int ret = 0;

	for (size_t i = 0; i < n && !ret; i += SIDE_BY_SIDE) {
		if (i)
			fputc('\n', f);
		ret = print_side_by_side(b + i, n - i < SIDE_BY_SIDE ? n - i : SIDE_BY_SIDE, which,
					 ncols, f);
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

/* Return: row, or -1 where there is nothing. */
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

/* Where the mean goes; what is not split between groups comes last. */
static void add_groups(struct report_table *t, int row, const struct hist *rows)
{
	report_set(t, row, S_GROUP, group_mean(rows, GROUP_KERNEL));
	report_set(t, row, S_GROUP + 1, group_mean(rows, GROUP_DRIVER));
	report_set(t, row, S_GROUP + 2, group_mean(rows, GROUP_DEVICE));
	report_set(t, row, S_GROUP + 3, group_mean(rows, GROUP_KERNEL_DRIVER) +
		   group_mean(rows, GROUP_DRIVER_DEVICE) + group_mean(rows, GROUP_MERGED) +
		   group_mean(rows, GROUP_UNATTRIBUTED));
}

static struct report_table *summary_new(bool groups)
{
	return report_table_new(summary_columns,
				groups ? sizeof(summary_columns) / sizeof(*summary_columns) : NR_S);
}

/* Only where there is more than one kind of I/O. */
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
			int row = add_summary(t, op_names[o], b[i].dev->name,
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

/* The groups of I/Os that --by asks for. */
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
			add_summary(t, span_names[s], b[i].dev->name, &b[i].rows[ROW_OF_SPAN(s)]);
	fputc('\n', f);
	ret = report_print(t, f);
	report_table_free(t);
	return ret;
}

/* "p99 (from 1.2ms)": who is in the column. */
static void tail_head(char *buf, size_t len, const struct tail_part *p)
{
	char from[FMT_LEN];

	snprintf(buf, len, "%s >=%s", p->name, fmt_time(from, sizeof(from), p->from_ns));
}

static void fill_tail(struct report_table *t, const struct breakdown *b, unsigned int stage)
{
	int row = report_row(t, -1);
	char label[DEV_TEXT];

	row_label(label, sizeof(label), b, 1, stage);
	report_set_str(t, row, 0, label);
	for (unsigned int i = 0; i < NR_TAILS; i++) {
		const struct blklat_tail *sum = &b->tails[i].sum;

		if (!sum->count)
			continue;
		report_set(t, row, 1 + 2 * i, (double)tail_sum(sum, stage) / sum->count);
		report_set(t, row, 2 + 2 * i, percent(tail_sum(sum, stage), sum->total));
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
		if (tail_sum(&b->tails[0].sum, breakdown_row_order()[k]))
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

/* Counters that are only worth a word when they are not zero. */
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
			fprintf(f, "; %llu %s", (unsigned long long)n[asides[i]], counters[asides[i]].doc);
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

static void json_row_name(json_object *o, const struct breakdown *b, unsigned int row)
{
	struct row_name name;

	breakdown_row_name(b, row, &name);
	json_str(o, "stage", name.stage);
	json_str(o, "group", name.group);
	json_str(o, "layer", name.layer);
	json_str(o, "device", is_layer_row(row) ? b->layers[depth_of(row)] : b->dev->name);
}

static json_object *rows_json(const struct breakdown *b, const struct hist *rows)
{
	json_object *list = json_object_new_array();

	for (unsigned int k = 0; k < NR_LINES; k++) {
		unsigned int s = breakdown_row_order()[k];
		json_object *o;

		if (!rows[s].count && s != STAGE_UNATTRIBUTED)
			continue;
		o = json_object_new_object();
		json_row_name(o, b, s);
		report_latency(o, &rows[s]);
		if (b->buckets)
			report_buckets(o, &rows[s]);
		json_object_array_add(list, o);
	}
	return list;
}

static json_object *spans_json(const struct hist *rows)
{
	json_object *list = json_object_new_array();

	for (unsigned int s = SPAN_TOTAL + 1; s < NR_SPANS; s++) {
		json_object *o = json_object_new_object();

		json_str(o, "span", span_names[s]);
		report_latency(o, &rows[ROW_OF_SPAN(s)]);
		json_object_array_add(list, o);
	}
	return list;
}

static json_object *ops_json(const struct breakdown *b)
{
	json_object *list = json_object_new_array();

	for (unsigned int op = 0; op < NR_OPS; op++) {
		json_object *o, *total;

		if (!b->ops[op][ROW_OF_SPAN(SPAN_TOTAL)].count)
			continue;
		o = json_object_new_object();
		json_str(o, "op", op_names[op]);
		total = report_latency(NULL, &b->ops[op][ROW_OF_SPAN(SPAN_TOTAL)]);
		if (b->buckets)
			report_buckets(total, &b->ops[op][ROW_OF_SPAN(SPAN_TOTAL)]);
		json_object_object_add(o, "total", total);
		json_object_object_add(o, "stages", rows_json(b, b->ops[op]));
		json_object_array_add(list, o);
	}
	return list;
}

static json_object *by_json(const struct breakdown *b)
{
	json_object *o = json_object_new_object(), *list = json_object_new_array();

	json_str(o, "key", b->by_key);
	for (size_t i = 0; i < b->nby; i++) {
		const struct breakdown_by *by = &b->by[i];
		json_object *group = json_object_new_object();

		json_str(group, "name", by->name);
		if (by->has_id)
			json_u64(group, "id", by->id);
		if (by->others)
			json_u64(group, "others", by->others);
		json_object_object_add(group, "total",
				       report_latency(NULL, &by->rows[ROW_OF_SPAN(SPAN_TOTAL)]));
		json_object_object_add(group, "stages", rows_json(b, by->rows));
		json_object_array_add(list, group);
	}
	json_object_object_add(o, "groups", list);
	return o;
}

static json_object *tail_json(const struct breakdown *b)
{
	json_object *list = json_object_new_array();

	for (unsigned int i = 0; i < NR_TAILS; i++) {
		const struct tail_part *p = &b->tails[i];
		json_object *o = json_object_new_object(), *shares = json_object_new_array();

		json_real(o, "percentile", p->pct);
		json_u64(o, "from_ns", p->from_ns);
		json_u64(o, "count", p->sum.count);
		json_u64(o, "sum_ns", p->sum.total);
		for (unsigned int k = 0; k < NR_LINES; k++) {
			uint64_t sum = tail_sum(&p->sum, breakdown_row_order()[k]);
			json_object *st;

			if (!sum)
				continue;
			st = json_object_new_object();
			json_row_name(st, b, breakdown_row_order()[k]);
			json_u64(st, "sum_ns", sum);
			json_real(st, "share_pct", percent(sum, p->sum.total));
			json_object_array_add(shares, st);
		}
		json_object_object_add(o, "stages", shares);
		json_object_array_add(list, o);
	}
	return list;
}

static json_object *ledger_json(const struct breakdown *b)
{
	json_object *o = json_object_new_object();

	for (unsigned int c = 0; c < NR_COUNTERS; c++)
		json_u64(o, counters[c].name, b->ledger.n[c]);
	json_u64(o, "lost", breakdown_lost(b));
	return o;
}

static json_object *cost_json(const struct trace_cost *c)
{
	json_object *o = json_object_new_object();

	if (c->per_io_ns >= 0)
		json_real(o, "bpf_ns_per_io", c->per_io_ns);
	json_u64(o, "programs", c->programs);
	json_u64(o, "runs", c->runs);
	json_u64(o, "events_missed", c->misses);
	json_u64(o, "attach_ns", c->attach_ns);
	if (c->user_per_io_ns >= 0)
		json_real(o, "user_ns_per_io", c->user_per_io_ns);
	return o;
}

json_object *breakdown_json(const struct breakdown *list, size_t n, size_t index)
{
	const struct breakdown *b = &list[index];
	json_object *o = json_object_new_object(), *total;

	json_str(o, "name", b->dev->name);
	json_object_object_add(o, "facts", report_facts(b->dev));
	json_u64(o, "elapsed_ns", b->elapsed_ns);
	if (b->joined_ns)
		json_u64(o, "joined_ns", b->joined_ns);
	if (b->left_ns)
		json_u64(o, "left_ns", b->left_ns);
	total = report_latency(NULL, breakdown_total(b));
	if (b->buckets)
		report_buckets(total, breakdown_total(b));
	json_object_object_add(o, "total", total);
	json_object_object_add(o, "stages", rows_json(b, b->rows));
	json_object_object_add(o, "spans", spans_json(b->rows));
	json_object_object_add(o, "ops", ops_json(b));
	if (b->by_key)
		json_object_object_add(o, "by", by_json(b));
	json_object_object_add(o, "tail", tail_json(b));
	json_str(o, "shared", b->shared);
	json_object_object_add(o, "unsplit", unsplit_json(list, n, index));
	json_object_object_add(o, "own", own_json(b));
	json_object_object_add(o, "flow", flow_json(list, n, index));
	if (b->below)
		json_object_object_add(o, "self", self_json(b));
	json_object_object_add(o, "legs", legs_json(list, n, index));
	json_object_object_add(o, "ledger", ledger_json(b));
	json_object_object_add(o, "cost", cost_json(&b->cost));
	return o;
}
