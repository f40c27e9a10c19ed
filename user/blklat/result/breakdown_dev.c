// SPDX-License-Identifier: GPL-2.0
/* Make a device of a result from its breakdown. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "blklat/result/breakdown.h"
#include "blklat/result/names.h"

/* All breakdowns of a trace, and the one to take. */
struct choice {
	const struct breakdown *list;
	size_t n;
	size_t index;
};

static const struct hist *rows_of_op(const struct breakdown *b, unsigned int op)
{
	return op < NR_OPS ? b->ops[op] : b->rows;
}

/*
 * Return how much of the sum of a stage's times tracing itself took, in ns; 0 if it is not known.
 * An I/O of which tracing's part is not known counts as one without tracing.
 */
static uint64_t tracing_of(const struct choice *c, unsigned int op, unsigned int row)
{
	const struct breakdown *b = &c->list[c->index];
	unsigned int span, own;
	uint64_t ios = 0, sum = 0, devs = breakdown_tracing(b, c->index, row, &span, &own);

	for (; devs; devs &= devs - 1) {
		const struct hist *rows = rows_of_op(&c->list[__builtin_ctzll(devs)], op);

		ios += rows[own].count;
		sum += rows[span].sum;
	}
	return ios ? (double)sum / ios * rows_of_op(b, op)[row].count : 0;
}

/*
 * Make rows of the distributions @from. With @all, also of those that are empty. @op is the kind
 * of their I/Os: NR_OPS for all kinds, NR_OPS + 1 for a group of --by, for which the time that
 * tracing took is not known.
 */
static int rows_of(const struct choice *c, const struct hist *from, unsigned int op, bool all,
		   struct result_rows *rows)
{
	const unsigned int *order = breakdown_row_order();
	const struct breakdown *b = &c->list[c->index];

	rows->v = calloc(NR_LINES, sizeof(*rows->v));
	if (!rows->v)
		return -ENOMEM;
	for (unsigned int k = 0; k < NR_LINES; k++) {
		struct result_row *to = &rows->v[rows->n];

		if (!all && !from[order[k]].count && order[k] != STAGE_UNATTRIBUTED)
			continue;
		breakdown_row_name(b, order[k], to);
		to->hist = from[order[k]];
		if (op <= NR_OPS)
			to->tracing_ns = tracing_of(c, op, order[k]);
		rows->n++;
	}
	return 0;
}

/* Add a group whose distributions are @from, unless it is empty. Return: 0 or -ENOMEM. */
static int add_group(const struct choice *c, const struct hist *from, unsigned int op,
		     struct result_group group, struct result_groups *groups)
{
	struct result_group *v;
	int ret;

	group.total = from[ROW_OF_SPAN(SPAN_TOTAL)];
	if (!group.total.count)
		return 0;
	v = realloc(groups->v, (groups->n + 1) * sizeof(*v));
	if (!v)
		return -ENOMEM;
	groups->v = v;
	group.p50_ns = hist_percentile(&group.total, 50);
	group.p99_ns = hist_percentile(&group.total, 99);
	ret = rows_of(c, from, op, false, &group.rows);
	if (!ret)
		v[groups->n++] = group;
	return ret;
}

static int groups_of(const struct choice *c, struct result_dev *d)
{
	const struct breakdown *b = &c->list[c->index];
	int ret = 0;

	for (unsigned int op = 0; op < NR_OPS && !ret; op++)
		ret = add_group(c, b->ops[op], op,
				(struct result_group){ .name = op_name(op) }, &d->ops);
	d->by_key = b->by_key;
	for (size_t i = 0; i < b->nby && !ret; i++) {
		const struct breakdown_by *by = &b->by[i];

		ret = add_group(c, by->rows, NR_OPS + 1, (struct result_group){
			.name = by->name, .has_id = by->has_id, .id = by->id, .others = by->others,
		}, &d->by);
	}
	return ret;
}

static int tails_of(const struct breakdown *b, struct result_dev *d)
{
	const unsigned int *order = breakdown_row_order();

	d->tails = calloc(NR_TAILS, sizeof(*d->tails));
	if (!d->tails)
		return -ENOMEM;
	while (d->ntails < NR_TAILS) {
		const struct tail_part *p = &b->tails[d->ntails];
		struct result_tail *t = &d->tails[d->ntails++];

		*t = (struct result_tail){ p->pct, p->from_ns, p->sum.count, p->sum.total };
		t->rows.v = calloc(NR_LINES, sizeof(*t->rows.v));
		if (!t->rows.v)
			return -ENOMEM;
		for (unsigned int k = 0; k < NR_LINES; k++) {
			unsigned int row = order[k];
			uint64_t sum = row >= NR_ROWS ? p->sum.layer[row - NR_ROWS] :
							p->sum.stage[row];

			if (!sum)
				continue;
			breakdown_row_name(b, row, &t->rows.v[t->rows.n]);
			t->rows.v[t->rows.n++].hist.sum = sum;
		}
	}
	return 0;
}

static int spans_of(const struct breakdown *b, struct result_dev *d)
{
	d->spans.v = calloc(NR_SPANS, sizeof(*d->spans.v));
	if (!d->spans.v)
		return -ENOMEM;
	for (unsigned int s = SPAN_TOTAL + 1; s < NR_SPANS; s++) {
		const struct hist *h = &b->rows[ROW_OF_SPAN(s)];

		d->spans.v[d->spans.n++] = (struct result_group){
			.name = span_name(s),
			.total = *h,
			.p50_ns = hist_percentile(h, 50),
			.p99_ns = hist_percentile(h, 99),
		};
	}
	return 0;
}

int breakdown_dev(const struct breakdown *list, size_t n, size_t index, struct result_dev *d)
{
	const struct choice c = { list, n, index };
	const struct breakdown *b = &list[index];
	int ret;

	*d = (struct result_dev){
		.borrows = true,
		.facts = *b->dev,
		.elapsed_ns = b->elapsed_ns,
		.joined_ns = b->joined_ns,
		.left_ns = b->left_ns,
		.ledger = b->ledger,
		.total = *breakdown_total(b),
		.cost = b->cost,
	};
	snprintf(d->name, sizeof(d->name), "%s", b->dev->name);
	ret = rows_of(&c, b->rows, NR_OPS, true, &d->rows);
	ret = ret ?: groups_of(&c, d);
	ret = ret ?: tails_of(b, d);
	ret = ret ?: spans_of(b, d);
	return ret ?: breakdown_stack(list, n, index, d);
}
