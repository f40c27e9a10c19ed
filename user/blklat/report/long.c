// SPDX-License-Identifier: GPL-2.0
/* blklat report: make one long table of all results, for CSV and JSON. */
#include <math.h>
#include <string.h>
#include "blklat/report/long.h"

enum {
	C_FILE, C_DEVICE, C_LABEL, C_SAMPLE, C_TRACED, C_AT, C_ELAPSED, C_STAGE, C_GROUP, C_LAYER,
	C_COUNT, C_BYTES, C_CPU, C_SUM, C_MEAN, C_PER_IO, C_MIN, C_P50, C_P90, C_P95, C_P99, C_P999,
	C_P9999, C_P99999, C_MAX, NR_C
};

/*
 * Members of the JSON object "report row":
 * @file: string: Path of the file.
 * @device: string: Name of the device in the kernel.
 * @label: string: Name that the user gave to the device.
 * @sample: integer, optional: Number of the part of the run: the interval, or in a comparison the
 *	round. Absent in rows of the whole run.
 * @traced: integer, optional: Only for a part of the run: 1 with tracing, 0 without.
 * @at_ns: integer, optional: Only for a part of the run: time from the start to its begin.
 * @elapsed_ns: integer: Length of the part, or how long the device was traced in the whole run.
 * @stage: string: ``total``, or name of the stage.
 * @group: string, optional: Group of the stage. Absent for a total.
 * @layer: string, optional: Layer of the stage, as in the JSON of a trace. Absent for a total.
 * @count: integer: Number of I/Os that have the stage. For a total, number of all I/Os that ended.
 * @bytes: integer, optional: Only for a total: bytes of these I/Os.
 * @cpu_ns_per_io: number, optional: Only for a total: CPU time per I/O, if it is known.
 * @sum_ns: integer: Sum of the times of the stage.
 * @mean_ns: number, optional: Mean time per I/O that has the stage. This, the shortest and the
 *	longest time and the percentiles are absent if no I/O has the stage.
 * @per_io_ns: number, optional: ``sum_ns`` divided by the number of all I/Os of the device. These
 *	means of the stages add up to that of the total.
 * @min_ns: integer, optional: Shortest time.
 * @p50_ns: integer, optional: 50th percentile of the times.
 * @p90_ns: integer, optional: 90th percentile.
 * @p95_ns: integer, optional: 95th percentile.
 * @p99_ns: integer, optional: 99th percentile.
 * @p99_9_ns: integer, optional: 99.9th percentile.
 * @p99_99_ns: integer, optional: 99.99th percentile.
 * @p99_999_ns: integer, optional: 99.999th percentile.
 * @max_ns: integer, optional: Longest time.
 */
static const struct column columns[NR_C] = {
	[C_FILE] = { "file", "file", COL_STR },
	[C_DEVICE] = { "device", "device", COL_STR },
	[C_LABEL] = { "label", "label", COL_STR },
	[C_SAMPLE] = { "sample", "sample", COL_EXACT },
	[C_TRACED] = { "traced", "traced", COL_EXACT },
	[C_AT] = { "at_ns", "at", COL_EXACT },
	[C_ELAPSED] = { "elapsed_ns", "elapsed", COL_EXACT },
	[C_STAGE] = { "stage", "stage", COL_STR },
	[C_GROUP] = { "group", "group", COL_STR },
	[C_LAYER] = { "layer", "layer", COL_STR },
	[C_COUNT] = { "count", "I/Os", COL_EXACT },
	[C_BYTES] = { "bytes", "bytes", COL_EXACT },
	[C_CPU] = { "cpu_ns_per_io", "CPU", COL_TIME },
	[C_SUM] = { "sum_ns", "sum", COL_EXACT },
	[C_MEAN] = { "mean_ns", "mean", COL_TIME },
	[C_PER_IO] = { "per_io_ns", "per I/O", COL_TIME },
	[C_MIN] = { "min_ns", "min", COL_TIME },
	[C_P50] = { "p50_ns", "p50", COL_TIME },
	[C_P90] = { "p90_ns", "p90", COL_TIME },
	[C_P95] = { "p95_ns", "p95", COL_TIME },
	[C_P99] = { "p99_ns", "p99", COL_TIME },
	[C_P999] = { "p99_9_ns", "p99.9", COL_TIME },
	[C_P9999] = { "p99_99_ns", "p99.99", COL_TIME },
	[C_P99999] = { "p99_999_ns", "p99.999", COL_TIME },
	[C_MAX] = { "max_ns", "max", COL_TIME },
};

/* The common data of all rows of one part of a run of one device. @s: NULL for the whole run */
struct part_of_run {
	const char *file;
	const struct result_dev *dev;
	const struct result_sample *s;
	const struct hist *total;
	const struct result_rows *rows;
};

static int add_row(struct report_table *t, const struct part_of_run *p, const char *stage,
		   const struct hist *h)
{
	const struct percentile *pct = std_percentiles;
	int row = report_row(t, -1);

	report_set_str(t, row, C_FILE, p->file);
	report_set_str(t, row, C_DEVICE, p->dev->name);
	report_set_str(t, row, C_LABEL, p->dev->label);
	if (p->s) {
		report_set_u64(t, row, C_SAMPLE, p->s->round);
		report_set_u64(t, row, C_TRACED, p->s->traced);
		report_set_u64(t, row, C_AT, p->s->at_ns);
	}
	report_set_u64(t, row, C_ELAPSED, p->s ? p->s->elapsed_ns : p->dev->elapsed_ns);
	report_set_str(t, row, C_STAGE, stage);
	report_set_u64(t, row, C_COUNT, h->count);
	report_set_u64(t, row, C_SUM, h->sum);
	if (p->total->count)
		report_set(t, row, C_PER_IO, (double)h->sum / p->total->count);
	if (!h->count)
		return row;
	report_set(t, row, C_MEAN, hist_mean(h));
	report_set_u64(t, row, C_MIN, h->min);
	for (size_t c = C_P50; c <= C_P99999; c++, pct++)
		report_set_u64(t, row, c, hist_percentile(h, pct->pct));
	report_set_u64(t, row, C_MAX, h->max);
	return row;
}

static void add_part(struct report_table *t, const struct part_of_run *p)
{
	int row = add_row(t, p, "total", p->total);

	if (p->s) {
		/*
		 * The load of an untraced sample may tell the number of I/Os but not their
		 * latencies.
		 */
		report_set_u64(t, row, C_COUNT, p->s->ios);
		report_set_u64(t, row, C_BYTES, p->s->bytes);
		report_set(t, row, C_CPU, p->s->cpu_ns);
	} else {
		report_set_u64(t, row, C_BYTES, result_bytes(p->dev));
	}
	for (size_t i = 0; i < p->rows->n; i++) {
		const struct result_row *r = &p->rows->v[i];

		row = add_row(t, p, r->stage, &r->hist);
		report_set_str(t, row, C_GROUP, r->group);
		report_set_str(t, row, C_LAYER, r->layer);
	}
}

struct report_table *report_long(const struct report_set *set)
{
	struct report_table *t = report_table_new(columns, NR_C);

	for (size_t f = 0; f < set->n && t; f++)
		for (size_t i = 0; i < set->results[f].ndevs; i++) {
			const struct result_dev *d = &set->results[f].devs[i];
			struct part_of_run p = {
				set->results[f].path, d, NULL, &d->total, &d->rows
			};

			add_part(t, &p);
			for (size_t k = 0; k < d->nsamples; k++) {
				p.s = &d->samples[k];
				p.total = &p.s->total;
				p.rows = &p.s->rows;
				add_part(t, &p);
			}
		}
	return t;
}
