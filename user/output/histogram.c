// SPDX-License-Identifier: GPL-2.0
/* Put response times into ranges that a person can read. */
#include <errno.h>
#include "core/text.h"
#include "core/units.h"
#include "output/histogram.h"
#include "uapi/loglin.h"

enum { H_FROM, H_TO, H_COUNT, H_PART, H_SUM, H_BAR };

/*
 * Members of the JSON object "range":
 * @from_ns: integer: Smallest time in the range.
 * @to_ns: integer: End of the range: the smallest time that is above the range.
 * @count: integer: Number of I/Os in the range.
 * @pct: number: Share of these I/Os among all I/Os, in per cent.
 * @cumulative_pct: number: Share of the I/Os in this range and in all ranges before it, in per
 *	cent; 100 in the last range.
 */
static const struct column columns[] = {
	[H_FROM] = { "from_ns", "from", COL_TIME },
	[H_TO] = { "to_ns", "below", COL_TIME },
	[H_COUNT] = { "count", "I/Os", COL_EXACT },
	[H_PART] = { "pct", "%", COL_REAL },
	[H_SUM] = { "cumulative_pct", "cumulative", COL_REAL },
	[H_BAR] = { "bar", "", COL_BAR },
};

/* Return the first bucket that begins at or above @edge. */
static uint32_t bucket_at(const struct hist *h, double edge)
{
	uint32_t i;

	if (edge >= (double)loglin_low(h->nbuckets - 1, h->bits))
		return h->nbuckets;
	i = loglin_index((uint64_t)edge, h->bits);
	return loglin_low(i, h->bits) < edge ? i + 1 : i;
}

static void add_range(struct report_table *t, const struct hist *h, uint32_t from, uint32_t to,
		      uint64_t *seen)
{
	uint64_t count = 0;
	uint32_t i;
	int row;

	for (i = from; i < to; i++)
		count += h->buckets[i];
	/* Skip empty ranges before the first I/O and after the last */
	if ((!count && !*seen) || *seen == h->count)
		return;
	*seen += count;
	row = report_row(t, -1);
	report_set_u64(t, row, H_FROM, loglin_low(from, h->bits));
	report_set_u64(t, row, H_TO, to < h->nbuckets ? loglin_low(to, h->bits) : h->max + 1);
	report_set_u64(t, row, H_COUNT, count);
	report_set(t, row, H_PART, percent(count, h->count));
	report_set(t, row, H_SUM, percent(*seen, h->count));
	report_set(t, row, H_BAR, percent(count, h->count));
}

struct report_table *report_histogram(const struct hist *h)
{
	static const double steps[] = { 1, 1.5, 2, 3, 4, 5, 6, 8 };
	struct report_table *t = report_table_new(columns, sizeof(columns) / sizeof(*columns));
	uint32_t from = 0, to;
	uint64_t seen = 0;
	double scale;
	size_t i;

	for (scale = 1; t && from < h->nbuckets; scale *= 10)
		for (i = 0; i < sizeof(steps) / sizeof(*steps) && from < h->nbuckets; i++) {
			to = bucket_at(h, scale * steps[i]);
			if (to <= from)
				continue;
			add_range(t, h, from, to, &seen);
			from = to;
		}
	return t;
}

int report_histogram_print(const char *title, const struct hist *h, FILE *f)
{
	struct report_table *t;
	int ret;

	if (!h->count)
		return 0;
	t = report_histogram(h);
	if (!t)
		return -ENOMEM;
	text_printf(f, "\n%s:\n", title);
	ret = report_print(t, f);
	report_table_free(t);
	return ret;
}
