// SPDX-License-Identifier: GPL-2.0
/* Read the stages of some I/Os of a trace. */
#include <errno.h>
#include <stdlib.h>
#include "blklat/result/names.h"
#include "blklat/trace/source.h"

struct tracing source_tracing(const struct io_source *s, unsigned int row)
{
	unsigned int depth = (row - NR_ROWS) / NR_LAYER_STAGES, own = row, span;
	uint64_t devs, ios, ns, unused;
	struct tracing sum = { 0 };

	if (row >= NR_ROWS)
		own = ROW_OF_LAYER(0, (row - NR_ROWS) % NR_LAYER_STAGES);
	if (own == STAGE_ALLOC)
		span = SPAN_ALLOC_COST;
	else if (own == STAGE_DELIVER)
		span = SPAN_DELIVER_COST;
	else if (own == ROW_OF_LAYER(0, LAYER_SUBMIT))
		span = SPAN_SUBMIT_COST;
	else if (own == ROW_OF_LAYER(0, LAYER_COMPLETE))
		span = SPAN_COMPLETE_COST;
	else
		return sum;
	devs = row == STAGE_ALLOC ? s->layers->leaf_devs :
	       row == STAGE_DELIVER ? DEV_BIT(s->dev) : s->layers->devs[depth];
	for (; devs; devs &= devs - 1) {
		unsigned int i = __builtin_ctzll(devs);

		session_sum(s->session, i, s->op, own, &ios, &unused);
		session_sum(s->session, i, s->op, ROW_OF_SPAN(span), &unused, &ns);
		sum.ios += ios;
		sum.ns += ns;
	}
	return sum;
}

static void read_hist(const struct io_source *s, struct hist *h, unsigned int row)
{
	if (!s->groups)
		session_hist(s->session, h, s->dev, s->op, row);
	for (size_t i = 0; i < s->ngroups; i++)
		if (s->groups[i]->rows[row])
			hist_merge(h, s->groups[i]->rows[row]);
}

/*
 * Read a stage, and how much of the sum of its times tracing itself took. An I/O of which tracing's
 * part is not known counts as one without tracing. The part is not known for groups of --by.
 */
static void read_row(const struct io_source *s, struct result_row *to, unsigned int row)
{
	struct tracing tracing = { 0 };

	read_hist(s, &to->hist, row);
	if (to->hist.count && !s->groups)
		tracing = source_tracing(s, row);
	if (tracing.ios)
		to->tracing_ns = (double)tracing.ns / tracing.ios * to->hist.count;
}

void source_read(const struct io_source *s, struct result_rows *rows)
{
	for (unsigned int k = 0; k < NR_LINES; k++)
		read_row(s, &rows->v[k], stage_order()[k]);
}

int source_add_group(const struct io_source *s, const struct result_rows *like,
		     struct result_group group, struct result_groups *groups)
{
	struct result_group *g = realloc(groups->v, (groups->n + 1) * sizeof(*g));

	if (!g)
		return -ENOMEM;
	groups->v = g;
	g += groups->n;
	*g = group;
	if (hist_init(&g->total, BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS))
		return -ENOMEM;
	read_hist(s, &g->total, ROW_OF_SPAN(SPAN_TOTAL));
	if (!g->total.count) {
		hist_free(&g->total);
		return 0;
	}
	groups->n++;
	g->p50_ns = hist_percentile(&g->total, 50);
	g->p99_ns = hist_percentile(&g->total, 99);
	for (unsigned int k = 0; k < NR_LINES; k++) {
		unsigned int row = stage_order()[k];
		struct result_row *to = result_row_like(&g->rows, &like->v[k]);

		if (!to)
			return -ENOMEM;
		read_row(s, to, row);
		if (!to->hist.count && row != STAGE_UNATTRIBUTED)
			hist_free(&g->rows.v[--g->rows.n].hist);
	}
	return 0;
}
