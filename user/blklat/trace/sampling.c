// SPDX-License-Identifier: GPL-2.0
/* Take samples of a trace: the differences between two looks at its histograms. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/trace/sampling.h"

/* These are the counts of a device at the last look. A row without any I/O has no histogram. */
struct trace_sample_last {
	struct hist rows[NR_ALL_ROWS];
	struct tracing {
		uint64_t ios, ns;
	} tracing[NR_ALL_ROWS];
	uint64_t completed;
	uint64_t bytes;
};

static int row_since(struct trace_sample_last *last, const struct session *session, size_t dev,
		     unsigned int row, struct hist *since)
{
	uint64_t count, sum;
	struct hist now;

	session_sum(session, dev, row, &count, &sum);
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
 * Return what tracing took in a stage of device @dev, as a mean of the I/Os since the last look; 0
 * if it is not known.
 */
static double tracing_since(struct trace_sample_last *last, const struct session *session,
			    size_t dev, const struct breakdown *b, unsigned int row)
{
	struct tracing now = { 0 }, before = last->tracing[row];
	unsigned int span, own;
	uint64_t devs = breakdown_tracing(b, dev, row, &span, &own);

	for (; devs; devs &= devs - 1) {
		unsigned int i = __builtin_ctzll(devs);
		uint64_t ios, ns, unused;

		session_sum(session, i, span, &unused, &ns);
		session_sum(session, i, own, &ios, &unused);
		now.ios += ios;
		now.ns += ns;
	}
	last->tracing[row] = now;
	/* If a device left the layer meanwhile, its I/Os are missing in the sums. */
	if (now.ios <= before.ios || now.ns < before.ns)
		return 0;
	return (double)(now.ns - before.ns) / (now.ios - before.ios);
}

static int stages_since(struct trace_sample_last *last, const struct session *session, size_t dev,
			const struct breakdown *b, struct result_sample *s)
{
	const unsigned int *order = breakdown_row_order();

	for (unsigned int k = 0; k < NR_LINES; k++) {
		double tracing = tracing_since(last, session, dev, b, order[k]);
		struct result_row *row = NULL;
		uint64_t count, sum;
		int ret;

		session_sum(session, dev, order[k], &count, &sum);
		if (count == last->rows[order[k]].count)
			continue;
		if (s) {
			row = result_row_add(&s->rows);
			if (!row)
				return -ENOMEM;
			breakdown_row_name(b, order[k], row);
		}
		ret = row_since(last, session, dev, order[k], row ? &row->hist : NULL);
		if (ret)
			return ret;
		if (row)
			row->tracing_ns = tracing * row->hist.count;
	}
	return 0;
}

int trace_samples_take(struct trace_samples *t, const struct session *session, size_t i,
		       const struct breakdown *b, bool rows, struct result_sample *s)
{
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
	if (!ret && rows)
		ret = stages_since(last, session, i, b, s);
	return ret;
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
