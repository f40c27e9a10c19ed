// SPDX-License-Identifier: GPL-2.0
/* Make the table of the kinds of I/O, and that of the groups of --by. */
#include "blklat/report/group_table.h"

enum {
	C_DEVICE, C_NAME, C_IOS, C_MEAN, C_P50, C_P99, C_MAX, C_KERNEL, C_DRIVER, C_DEV,
	C_UNSPLIT, NR_C
};

static const struct column columns[NR_C] = {
	[C_DEVICE] = { "device", "device", COL_STR, COL_LEFT },
	[C_NAME] = { NULL, NULL, COL_STR, COL_LEFT },
	[C_IOS] = { "count", "I/Os", COL_EXACT },
	[C_MEAN] = { "mean_ns", "mean", COL_TIME },
	[C_P50] = { "p50_ns", "p50", COL_TIME },
	[C_P99] = { "p99_ns", "p99", COL_TIME },
	[C_MAX] = { "max_ns", "max", COL_TIME },
	[C_KERNEL] = { "kernel_ns", "kernel", COL_TIME },
	[C_DRIVER] = { "driver_ns", "driver", COL_TIME },
	[C_DEV] = { "device_ns", "device", COL_TIME },
	[C_UNSPLIT] = { "merged_ns", "unsplit", COL_TIME },
};

struct report_table *group_table_new(const char *key, const char *title)
{
	struct column cols[NR_C];

	for (unsigned int c = 0; c < NR_C; c++)
		cols[c] = columns[c];
	cols[C_NAME].key = key;
	cols[C_NAME].title = title;
	return report_table_new(cols, NR_C);
}

static double group_mean(const struct result_group *g, enum blklat_group group)
{
	return g->total.count ? (double)result_group_sum(&g->rows, group) / g->total.count : 0;
}

void group_table_add(struct report_table *t, const char *device, const struct result_group *g)
{
	const struct hist *h = &g->total;
	int row = report_row(t, -1);

	report_set_str(t, row, C_DEVICE, device);
	report_set_str(t, row, C_NAME, g->name);
	report_set_u64(t, row, C_IOS, h->count);
	report_set(t, row, C_MEAN, hist_mean(h));
	report_set(t, row, C_P50, g->p50_ns);
	report_set(t, row, C_P99, g->p99_ns);
	report_set(t, row, C_MAX, h->max);
	report_set(t, row, C_KERNEL, group_mean(g, GROUP_KERNEL));
	report_set(t, row, C_DRIVER, group_mean(g, GROUP_DRIVER));
	report_set(t, row, C_DEV, group_mean(g, GROUP_DEVICE));
	report_set(t, row, C_UNSPLIT,
		   h->count ? (double)result_unsplit_sum(&g->rows) / h->count : 0);
}
