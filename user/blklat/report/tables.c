// SPDX-License-Identifier: GPL-2.0
/* blklat report: make tables of result files. */
#include <stdlib.h>
#include <string.h>
#include "blklat/report/report.h"
#include "blklat/report/stage_table.h"
#include "core/units.h"

json_object *doc_get(json_object *o, const char *key)
{
	json_object *v = NULL;

	return o && json_object_object_get_ex(o, key, &v) ? v : NULL;
}

uint64_t doc_u64(json_object *o, const char *key)
{
	return json_object_get_uint64(doc_get(o, key));
}

double doc_real(json_object *o, const char *key)
{
	return json_object_get_double(doc_get(o, key));
}

const char *doc_str(json_object *o, const char *key)
{
	return json_object_get_string(doc_get(o, key)) ?: "";
}

size_t doc_len(json_object *list)
{
	return json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
}

uint64_t report_missed(const struct report_set *set)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < set->n; i++) {
		const struct result *r = &set->results[i];
		uint64_t most = 0;

		/* All devices of one trace have the same figure. */
		for (size_t k = 0; k < r->ndevs; k++) {
			uint64_t n = doc_u64(doc_get(r->devs[k].doc, "cost"), "events_missed");

			most = n > most ? n : most;
		}
		sum += most;
	}
	return sum;
}

void report_facts_text(const struct result_dev *d, char *buf, size_t len)
{
	json_object *o = doc_get(d->doc, "facts");
	const char *model = doc_str(o, "model"), *driver = doc_str(o, "driver");
	char size[FMT_LEN];
	size_t n;

	fmt_size(size, sizeof(size), doc_u64(o, "size"));
	n = snprintf(buf, len, "%s: %s%s%s, %s, LBA %llu; %s%s%s", d->name,
		     *model ? model : *driver ? driver : "block device",
		     *doc_str(o, "firmware") ? ", firmware " : "", doc_str(o, "firmware"), size,
		     (unsigned long long)doc_u64(o, "logical_block_size"), *driver ? driver : "unknown driver",
		     *doc_str(o, "transport") ? " " : "", doc_str(o, "transport"));
	if (n >= len)
		return;
	if (json_object_get_boolean(doc_get(o, "bio_based")))
		snprintf(buf + n, len - n, ", bio based");
	else
		snprintf(buf + n, len - n, ", %llu queue%s of %llu, scheduler %s",
			 (unsigned long long)doc_u64(o, "queues"), doc_u64(o, "queues") == 1 ? "" : "s",
			 (unsigned long long)doc_u64(o, "queue_depth"),
			 *doc_str(o, "scheduler") ? doc_str(o, "scheduler") : "none");
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
 * Return the I/Os and bytes per second of the traced samples. The time of the whole run is no
 * base: in a comparison, other devices have their turns in it.
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
		json_object *ledger = doc_get(d->doc, "ledger");
		struct report_rate rate = rate_of(d);
		int row = report_row(t, -1);

		report_set_str(t, row, S_DEVICE, set->devs[i].label);
		report_set_u64(t, row, S_IOS, d->total.count);
		report_set(t, row, S_RATE, rate.ios);
		report_set(t, row, S_BW, rate.bytes);
		add_latency(t, row, &d->total);
		report_set_u64(t, row, S_LOST, doc_u64(ledger, "lost"));
	}
	return t;
}

struct report_table *report_stages(const struct plot_set *set)
{
	const struct result_dev **devs = calloc(set->n, sizeof(*devs));
	const char **labels = calloc(set->n, sizeof(*labels));
	struct report_table *t = NULL;

	for (size_t i = 0; devs && labels && i < set->n; i++) {
		devs[i] = set->devs[i].dev;
		labels[i] = set->devs[i].label;
	}
	if (devs && labels)
		t = stage_table(devs, labels, set->n, set->n);
	free(devs);
	free(labels);
	return t;
}

enum { L_DEVICE, L_IOS, L_SHARE, L_BYTES, L_BSHARE, L_GATES, L_MEAN, L_P99, NR_L };

static const struct column leg_columns[NR_L] = {
	[L_DEVICE] = { "device", "device", COL_STR, COL_TREE },
	[L_IOS] = { "linked", "I/Os", COL_EXACT },
	[L_SHARE] = { "share_pct", "of all", COL_PERCENT },
	[L_BYTES] = { "bytes", "bytes", COL_SIZE },
	[L_BSHARE] = { "bytes_pct", "of all", COL_PERCENT },
	[L_GATES] = { "critical_pct", "waited for", COL_PERCENT },
	[L_MEAN] = { "mean_ns", "mean", COL_TIME },
	[L_P99] = { "p99_ns", "p99", COL_TIME },
};

static void add_leg(struct report_table *t, int parent, json_object *leg, double bytes)
{
	json_object *total = doc_get(leg, "total");
	int row = report_row(t, parent);

	report_set_str(t, row, L_DEVICE, doc_str(leg, "device"));
	report_set_u64(t, row, L_IOS, doc_u64(leg, "linked"));
	report_set(t, row, L_SHARE, doc_real(leg, "share_pct"));
	report_set_u64(t, row, L_BYTES, doc_u64(leg, "bytes"));
	report_set(t, row, L_BSHARE, percent(doc_u64(leg, "bytes"), bytes));
	report_set(t, row, L_GATES, doc_real(leg, "critical_pct"));
	if (!doc_u64(total, "count"))
		return;
	report_set(t, row, L_MEAN, doc_real(total, "mean_ns"));
	report_set(t, row, L_P99, doc_u64(doc_get(total, "percentiles_ns"), "99"));
}

struct report_table *report_legs(const struct plot_set *set)
{
	struct report_table *t = NULL;

	for (size_t i = 0; i < set->n; i++) {
		const struct result_dev *d = set->devs[i].dev;
		json_object *legs = doc_get(d->doc, "legs");
		uint64_t bytes = 0;
		int row;

		if (!doc_len(legs))
			continue;
		t = t ?: report_table_new(leg_columns, NR_L);
		if (!t)
			return NULL;
		for (size_t k = 0; k < doc_len(legs); k++)
			bytes += doc_u64(json_object_array_get_idx(legs, k), "bytes");
		row = report_row(t, -1);
		report_set_str(t, row, L_DEVICE, set->devs[i].label);
		report_row_bold(t, row);
		report_set_u64(t, row, L_IOS, d->total.count);
		report_set_u64(t, row, L_BYTES, doc_u64(doc_get(d->doc, "ledger"), "bytes"));
		report_set(t, row, L_MEAN, hist_mean(&d->total));
		report_set(t, row, L_P99, hist_percentile(&d->total, 99));
		for (size_t k = 0; k < doc_len(legs); k++)
			add_leg(t, row, json_object_array_get_idx(legs, k), bytes);
	}
	return t;
}

enum { O_DEVICE, O_OP, O_IOS, O_MEAN, O_P50, O_P99, O_MAX, NR_O };

static const struct column op_columns[NR_O] = {
	[O_DEVICE] = { "device", "device", COL_STR, COL_LEFT },
	[O_OP] = { "op", "kind", COL_STR, COL_LEFT },
	[O_IOS] = { "count", "I/Os", COL_EXACT },
	[O_MEAN] = { "mean_ns", "mean", COL_TIME },
	[O_P50] = { "p50_ns", "p50", COL_TIME },
	[O_P99] = { "p99_ns", "p99", COL_TIME },
	[O_MAX] = { "max_ns", "max", COL_TIME },
};

/* Devices with only one kind of I/O are left out. */
struct report_table *report_ops(const struct plot_set *set)
{
	struct report_table *t = NULL;

	for (size_t i = 0; i < set->n; i++) {
		json_object *ops = doc_get(set->devs[i].dev->doc, "ops");

		for (size_t k = 0; k < doc_len(ops) && doc_len(ops) > 1; k++) {
			json_object *op = json_object_array_get_idx(ops, k), *total = doc_get(op, "total");
			json_object *pct = doc_get(total, "percentiles_ns");
			int row;

			t = t ?: report_table_new(op_columns, NR_O);
			if (!t)
				return NULL;
			row = report_row(t, -1);
			report_set_str(t, row, O_DEVICE, set->devs[i].label);
			report_set_str(t, row, O_OP, doc_str(op, "op"));
			report_set_u64(t, row, O_IOS, doc_u64(total, "count"));
			report_set(t, row, O_MEAN, doc_real(total, "mean_ns"));
			report_set(t, row, O_P50, doc_u64(pct, "50"));
			report_set(t, row, O_P99, doc_u64(pct, "99"));
			report_set(t, row, O_MAX, doc_u64(total, "max_ns"));
		}
	}
	return t;
}

static const struct {
	struct column column;
	const char *counter;	/* name in the ledger; NULL if the column is not from the ledger */
} ledger_columns[] = {
	{ { "device", "device", COL_STR, COL_LEFT } },
	{ { "started", "started", COL_EXACT }, "started" },
	{ { "completed", "completed", COL_EXACT }, "completed" },
	{ { "inflight", "in flight", COL_EXACT }, "inflight" },
	{ { "lost", "lost", COL_EXACT }, "lost" },
	{ { "lost_full", "no slot", COL_EXACT }, "lost_full" },
	{ { "lost_end", "end missed", COL_EXACT }, "lost_end" },
	{ { "lost_queue", "start missed", COL_EXACT }, "lost_queue" },
	{ { "errors", "errors", COL_EXACT }, "errors" },
	{ { "unsplit", "not split", COL_EXACT } },
};
#define NR_LEDGER_COLUMNS (sizeof(ledger_columns) / sizeof(*ledger_columns))

struct report_table *report_ledgers(const struct plot_set *set)
{
	struct column cols[NR_LEDGER_COLUMNS];
	struct report_table *t;

	for (size_t c = 0; c < NR_LEDGER_COLUMNS; c++)
		cols[c] = ledger_columns[c].column;
	t = report_table_new(cols, NR_LEDGER_COLUMNS);
	for (size_t i = 0; i < set->n && t; i++) {
		json_object *doc = set->devs[i].dev->doc, *ledger = doc_get(doc, "ledger");
		int row = report_row(t, -1);

		report_set_str(t, row, 0, set->devs[i].label);
		for (size_t c = 1; c < NR_LEDGER_COLUMNS - 1; c++)
			report_set_u64(t, row, c, doc_u64(ledger, ledger_columns[c].counter));
		report_set_u64(t, row, NR_LEDGER_COLUMNS - 1, doc_u64(doc_get(doc, "unsplit"), "count"));
	}
	return t;
}
