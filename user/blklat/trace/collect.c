// SPDX-License-Identifier: GPL-2.0
/* Take the result of a trace from its session. */
#include <errno.h>
#include <stdlib.h>
#include "blklat/trace/by.h"
#include "blklat/trace/collect.h"
#include "blklat/trace/source.h"
#include "uapi/loglin.h"

/* Set the stages that took time in the I/Os of a tail. */
static int tail_rows(const struct blklat_tail *sum, const struct result_rows *like,
		     struct result_rows *rows)
{
	rows->v = calloc(NR_LINES, sizeof(*rows->v));
	if (!rows->v)
		return -ENOMEM;
	for (unsigned int k = 0; k < NR_LINES; k++) {
		unsigned int row = stage_order()[k];
		uint64_t ns = row >= NR_ROWS ? sum->layer[row - NR_ROWS] : sum->stage[row];

		if (!ns)
			continue;
		rows->v[rows->n] = like->v[k];
		rows->v[rows->n].tracing_ns = 0;
		rows->v[rows->n++].hist = (struct hist){ .sum = ns };
	}
	return 0;
}

static int collect_tail(const struct session *s, const struct result_dev *d, unsigned int dev,
			struct result_tail *t)
{
	uint32_t first = loglin_index(hist_percentile(&d->total, t->pct), BLKLAT_HIST_BITS) >>
			 BLKLAT_TAIL_SHIFT;
	struct blklat_tail sum = { 0 };

	if (!d->total.count)
		return 0;
	if (first >= BLKLAT_TAIL_GROUPS)
		first = BLKLAT_TAIL_GROUPS - 1;
	for (uint32_t k = first; k < BLKLAT_TAIL_GROUPS; k++)
		session_tail(s, &sum, dev, k);
	t->from_ns = loglin_low(first << BLKLAT_TAIL_SHIFT, BLKLAT_HIST_BITS);
	t->count = sum.count;
	t->sum_ns = sum.total;
	return tail_rows(&sum, &d->rows, &t->rows);
}

int collect_device(const struct trace *t, size_t i, uint64_t elapsed_ns, struct result_dev *d)
{
	struct result_layers layers;
	struct io_source s = { .session = t->session, .layers = &layers, .dev = i, .op = NR_OPS };
	int ret;

	trace_stack_layers(&t->stack, i, &layers);
	ret = result_dev_new(d, &t->stack.devs[i], &layers);
	if (ret)
		return ret;
	d->top = i < t->stack.ntops;
	d->joined_ns = t->changes.joined_ns[i];
	d->left_ns = t->changes.left_ns[i];
	d->elapsed_ns = trace_changes_time(&t->changes, i, elapsed_ns);
	session_ledger(t->session, i, &d->ledger);
	session_hist(t->session, &d->total, i, NR_OPS, ROW_OF_SPAN(SPAN_TOTAL));
	source_read(&s, &d->rows);
	for (unsigned int k = 0; k < d->spans.n; k++) {
		struct result_group *span = &d->spans.v[k];

		session_hist(t->session, &span->total, i, NR_OPS, ROW_OF_SPAN(SPAN_TOTAL + 1 + k));
		span->p50_ns = hist_percentile(&span->total, 50);
		span->p99_ns = hist_percentile(&span->total, 99);
	}
	for (s.op = 0; s.op < NR_OPS && !ret; s.op++)
		ret = source_add_group(&s, &d->rows,
				       (struct result_group){ .name = op_name(s.op) }, &d->ops);
	return ret;
}

static int collect_devices(struct trace *t)
{
	int ret = 0;

	for (size_t i = 0; i < t->stack.ndevs && !ret; i++) {
		struct result_dev *d = &t->devs[i];

		ret = collect_device(t, i, t->elapsed_ns, d);
		for (size_t k = 0; k < d->ntails && !ret; k++)
			ret = collect_tail(t->session, d, i, &d->tails[k]);
		if (!ret && t->cfg->by && i < t->stack.ntops)
			ret = trace_by_collect(session_by(t->session), i, t->cfg->by, d);
	}
	for (size_t i = 0; i < t->stack.ndevs && !ret; i++)
		ret = collect_stack(t, i);
	return ret;
}

int trace_collect(struct trace *t)
{
	struct session_cost cost;
	uint64_t ios = 0;

	session_cost(t->session, &cost);
	t->devs = calloc(t->stack.ndevs, sizeof(*t->devs));
	if (!t->devs || collect_devices(t))
		return err(-ENOMEM, "out of memory");
	for (size_t i = 0; i < t->stack.ndevs; i++)
		ios += t->devs[i].ledger.n[COUNT_COMPLETED];
	for (size_t i = 0; i < t->stack.ndevs; i++)
		t->devs[i].cost = (struct trace_cost) {
			.per_io_ns = cost.run_ns && ios ? (double)cost.run_ns / ios : -1,
			.programs = cost.nr_progs,
			.runs = cost.runs,
			.misses = cost.misses,
			.attach_ns = cost.attach_ns,
			.user_per_io_ns = ios ? (double)cost.user_ns / ios : -1,
		};
	return 0;
}
