// SPDX-License-Identifier: GPL-2.0
/* The stack below a device: a tree with what each device had and took. */
#include <errno.h>
#include <string.h>
#include "core/units.h"
#include "report/breakdown.h"
#include "report/report.h"

enum {
	C_DEVICE, C_KIND, C_IOS, C_SHARE, C_MEAN, C_P99, C_SUBMIT, C_COMPLETE, C_WHOLE,
	C_KERNEL, C_DRIVER, C_DEV, C_GATES, NR_C
};

static const struct column columns[NR_C] = {
	[C_DEVICE] = { "device", "device", COL_STR, COL_TREE },
	[C_KIND] = { "kind", "kind", COL_STR, COL_LEFT },
	[C_IOS] = { "count", "I/Os", COL_EXACT },
	[C_SHARE] = { "share_pct", "share", COL_PERCENT },
	[C_MEAN] = { "mean_ns", "mean", COL_TIME },
	[C_P99] = { "p99_ns", "p99", COL_TIME },
	[C_SUBMIT] = { "submit_ns", "submit", COL_TIME },
	[C_COMPLETE] = { "complete_ns", "complete", COL_TIME },
	[C_WHOLE] = { "whole_ns", "unsplit", COL_TIME },
	[C_KERNEL] = { "kernel_ns", "kernel", COL_TIME },
	[C_DRIVER] = { "driver_ns", "driver", COL_TIME },
	[C_DEV] = { "device_ns", "device", COL_TIME },
	[C_GATES] = { "critical_pct", "gates", COL_PERCENT },
};

/* Mean time per I/O of what this device itself did as a layer. */
static double self(const struct breakdown *b, unsigned int stage)
{
	const struct hist *total = breakdown_total(b);

	return total->count ? (double)b->rows[ROW_OF_LAYER(0, stage)].sum / total->count : 0;
}

/* A counter of all devices directly below @b[@above]. */
static uint64_t sum_below(const struct breakdown *b, size_t n, size_t above, enum blklat_counter c)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		if (b[above].below & 1U << i)
			sum += b[i].ledger.n[c];
	return sum;
}

static void fill_layer(struct report_table *t, int row, const struct breakdown *b)
{
	report_set(t, row, C_SUBMIT, self(b, LAYER_SUBMIT));
	report_set(t, row, C_COMPLETE, self(b, LAYER_COMPLETE));
	if (b->rows[ROW_OF_LAYER(0, LAYER_WHOLE)].count)
		report_set(t, row, C_WHOLE, self(b, LAYER_WHOLE));
}

static void fill_leaf(struct report_table *t, int row, const struct breakdown *b)
{
	report_set(t, row, C_KERNEL, breakdown_group_mean(b, GROUP_KERNEL));
	report_set(t, row, C_DRIVER, breakdown_group_mean(b, GROUP_DRIVER));
	report_set(t, row, C_DEV, breakdown_group_mean(b, GROUP_DEVICE) +
		   breakdown_group_mean(b, GROUP_DRIVER_DEVICE));
}

/* @above: index of the device above, or @index itself for the top */
static void add_device(struct report_table *t, const struct breakdown *b, size_t n, size_t index,
		       size_t above, int parent, unsigned int depth)
{
	const struct breakdown *d = &b[index];
	const struct hist *total = breakdown_total(d);
	int row = report_row(t, parent);

	report_set_str(t, row, C_DEVICE, d->dev->name);
	report_set_str(t, row, C_KIND, d->kind);
	report_set_u64(t, row, C_IOS, total->count);
	if (above != index) {
		report_set(t, row, C_SHARE, percent(d->ledger.n[COUNT_LINKED],
						    sum_below(b, n, above, COUNT_LINKED)));
		report_set(t, row, C_GATES, percent(d->ledger.n[COUNT_CRITICAL],
						    sum_below(b, n, above, COUNT_CRITICAL)));
	}
	if (total->count) {
		report_set(t, row, C_MEAN, hist_mean(total));
		report_set(t, row, C_P99, hist_percentile(total, 99));
		if (d->below)
			fill_layer(t, row, d);
		else
			fill_leaf(t, row, d);
	}
	for (size_t i = 0; i < n && depth < BLKLAT_MAX_LAYERS; i++)
		if (d->below & 1U << i)
			add_device(t, b, n, i, index, row, depth + 1);
}

int layers_print(const struct breakdown *b, size_t ntops, size_t n, FILE *f)
{
	struct report_table *t;
	int ret;

	if (ntops == n)
		return 0;
	t = report_table_new(columns, NR_C);
	if (!t)
		return -ENOMEM;
	for (size_t i = 0; i < ntops; i++)
		if (b[i].below)
			add_device(t, b, n, i, i, -1, 0);
	fputc('\n', f);
	ret = report_print(t, f);
	report_table_free(t);
	return ret;
}

json_object *legs_json(const struct breakdown *b, size_t n, size_t index)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < n; i++) {
		json_object *o;

		if (!(b[index].below & 1U << i))
			continue;
		o = json_object_new_object();
		json_str(o, "device", b[i].dev->name);
		json_u64(o, "linked", b[i].ledger.n[COUNT_LINKED]);
		json_real(o, "share_pct", percent(b[i].ledger.n[COUNT_LINKED],
						  sum_below(b, n, index, COUNT_LINKED)));
		json_u64(o, "bytes", b[i].ledger.n[COUNT_BYTES]);
		json_u64(o, "critical", b[i].ledger.n[COUNT_CRITICAL]);
		json_real(o, "critical_pct", percent(b[i].ledger.n[COUNT_CRITICAL],
						     sum_below(b, n, index, COUNT_CRITICAL)));
		json_object_object_add(o, "total", report_latency(NULL, breakdown_total(&b[i])));
		json_object_array_add(list, o);
	}
	return list;
}
