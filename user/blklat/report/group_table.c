// SPDX-License-Identifier: GPL-2.0
/* Make the table of the kinds of I/O, and that of the groups of --by. */
#include <errno.h>
#include <string.h>
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

/* @key and @title are those of the column with the names of the groups. */
static struct report_table *table_new(const char *key, const char *title)
{
	struct column cols[NR_C];

	for (unsigned int c = 0; c < NR_C; c++)
		cols[c] = columns[c];
	cols[C_NAME].key = key;
	cols[C_NAME].title = title;
	return report_table_new(cols, NR_C);
}

static void add_group(struct report_table *t, const char *device, const struct result_group *g)
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
	report_set(t, row, C_KERNEL, result_group_mean(&g->rows, GROUP_KERNEL, h));
	report_set(t, row, C_DRIVER, result_group_mean(&g->rows, GROUP_DRIVER, h));
	report_set(t, row, C_DEV, result_group_mean(&g->rows, GROUP_DEVICE, h));
	report_set(t, row, C_UNSPLIT, result_unsplit_mean(&g->rows, h));
}

static void add_groups(struct report_table *t, const char *device,
		       const struct result_groups *groups)
{
	for (size_t i = 0; i < groups->n; i++)
		add_group(t, device, &groups->v[i]);
}

/* Return true if a device has several kinds of I/O, or two devices have different kinds. */
static bool several_kinds(const struct plot_set *set)
{
	const char *first = NULL;

	for (size_t i = 0; i < set->n; i++) {
		const struct result_groups *ops = &set->devs[i].dev->ops;

		if (!ops->n)
			continue;
		if (ops->n > 1 || (first && strcmp(ops->v[0].name, first)))
			return true;
		first = ops->v[0].name;
	}
	return false;
}

int ops_table(const struct plot_set *set, struct report_table **t)
{
	*t = NULL;
	if (!several_kinds(set))
		return 0;
	*t = table_new("op", "kind");
	for (size_t i = 0; i < set->n && *t; i++)
		add_groups(*t, set->devs[i].label, &set->devs[i].dev->ops);
	return *t ? 0 : -ENOMEM;
}

int by_table(const struct plot_set *set, struct report_table **t)
{
	const char *key = set->devs[0].dev->by_key;

	*t = NULL;
	if (!key)
		return 0;
	*t = table_new("name", key);
	for (size_t i = 0; i < set->n && *t; i++)
		add_groups(*t, set->devs[i].label, &set->devs[i].dev->by);
	return *t ? 0 : -ENOMEM;
}
