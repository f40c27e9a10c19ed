// SPDX-License-Identifier: GPL-2.0
/* Print what the layers of a stack made of the I/O they got: I/Os and bytes, per kind. */
#include <stdio.h>
#include "blklat/result/names.h"
#include "blklat/result/stack_tree.h"

/* Each kind of I/O has these columns. The device column is before them, own_column after them. */
enum { C_IOS, C_BYTES, C_TIMES, NR_C };

static const struct column op_columns[NR_C] = {
	[C_IOS] = { "count", "I/Os", COL_EXACT },
	[C_BYTES] = { "bytes", "bytes", COL_SIZE },
	[C_TIMES] = { "times", "below", COL_STR },
};

static const struct column own_column = { "own", "shared or own", COL_EXACT };

struct columns {
	struct report_table *table;
	unsigned int ops[NR_OPS];	/* kinds of I/O that have columns */
	unsigned int nops;
};

/*
 * Return the bytes that went below divided by the bytes that the layer got; for flushes, divide
 * the numbers of flushes. Return a negative number if the result is not known.
 */
static double times_below(const struct result_flow *flow, unsigned int op)
{
	if (op == BLKLAT_OP_FLUSH)
		return flow->got.ios ? (double)flow->below.ios / flow->got.ios : -1;
	return flow->got.bytes ? (double)flow->below.bytes / flow->got.bytes : -1;
}

static void fill_op(struct columns *t, int row, const struct result_dev *d, unsigned int at)
{
	const struct result_flow *flow = &d->flow[t->ops[at]];
	double times = times_below(flow, t->ops[at]);
	unsigned int first = 1 + at * NR_C;
	char text[24];

	if (!flow->got.ios)
		return;
	report_set_u64(t->table, row, first + C_IOS, flow->got.ios);
	report_set(t->table, row, first + C_BYTES, flow->got.bytes);
	if (!d->nlegs || times < 0)
		return;
	snprintf(text, sizeof(text), "x%.2f", times);
	report_set_str(t->table, row, first + C_TIMES, text);
}

static int add_device(void *arg, const struct result_dev *d, const struct result_leg *leg,
		      int parent)
{
	struct columns *t = arg;
	int row = report_row(t->table, parent);
	uint64_t own = 0;

	report_set_str(t->table, row, 0, *d->label ? d->label : d->name);
	for (unsigned int i = 0; i < t->nops; i++) {
		fill_op(t, row, d, i);
		own += d->flow[t->ops[i]].own.ios;
	}
	if (leg)
		report_set_u64(t->table, row, 1 + t->nops * NR_C, own);
	return row;
}

/* Make the columns, for the kinds of I/O that a device got. */
static void make_columns(struct columns *t, const struct result_dev *devs, size_t n)
{
	struct column cols[2 + NR_OPS * NR_C] = { { "device", "device", COL_STR, COL_TREE } };

	for (unsigned int op = 0; op < NR_OPS; op++) {
		bool any = false;

		for (size_t i = 0; i < n; i++)
			any |= devs[i].flow[op].got.ios;
		if (!any)
			continue;
		for (unsigned int c = 0; c < NR_C; c++) {
			cols[1 + t->nops * NR_C + c] = op_columns[c];
			cols[1 + t->nops * NR_C + c].group = op_name(op);
		}
		t->ops[t->nops++] = op;
	}
	cols[1 + t->nops * NR_C] = own_column;
	if (t->nops)
		t->table = report_table_new(cols, 2 + t->nops * NR_C);
}

struct report_table *flow_table(const struct result_dev *devs, size_t n, bool *whole)
{
	struct columns t = { 0 };

	if (stack_any(devs, n))
		make_columns(&t, devs, n);
	if (t.table && !stack_walk(devs, n, add_device, &t))
		*whole = false;
	return t.table;
}
