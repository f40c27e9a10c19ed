// SPDX-License-Identifier: GPL-2.0
/* Take samples of a trace: the differences between two looks at its histograms. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/result/names.h"
#include "blklat/trace/sampling.h"
#include "blklat/trace/source.h"

/* These are the counts of a device at the last look. A row without any I/O has no histogram. */
struct trace_sample_last {
	struct hist rows[NR_ALL_ROWS];
	struct tracing tracing[NR_ALL_ROWS];
	uint64_t completed;
	uint64_t bytes;
};

static int row_since(struct trace_sample_last *last, const struct session *session, size_t dev,
		     unsigned int row, struct hist *since)
{
	uint64_t count, sum;
	struct hist now;

	session_sum(session, dev, NR_OPS, row, &count, &sum);
	if (count == last->rows[row].count)
		return 0;
	if (hist_init(&now, BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS))
		return -ENOMEM;
	if (!last->rows[row].buckets &&
	    hist_init(&last->rows[row], BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS)) {
		hist_free(&now);
		return -ENOMEM;
	}
	session_hist(session, &now, dev, NR_OPS, row);
	if (since)
		hist_since(since, &now, &last->rows[row]);
	hist_free(&last->rows[row]);
	last->rows[row] = now;
	return 0;
}

/*
 * Return what tracing took in a stage, as a mean of the I/Os since the last look; 0 if it is not
 * known.
 */
static double tracing_since(struct trace_sample_last *last, const struct io_source *from,
			    unsigned int row)
{
	struct tracing now = source_tracing(from, row), before = last->tracing[row];

	last->tracing[row] = now;
	/* If a device left the layer meanwhile, its I/Os are missing in the sums. */
	if (now.ios <= before.ios || now.ns < before.ns)
		return 0;
	return (double)(now.ns - before.ns) / (now.ios - before.ios);
}

static int stages_since(struct trace_sample_last *last, const struct io_source *from,
			const char *device, struct result_sample *s)
{
	for (unsigned int k = 0; k < NR_LINES; k++) {
		unsigned int stage = stage_order()[k];
		double tracing = tracing_since(last, from, stage);
		struct result_row *row = NULL;
		uint64_t count, sum;
		int ret;

		session_sum(from->session, from->dev, NR_OPS, stage, &count, &sum);
		if (count == last->rows[stage].count)
			continue;
		if (s) {
			row = result_row_add(&s->rows);
			if (!row)
				return -ENOMEM;
			result_row_name(row, stage, device, from->layers);
		}
		ret = row_since(last, from->session, from->dev, stage, row ? &row->hist : NULL);
		if (ret)
			return ret;
		if (row)
			row->tracing_ns = tracing * row->hist.count;
	}
	return 0;
}

int trace_samples_take(struct trace_samples *t, const struct session *session, size_t i,
		       const struct trace_stack *stack, struct result_sample *s)
{
	struct result_layers layers;
	const struct io_source from = { session, &layers, i, NR_OPS };
	struct trace_sample_last *last = t->devs[i];
	struct blklat_ledger ledger;
	int ret;

	if (!last)
		last = t->devs[i] = calloc(1, sizeof(*last));
	if (!last)
		return -ENOMEM;
	session_ledger(session, i, &ledger);
	if (s) {
		s->traced = true;
		s->ios += ledger.n[COUNT_COMPLETED] - last->completed;
		s->bytes += ledger.n[COUNT_BYTES] - last->bytes;
	}
	last->completed = ledger.n[COUNT_COMPLETED];
	last->bytes = ledger.n[COUNT_BYTES];
	ret = row_since(last, session, i, ROW_OF_SPAN(SPAN_TOTAL), s ? &s->total : NULL);
	if (ret || !stack)
		return ret;
	trace_stack_layers(stack, i, &layers);
	return stages_since(last, &from, stack->devs[i].name, s);
}

void trace_samples_free(struct trace_samples *t)
{
	for (size_t i = 0; i < BLKLAT_MAX_DEVS; i++) {
		for (unsigned int r = 0; t->devs[i] && r < NR_ALL_ROWS; r++)
			hist_free(&t->devs[i]->rows[r]);
		free(t->devs[i]);
		t->devs[i] = NULL;
	}
}
