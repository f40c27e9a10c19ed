// SPDX-License-Identifier: GPL-2.0
/* blklat report: make tables of result files. */
#include "blklat/report/tables.h"
#include "core/units.h"

uint64_t report_missed(const struct report_set *set)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < set->n; i++) {
		const struct result *r = &set->results[i];
		uint64_t most = 0;

		/* All devices of one trace have the same figure. */
		for (size_t k = 0; k < r->ndevs; k++)
			most = r->devs[k].cost.misses > most ? r->devs[k].cost.misses : most;
		sum += most;
	}
	return sum;
}

enum { S_DEVICE, S_IOS, S_RATE, S_BW, S_MEAN, S_P50, S_P99, S_P999, S_MAX, S_LOST, NR_S };

static const struct column summary_columns[NR_S] = {
	[S_DEVICE] = { "device", "device", COL_STR, COL_LEFT },
	[S_IOS] = { "count", "I/Os", COL_EXACT },
	[S_RATE] = { "iops", "IOPS", COL_COUNT },
	[S_BW] = { "bytes_per_s", "bandwidth", COL_BW },
	[S_MEAN] = { "mean_ns", "mean", COL_TIME },
	[S_P50] = { "p50_ns", "p50", COL_TIME },
	[S_P99] = { "p99_ns", "p99", COL_TIME },
	[S_P999] = { "p99.9_ns", "p99.9", COL_TIME },
	[S_MAX] = { "max_ns", "max", COL_TIME },
	[S_LOST] = { "lost", "lost", COL_EXACT },
};

struct report_rate {
	double ios, bytes;
};

/*
 * Return the I/Os and bytes per second of the traced samples. Do not divide by the time of the
 * whole run, because in a comparison other devices have turns in it, too.
 */
static struct report_rate rate_of(const struct result_dev *d)
{
	struct report_rate sum = { 0 };
	double seconds = 0;

	for (size_t i = 0; i < d->nsamples; i++) {
		if (!d->samples[i].traced)
			continue;
		sum.ios += d->samples[i].ios;
		sum.bytes += d->samples[i].bytes;
		seconds += d->samples[i].elapsed_ns / 1e9;
	}
	return (struct report_rate){ sum.ios / seconds, sum.bytes / seconds };
}

static void add_latency(struct report_table *t, int row, const struct hist *h)
{
	if (!h->count)
		return;
	report_set(t, row, S_MEAN, hist_mean(h));
	report_set(t, row, S_P50, hist_percentile(h, 50));
	report_set(t, row, S_P99, hist_percentile(h, 99));
	report_set(t, row, S_P999, hist_percentile(h, 99.9));
	report_set(t, row, S_MAX, h->max);
}

struct report_table *report_summary(const struct plot_set *set)
{
	struct report_table *t = report_table_new(summary_columns, NR_S);

	for (size_t i = 0; i < set->n && t; i++) {
		const struct result_dev *d = set->devs[i].dev;
		struct report_rate rate = rate_of(d);
		int row = report_row(t, -1);

		report_set_str(t, row, S_DEVICE, set->devs[i].label);
		report_set_u64(t, row, S_IOS, d->total.count);
		report_set(t, row, S_RATE, rate.ios);
		report_set(t, row, S_BW, rate.bytes);
		add_latency(t, row, &d->total);
		report_set_u64(t, row, S_LOST, ledger_lost(&d->ledger));
	}
	return t;
}

enum { L_DEVICE, L_IOS, L_SHARE, L_BYTES, L_BSHARE, L_CRITICAL, L_MEAN, L_P99, NR_L };

static const struct column leg_columns[NR_L] = {
	[L_DEVICE] = { "device", "device", COL_STR, COL_TREE },
	[L_IOS] = { "linked", "I/Os", COL_EXACT },
	[L_SHARE] = { "share_pct", "of all", COL_PERCENT },
	[L_BYTES] = { "bytes", "bytes", COL_SIZE },
	[L_BSHARE] = { "bytes_pct", "of all", COL_PERCENT },
	[L_CRITICAL] = { "critical_pct", "critical", COL_PERCENT },
	[L_MEAN] = { "mean_ns", "mean", COL_TIME },
	[L_P99] = { "p99_ns", "p99", COL_TIME },
};

static void add_leg(struct report_table *t, int parent, const struct result_leg *leg, double bytes)
{
	int row = report_row(t, parent);

	report_set_str(t, row, L_DEVICE, leg->device);
	report_set_u64(t, row, L_IOS, leg->linked);
	report_set(t, row, L_SHARE, leg->share_pct);
	report_set_u64(t, row, L_BYTES, leg->bytes);
	report_set(t, row, L_BSHARE, percent(leg->bytes, bytes));
	report_set(t, row, L_CRITICAL, leg->critical_pct);
	if (!leg->ios)
		return;
	report_set(t, row, L_MEAN, leg->mean_ns);
	report_set(t, row, L_P99, leg->p99_ns);
}

struct report_table *report_legs(const struct plot_set *set)
{
	struct report_table *t = NULL;

	for (size_t i = 0; i < set->n; i++) {
		const struct result_dev *d = set->devs[i].dev;
		uint64_t bytes = 0;
		int row;

		if (!d->nlegs)
			continue;
		t = t ?: report_table_new(leg_columns, NR_L);
		if (!t)
			return NULL;
		for (size_t k = 0; k < d->nlegs; k++)
			bytes += d->legs[k].bytes;
		row = report_row(t, -1);
		report_set_str(t, row, L_DEVICE, set->devs[i].label);
		report_row_bold(t, row);
		report_set_u64(t, row, L_IOS, d->total.count);
		report_set_u64(t, row, L_BYTES, result_bytes(d));
		report_set(t, row, L_MEAN, hist_mean(&d->total));
		report_set(t, row, L_P99, hist_percentile(&d->total, 99));
		for (size_t k = 0; k < d->nlegs; k++)
			add_leg(t, row, &d->legs[k], bytes);
	}
	return t;
}

static const struct {
	struct column column;
	int counter;		/* enum blklat_counter; -1 if the column is no counter */
} ledger_columns[] = {
	{ { "device", "device", COL_STR, COL_LEFT }, -1 },
	{ { "started", "started", COL_EXACT }, COUNT_STARTED },
	{ { "completed", "completed", COL_EXACT }, COUNT_COMPLETED },
	{ { "inflight", "in flight", COL_EXACT }, COUNT_INFLIGHT },
	{ { "lost", "lost", COL_EXACT }, -1 },
	{ { "lost_full", "no slot", COL_EXACT }, COUNT_LOST_FULL },
	{ { "lost_end", "end missed", COL_EXACT }, COUNT_LOST_END },
	{ { "lost_queue", "start missed", COL_EXACT }, COUNT_LOST_QUEUE },
	{ { "errors", "errors", COL_EXACT }, COUNT_ERRORS },
	{ { "unsplit", "not split", COL_EXACT }, -1 },
};
enum { G_DEVICE, G_LOST = 4, G_UNSPLIT = 9 };
#define NR_LEDGER_COLUMNS (sizeof(ledger_columns) / sizeof(*ledger_columns))

struct report_table *report_ledgers(const struct plot_set *set)
{
	struct column cols[NR_LEDGER_COLUMNS];
	struct report_table *t;

	for (size_t c = 0; c < NR_LEDGER_COLUMNS; c++)
		cols[c] = ledger_columns[c].column;
	t = report_table_new(cols, NR_LEDGER_COLUMNS);
	for (size_t i = 0; i < set->n && t; i++) {
		const struct result_dev *d = set->devs[i].dev;
		int row = report_row(t, -1);

		report_set_str(t, row, G_DEVICE, set->devs[i].label);
		for (size_t c = 0; c < NR_LEDGER_COLUMNS; c++) {
			int counter = ledger_columns[c].counter;

			if (counter >= 0)
				report_set_u64(t, row, c, ledger_count(&d->ledger, counter));
		}
		report_set_u64(t, row, G_LOST, ledger_lost(&d->ledger));
		report_set_u64(t, row, G_UNSPLIT, d->unsplit);
	}
	return t;
}

bool report_missing(const struct result *r, size_t i, char *buf, size_t len)
{
	json_object *list = doc_get(r->doc, "missing"), *o;

	if (i >= doc_len(list))
		return false;
	o = doc_at(list, i);
	snprintf(buf, len, "%s: %s", doc_str(o, "reason"), doc_str(o, "effect"));
	return true;
}
