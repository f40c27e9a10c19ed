// SPDX-License-Identifier: GPL-2.0
/* Take the result of a trace from its session. */
#include <errno.h>
#include "blklat/collect/links.h"
#include "blklat/trace/by.h"
#include "blklat/trace/trace.h"
#include "uapi/loglin.h"

int trace_results(struct trace *t)
{
	while (t->nresults < t->stack.ndevs) {
		if (breakdown_init(&t->results[t->nresults], &t->stack.devs[t->nresults]))
			return err(-ENOMEM, "out of memory");
		t->nresults++;
	}
	return 0;
}

static void collect_tail(const struct session *s, struct breakdown *b, unsigned int dev)
{
	const struct hist *total = &b->rows[ROW_OF_SPAN(SPAN_TOTAL)];

	for (unsigned int i = 0; i < NR_TAILS; i++) {
		struct tail_part *p = &b->tails[i];
		uint32_t first = loglin_index(hist_percentile(total, p->pct), BLKLAT_HIST_BITS) >>
				 BLKLAT_TAIL_SHIFT;

		if (!total->count)
			continue;
		if (first >= BLKLAT_TAIL_GROUPS)
			first = BLKLAT_TAIL_GROUPS - 1;
		p->from_ns = loglin_low(first << BLKLAT_TAIL_SHIFT, BLKLAT_HIST_BITS);
		for (uint32_t k = first; k < BLKLAT_TAIL_GROUPS; k++)
			session_tail(s, &p->sum, dev, k);
	}
}

/* Fill in the place that a device has in the stack at the end of the trace. */
static void describe(struct trace *t, size_t i)
{
	struct breakdown *b = &t->results[i];

	b->kind = t->stack.kinds[i];
	b->shared = t->stack.shared[i];
	b->below = t->stack.below[i];
	b->joined_ns = t->changes.joined_ns[i];
	b->left_ns = t->changes.left_ns[i];
	b->elapsed_ns = trace_changes_time(&t->changes, i, t->elapsed_ns);
	trace_stack_layers(&t->stack, i, b);
}

int trace_collect(struct trace *t)
{
	struct session_cost cost;
	uint64_t ios = 0;

	if (trace_results(t))
		return -ENOMEM;
	session_cost(t->session, &cost);
	for (size_t i = 0; i < t->stack.ndevs; i++) {
		struct breakdown *b = &t->results[i];

		describe(t, i);
		session_ledger(t->session, i, &b->ledger);
		for (size_t k = 0; k < t->stack.ndevs; k++)
			b->edges[k] = *session_edge(t->session, i, k);
		b->nends = session_own_ends(t->session, i, b->ends);
		links_name_ends(b->ends, b->nends);
		ios += b->ledger.n[COUNT_COMPLETED];
		for (unsigned int r = 0; r < NR_ALL_ROWS; r++) {
			session_hist(t->session, &b->rows[r], i, NR_OPS, r);
			for (unsigned int o = 0; o < NR_OPS; o++)
				session_hist(t->session, &b->ops[o][r], i, o, r);
		}
		collect_tail(t->session, b, i);
		if (t->cfg->by && i < t->stack.ntops &&
		    trace_by_collect(session_by(t->session), i, t->cfg->by, b))
			return -ENOMEM;
	}
	for (size_t i = 0; i < t->stack.ndevs; i++)
		t->results[i].cost = (struct trace_cost) {
			.per_io_ns = cost.run_ns && ios ? (double)cost.run_ns / ios : -1,
			.programs = cost.nr_progs,
			.runs = cost.runs,
			.misses = cost.misses,
			.attach_ns = cost.attach_ns,
			.user_per_io_ns = ios ? (double)cost.user_ns / ios : -1,
		};
	return 0;
}
