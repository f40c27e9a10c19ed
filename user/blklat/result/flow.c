// SPDX-License-Identifier: GPL-2.0
/* Print what the layers of a stack made of the I/O they got: I/Os and bytes, per kind. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/result/breakdown.h"
#include "blklat/result/names.h"
#include "report/report.h"

/* Each kind of I/O has these columns. The device column is before them, own_column after them. */
enum { C_IOS, C_BYTES, C_TIMES, NR_C };

static const struct column op_columns[NR_C] = {
	[C_IOS] = { "count", "I/Os", COL_EXACT },
	[C_BYTES] = { "bytes", "bytes", COL_SIZE },
	[C_TIMES] = { "times", "below", COL_STR },
};

static const struct column own_column = { "own", "shared or own", COL_EXACT };

struct flow_table {
	struct report_table *table;
	const struct breakdown *b;
	size_t n;
	unsigned int ops[NR_OPS];	/* kinds of I/O that have columns */
	unsigned int nops;
};

/*
 * Return the I/Os of a device that were made for no single I/O of a layer above: all of its I/Os,
 * less those that are linked to an I/O above.
 */
static struct blklat_flow own_flow(const struct breakdown *b, size_t n, size_t index,
				   unsigned int op)
{
	struct blklat_flow own = b[index].ledger.op[op];

	for (size_t i = 0; i < n; i++) {
		const struct blklat_flow *made = &b[i].edges[index].op[op];

		own.ios -= made->ios < own.ios ? made->ios : own.ios;
		own.bytes -= made->bytes < own.bytes ? made->bytes : own.bytes;
	}
	return own;
}

static size_t layers_above(const struct breakdown *b, size_t n, size_t index)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += b[i].below >> index & 1;
	return count;
}

/*
 * Return all I/Os that a layer sent below: those for its own I/Os, and those that it made itself
 * (parity, resync, superblocks). The latter are only counted if no other layer can have sent
 * them.
 */
static struct blklat_flow flow_below(const struct breakdown *b, size_t n, size_t index,
				     unsigned int op)
{
	struct blklat_flow sum = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct blklat_flow own = { 0 };

		if (!(b[index].below >> i & 1))
			continue;
		if (layers_above(b, n, i) == 1)
			own = own_flow(b, n, i, op);
		sum.ios += b[index].edges[i].op[op].ios + own.ios;
		sum.bytes += b[index].edges[i].op[op].bytes + own.bytes;
	}
	return sum;
}

/*
 * Return the bytes that went below divided by the bytes that the layer got; for flushes, divide
 * the numbers of flushes. Return a negative number if the result is not known.
 */
static double times_below(const struct breakdown *b, size_t n, size_t index, unsigned int op)
{
	const struct blklat_flow *got = &b[index].ledger.op[op];
	struct blklat_flow sent = flow_below(b, n, index, op);

	if (op == BLKLAT_OP_FLUSH)
		return got->ios ? (double)sent.ios / got->ios : -1;
	return got->bytes ? (double)sent.bytes / got->bytes : -1;
}

static void fill_op(struct flow_table *t, int row, size_t index, unsigned int at)
{
	const struct breakdown *d = &t->b[index];
	unsigned int op = t->ops[at], first = 1 + at * NR_C;
	double times = times_below(t->b, t->n, index, op);
	char text[24];

	if (!d->ledger.op[op].ios)
		return;
	report_set_u64(t->table, row, first + C_IOS, d->ledger.op[op].ios);
	report_set(t->table, row, first + C_BYTES, d->ledger.op[op].bytes);
	if (!d->below || times < 0)
		return;
	snprintf(text, sizeof(text), "x%.2f", times);
	report_set_str(t->table, row, first + C_TIMES, text);
}

/* Add a device and the devices below it. @parent is the row of the layer above, -1 for a top. */
static void add_device(struct flow_table *t, size_t index, int parent, unsigned int depth)
{
	int row = report_row(t->table, parent);
	uint64_t own = 0;

	report_set_str(t->table, row, 0, t->b[index].dev->name);
	for (unsigned int i = 0; i < t->nops; i++) {
		fill_op(t, row, index, i);
		own += own_flow(t->b, t->n, index, t->ops[i]).ios;
	}
	if (parent >= 0)
		report_set_u64(t->table, row, 1 + t->nops * NR_C, own);
	for (size_t i = 0; i < t->n && depth < BLKLAT_MAX_LAYERS; i++)
		if (t->b[index].below >> i & 1)
			add_device(t, i, row, depth + 1);
}

static struct report_table *flow_columns(struct flow_table *t)
{
	struct column cols[2 + NR_OPS * NR_C] = { { "device", "device", COL_STR, COL_TREE } };

	for (unsigned int op = 0; op < NR_OPS; op++) {
		bool any = false;

		for (size_t i = 0; i < t->n; i++)
			any |= t->b[i].ledger.op[op].ios;
		if (!any)
			continue;
		for (unsigned int c = 0; c < NR_C; c++) {
			cols[1 + t->nops * NR_C + c] = op_columns[c];
			cols[1 + t->nops * NR_C + c].group = op_name(op);
		}
		t->ops[t->nops++] = op;
	}
	cols[1 + t->nops * NR_C] = own_column;
	return report_table_new(cols, 2 + t->nops * NR_C);
}

int flow_print(const struct breakdown *b, size_t ntops, size_t n, FILE *f)
{
	struct flow_table t = { .b = b, .n = n };

	if (!layers_any(b, ntops))
		return 0;
	t.table = flow_columns(&t);
	if (!t.table)
		return -ENOMEM;
	for (size_t i = 0; i < ntops; i++)
		if (b[i].below)
			add_device(&t, i, -1, 0);
	fputc('\n', f);
	return report_print_free(t.table, f);
}

/*
 * Members of the JSON object "flow":
 * @op: string: ``read``, ``write``, ``flush`` or ``discard``.
 * @count: integer: Number of I/Os that the device got, including lost ones.
 * @bytes: integer: Bytes of these I/Os.
 * @own: integer: Number of these I/Os that were made for no single I/O of a traced layer above. For
 *	a device at the top, these are all of its I/Os. Below a layer, they are parity, superblocks,
 *	resync or I/O of other users.
 * @own_bytes: integer: Bytes of the I/Os in ``own``.
 * @below: integer: Number of I/Os that the device sent to the devices directly below. A device
 *	below that no other layer uses counts with its ``own`` I/Os, too.
 * @below_bytes: integer: Bytes of these I/Os. Divided by ``bytes``, this is the amplification.
 */
json_object *flow_json(const struct breakdown *b, size_t n, size_t index)
{
	json_object *list = json_object_new_array();

	for (unsigned int op = 0; op < NR_OPS; op++) {
		const struct blklat_flow *got = &b[index].ledger.op[op];
		struct blklat_flow own = own_flow(b, n, index, op);
		struct blklat_flow sent = flow_below(b, n, index, op);
		json_object *o;

		if (!got->ios && !sent.ios)
			continue;
		o = json_object_new_object();
		json_str(o, "op", op_name(op));
		json_u64(o, "count", got->ios);
		json_u64(o, "bytes", got->bytes);
		json_u64(o, "own", own.ios);
		json_u64(o, "own_bytes", own.bytes);
		json_u64(o, "below", sent.ios);
		json_u64(o, "below_bytes", sent.bytes);
		json_object_array_add(list, o);
	}
	return list;
}
