// SPDX-License-Identifier: GPL-2.0
/* Print the stack below a device as a tree, with the I/Os and times of each device. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "core/units.h"
#include "blklat/result/breakdown.h"
#include "blklat/result/names.h"
#include "report/report.h"

enum {
	C_DEVICE, C_KIND, C_IOS, C_SHARE, C_MEAN, C_P99, C_SUBMIT, C_COMPLETE, C_TRACING,
	C_WHOLE, C_KERNEL, C_DRIVER, C_DEV, C_GATES, NR_C
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
	[C_GATES] = { "critical_pct", "gates", COL_PERCENT },
};

/* Return the mean time per I/O that the device itself, as a layer, spent in a stage. */
static double self(const struct breakdown *b, unsigned int stage)
{
	const struct hist *total = breakdown_total(b);

	return total->count ? (double)b->rows[ROW_OF_LAYER(0, stage)].sum / total->count : 0;
}

static uint64_t edge_ios(const struct blklat_edge *e)
{
	uint64_t n = 0;

	for (unsigned int op = 0; op < NR_OPS; op++)
		n += e->op[op].ios;
	return n;
}

static uint64_t edge_critical(const struct blklat_edge *e)
{
	uint64_t n = 0;

	for (unsigned int op = 0; op < NR_OPS; op++)
		n += e->critical[op];
	return n;
}

/* Return the mean time per I/O that tracing took in a stage of the layer, as far as known. */
static double stage_tracing(const struct breakdown *b, unsigned int stage)
{
	const struct hist *total = breakdown_total(b);
	unsigned int own;
	int span = breakdown_tracing_span(ROW_OF_LAYER(0, stage), &own);

	return total->count ? (double)b->rows[span].sum / total->count : 0;
}

/* Return a stage of the layer, net of tracing. */
static double self_net(const struct breakdown *b, unsigned int stage)
{
	return self(b, stage) - stage_tracing(b, stage);
}

/* Return the mean time per I/O that tracing added to the layer's own stages, as far as known. */
static double self_tracing(const struct breakdown *b)
{
	return stage_tracing(b, LAYER_SUBMIT) + stage_tracing(b, LAYER_COMPLETE);
}

static bool tracing_known(const struct breakdown *b)
{
	return b->rows[ROW_OF_SPAN(SPAN_SUBMIT_COST)].count ||
	       b->rows[ROW_OF_SPAN(SPAN_COMPLETE_COST)].count;
}

/* Return the percentage of the critical children of @above that were on this device. */
static double gates(const struct breakdown *above, const struct blklat_edge *e)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < BLKLAT_MAX_DEVS; i++)
		sum += edge_critical(&above->edges[i]);
	return percent(edge_critical(e), sum);
}

static double share(const struct breakdown *above, const struct blklat_edge *e)
{
	return percent(edge_ios(e), above->ledger.n[COUNT_CHILDREN]);
}

static void fill_layer(struct report_table *t, int row, const struct breakdown *b)
{
	report_set(t, row, C_SUBMIT, self_net(b, LAYER_SUBMIT));
	report_set(t, row, C_COMPLETE, self_net(b, LAYER_COMPLETE));
	if (tracing_known(b))
		report_set(t, row, C_TRACING, self_tracing(b));
	if (b->rows[ROW_OF_LAYER(0, LAYER_WHOLE)].count)
		report_set(t, row, C_WHOLE, self(b, LAYER_WHOLE));
}

static void fill_leaf(struct report_table *t, int row, const struct breakdown *b)
{
	double unsplit = breakdown_group_mean(b, GROUP_KERNEL_DRIVER) +
			 breakdown_group_mean(b, GROUP_DRIVER_DEVICE) +
			 breakdown_group_mean(b, GROUP_MERGED) +
			 breakdown_group_mean(b, GROUP_UNATTRIBUTED);

	report_set(t, row, C_KERNEL, breakdown_group_mean(b, GROUP_KERNEL));
	report_set(t, row, C_DRIVER, breakdown_group_mean(b, GROUP_DRIVER));
	report_set(t, row, C_DEV, breakdown_group_mean(b, GROUP_DEVICE));
	if (unsplit > 0)
		report_set(t, row, C_WHOLE, unsplit);
}

/* Set the kind of a device: "null_blk, left at 12.3s". */
static void set_kind(struct report_table *t, int row, const struct breakdown *b)
{
	char text[128];
	size_t n = snprintf(text, sizeof(text), "%s", b->kind);

	if (b->joined_ns)
		n += snprintf(text + n, sizeof(text) - n, ", joined at %.1fs", b->joined_ns / 1e9);
	if (b->left_ns)
		snprintf(text + n, sizeof(text) - n, ", left at %.1fs", b->left_ns / 1e9);
	report_set_str(t, row, C_KIND, text);
}

/*
 * Add a device and the devices below it. @above is the index of the device above, or @index
 * itself for the top.
 */
static void add_device(struct report_table *t, const struct breakdown *b, size_t n, size_t index,
		       size_t above, int parent, unsigned int depth)
{
	const struct breakdown *d = &b[index];
	const struct hist *total = breakdown_total(d);
	int row = report_row(t, parent);

	report_set_str(t, row, C_DEVICE, d->dev->name);
	set_kind(t, row, d);
	report_set_u64(t, row, C_IOS, total->count);
	if (above != index) {
		report_set(t, row, C_SHARE, share(&b[above], &b[above].edges[index]));
		report_set(t, row, C_GATES, gates(&b[above], &b[above].edges[index]));
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
		if (d->below & DEV_BIT(i))
			add_device(t, b, n, i, index, row, depth + 1);
}

bool layers_any(const struct breakdown *b, size_t ntops)
{
	for (size_t i = 0; i < ntops; i++)
		if (b[i].below)
			return true;
	return false;
}

int layers_print(const struct breakdown *b, size_t ntops, size_t n, FILE *f)
{
	struct report_table *t;
	bool known = false;
	int ret;

	if (!layers_any(b, ntops))
		return 0;
	t = report_table_new(columns, NR_C);
	if (!t)
		return -ENOMEM;
	for (size_t i = 0; i < ntops; i++)
		if (b[i].below)
			add_device(t, b, n, i, i, -1, 0);
	fputc('\n', f);
	ret = report_print_free(t, f);
	for (size_t i = 0; i < ntops; i++)
		known |= tracing_known(&b[i]);
	if (known)
		fputs("(submit and complete are net of tracing, which the stages above include)\n",
		      f);
	return ret;
}

/*
 * Members of the JSON object "self":
 * @submit_ns: number: Mean time per I/O in stage ``layer submit``.
 * @complete_ns: number: Mean time per I/O in stage ``layer complete``.
 * @unsplit_ns: number: Mean time per I/O in stage ``layer+below``, which has the time below, too.
 * @tracing_ns: number, optional: The part of ``submit_ns`` and ``complete_ns`` that blklat's own
 *	programs took, as far as it is known: see stage-model.rst. Absent if it is not known, and
 *	with ``--no-cost``.
 * @net_ns: number, optional: ``submit_ns`` + ``complete_ns`` - ``tracing_ns``. Absent if
 *	``tracing_ns`` is absent.
 * @net_submit_ns: number, optional: ``submit_ns`` less the part of it that tracing took.
 * @net_complete_ns: number, optional: ``complete_ns`` less the part of it that tracing took.
 */
json_object *self_json(const struct breakdown *b)
{
	double submit = self(b, LAYER_SUBMIT), complete = self(b, LAYER_COMPLETE);
	json_object *o = json_object_new_object();

	json_real(o, "submit_ns", submit);
	json_real(o, "complete_ns", complete);
	json_real(o, "unsplit_ns", self(b, LAYER_WHOLE));
	if (tracing_known(b)) {
		json_real(o, "tracing_ns", self_tracing(b));
		json_real(o, "net_ns", submit + complete - self_tracing(b));
		json_real(o, "net_submit_ns", self_net(b, LAYER_SUBMIT));
		json_real(o, "net_complete_ns", self_net(b, LAYER_COMPLETE));
	}
	return o;
}

static void leg_of(const struct breakdown *above, const struct breakdown *below,
		   const struct blklat_edge *e, struct result_leg *leg)
{
	const struct hist *total = breakdown_total(below);

	*leg = (struct result_leg){
		.linked = edge_ios(e),
		.critical = edge_critical(e),
		.share_pct = share(above, e),
		.critical_pct = gates(above, e),
		.ios = total->count,
		.mean_ns = hist_mean(total),
		.p99_ns = hist_percentile(total, 99),
		.edge = *e,
		.total = total,
	};
	for (unsigned int op = 0; op < NR_OPS; op++)
		leg->bytes += e->op[op].bytes;
	snprintf(leg->device, sizeof(leg->device), "%s", below->dev->name);
}

int legs_of(const struct breakdown *b, size_t n, size_t index, struct result_dev *d)
{
	d->legs = calloc(n, sizeof(*d->legs));
	if (!d->legs)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (b[index].below & DEV_BIT(i))
			leg_of(&b[index], &b[i], &b[index].edges[i], &d->legs[d->nlegs++]);
	return 0;
}
