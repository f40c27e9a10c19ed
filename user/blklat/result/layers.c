// SPDX-License-Identifier: GPL-2.0
/* Print the stack below a device as a tree, with the I/Os and times of each device. */
#include <stdio.h>
#include "blklat/result/stack_tree.h"
#include "core/text.h"

enum {
	C_DEVICE, C_KIND, C_IOS, C_SHARE, C_MEAN, C_P99, C_SUBMIT, C_COMPLETE, C_TRACING,
	C_WHOLE, C_KERNEL, C_DRIVER, C_DEV, C_CRITICAL, NR_C
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
	[C_TRACING] = { "tracing_ns", "tracing", COL_TIME },
	[C_WHOLE] = { "whole_ns", "unsplit", COL_TIME },
	[C_KERNEL] = { "kernel_ns", "kernel", COL_TIME },
	[C_DRIVER] = { "driver_ns", "driver", COL_TIME },
	[C_DEV] = { "device_ns", "device", COL_TIME },
	[C_CRITICAL] = { "critical_pct", "critical", COL_PERCENT },
};

static void fill_layer(struct report_table *t, int row, const struct result_dev *d)
{
	const struct result_self *s = &d->self;

	report_set(t, row, C_SUBMIT, s->submit - s->submit_tracing);
	report_set(t, row, C_COMPLETE, s->complete - s->complete_tracing);
	if (s->tracing_known)
		report_set(t, row, C_TRACING, s->submit_tracing + s->complete_tracing);
	if (d->unsplit)
		report_set(t, row, C_WHOLE, s->unsplit);
}

static void fill_leaf(struct report_table *t, int row, const struct result_dev *d)
{
	double unsplit = result_unsplit_mean(&d->rows, &d->total);

	report_set(t, row, C_KERNEL, result_group_mean(&d->rows, GROUP_KERNEL, &d->total));
	report_set(t, row, C_DRIVER, result_group_mean(&d->rows, GROUP_DRIVER, &d->total));
	report_set(t, row, C_DEV, result_group_mean(&d->rows, GROUP_DEVICE, &d->total));
	if (unsplit > 0)
		report_set(t, row, C_WHOLE, unsplit);
}

/* Set the kind of a device: "null_blk, left at 12.3s". */
static void set_kind(struct report_table *t, int row, const struct result_dev *d)
{
	char text[DEV_TEXT + 64];
	size_t n = snprintf(text, sizeof(text), "%s", d->kind);

	if (d->joined_ns)
		n += snprintf(text + n, sizeof(text) - n, ", joined at %.1fs", d->joined_ns / 1e9);
	if (d->left_ns)
		snprintf(text + n, sizeof(text) - n, ", left at %.1fs", d->left_ns / 1e9);
	report_set_str(t, row, C_KIND, text);
}

static int add_device(void *arg, const struct result_dev *d, const struct result_leg *leg,
		      int parent)
{
	struct report_table *t = arg;
	int row = report_row(t, parent);

	report_set_str(t, row, C_DEVICE, *d->label ? d->label : d->name);
	set_kind(t, row, d);
	report_set_u64(t, row, C_IOS, d->total.count);
	if (leg) {
		report_set(t, row, C_SHARE, leg->share_pct);
		report_set(t, row, C_CRITICAL, leg->critical_pct);
	}
	if (!d->total.count)
		return row;
	report_set(t, row, C_MEAN, hist_mean(&d->total));
	report_set(t, row, C_P99, hist_percentile(&d->total, 99));
	if (d->self.known)
		fill_layer(t, row, d);
	else if (!d->nlegs)
		fill_leaf(t, row, d);
	return row;
}

struct report_table *layers_table(const struct result_dev *devs, size_t n, bool *whole)
{
	struct report_table *t = stack_any(devs, n) ? report_table_new(columns, NR_C) : NULL;

	if (t && !stack_walk(devs, n, add_device, t))
		*whole = false;
	return t;
}

static int print_layers(const struct result_dev *devs, size_t n, const char *title, FILE *f)
{
	bool known = false, whole = true;
	struct report_table *t = layers_table(devs, n, &whole);
	int ret = tree_print(t, title, whole, f);

	for (size_t i = 0; i < n; i++)
		known |= devs[i].top && devs[i].self.tracing_known;
	if (!ret && known)
		text_printf(f, "(submit and complete are net of tracing, which the stages above "
			    "include)\n");
	return ret;
}

static bool has_flow(const struct result_dev *devs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (unsigned int op = 0; op < NR_OPS; op++)
			if (devs[i].flow[op].got.ios)
				return true;
	return false;
}

/* Write a title with the name of the file. Return NULL if there are no titles. */
static const char *title(char *buf, size_t len, const char *what, const char *from)
{
	if (from)
		snprintf(buf, len, *from ? "%s (%s)" : "%s", what, from);
	return from ? buf : NULL;
}

int layers_print(const struct result_dev *devs, size_t n, const char *from, FILE *f)
{
	struct report_table *t;
	bool whole = true;
	char buf[512];
	int ret;

	if (!stack_any(devs, n))
		return 0;
	ret = print_layers(devs, n, title(buf, sizeof(buf), "Layers", from), f);
	if (ret || !has_flow(devs, n))
		return ret;
	t = flow_table(devs, n, &whole);
	return tree_print(t, title(buf, sizeof(buf), "I/O that the layers got and made", from),
			  whole, f);
}
