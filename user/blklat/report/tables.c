// SPDX-License-Identifier: GPL-2.0
/* blklat report: what result files hold, as tables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/report/report.h"
#include "core/units.h"
#include "blklat/plot/palette.h"
#include "blklat/result/parts.h"

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

		/* Devices of one trace have the same figure. */
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

/* Per second; in a comparison there is time in which others had their turn. */
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

/* Columns of one device; side by side there is room for fewer. */
enum { D_MEAN, D_SHARE, D_BAR, D_P50, D_P90, D_P99, D_P999, D_MAX, NR_D };

static const struct column dev_columns[NR_D] = {
	[D_MEAN] = { "mean_ns", "mean", COL_TIME },
	[D_SHARE] = { "share_pct", "share", COL_PERCENT },
	[D_BAR] = { NULL, "", COL_BAR },
	[D_P50] = { "p50_ns", "p50", COL_TIME },
	[D_P90] = { "p90_ns", "p90", COL_TIME },
	[D_P99] = { "p99_ns", "p99", COL_TIME },
	[D_P999] = { "p99.9_ns", "p99.9", COL_TIME },
	[D_MAX] = { "max_ns", "max", COL_TIME },
};

static unsigned int columns_for(size_t n, unsigned int *which)
{
	static const unsigned int all[] = { D_MEAN, D_SHARE, D_BAR, D_P50, D_P90, D_P99, D_P999, D_MAX };
	static const unsigned int two[] = { D_MEAN, D_SHARE, D_BAR, D_P50, D_P99 };
	static const unsigned int many[] = { D_MEAN, D_SHARE, D_P99 };
	const unsigned int *from = n == 1 ? all : n == 2 ? two : many;
	unsigned int count = n == 1 ? NR_D : n == 2 ? 5 : 3;

	memcpy(which, from, count * sizeof(*which));
	return count;
}

/* The stage table under way. @first: column of the first device, after the stage and its colour */
struct stage_table {
	struct report_table *table;
	const struct plot_set *set;
	struct parts parts;
	unsigned int which[NR_D], ncols;
};
#define FIRST_DEV 2

static double cell_value(const struct hist *h, unsigned int c)
{
	static const double pct[NR_D] = { [D_P50] = 50, [D_P90] = 90, [D_P99] = 99, [D_P999] = 99.9, [D_MAX] = 100 };

	return hist_percentile(h, pct[c]);
}

/* @h: NULL of a group, which has a mean but no distribution; @share: it is a part of the total */
static void fill_dev(struct stage_table *s, int row, size_t i, double mean, const struct hist *h, bool share)
{
	double total = hist_mean(&s->set->devs[i].dev->total);

	for (unsigned int k = 0; k < s->ncols; k++) {
		unsigned int c = s->which[k];
		size_t col = FIRST_DEV + i * s->ncols + k;

		if (c == D_MEAN)
			report_set(s->table, row, col, mean);
		else if (c == D_SHARE || c == D_BAR)
			report_set(s->table, row, col, share ? percent(mean, total) : NAN);
		else if (h && h->count)
			report_set(s->table, row, col, cell_value(h, c));
	}
}

static void set_colour(struct stage_table *s, int row, uint32_t colour)
{
	char text[12];

	snprintf(text, sizeof(text), "#%06x", colour);
	report_set_str(s->table, row, 1, text);
}

/* The heading of the group that begins with part @first, with the sums of its stages. */
static int add_group(struct stage_table *s, size_t first)
{
	const char *group = s->parts.v[first].row->group;
	int row = report_row(s->table, -1);

	report_set_str(s->table, row, 0, group);
	report_row_bold(s->table, row);
	for (size_t i = 0; i < s->set->n && !part_is_thinking(&s->parts.v[first]); i++) {
		double sum = 0;

		for (size_t k = first; k < s->parts.n && !strcmp(s->parts.v[k].row->group, group); k++)
			sum += part_mean(s->set->devs[i].dev, &s->parts.v[k]);
		fill_dev(s, row, i, sum, NULL, true);
	}
	set_colour(s, row, palette_group(group));
	return row;
}

static void add_part(struct stage_table *s, const struct part *p, int head)
{
	int row = report_row(s->table, head);
	char label[DEV_TEXT];

	part_label(label, sizeof(label), p);
	report_set_str(s->table, row, 0, label);
	set_colour(s, row, palette_stage(p->row->stage, p->row->group, p->row->layer));
	for (size_t i = 0; i < s->set->n; i++) {
		const struct result_row *own = part_of(s->set->devs[i].dev, p);

		if (own)
			fill_dev(s, row, i, part_mean(s->set->devs[i].dev, p), &own->hist,
				 !part_is_thinking(p));
	}
}

static void fill_stages(struct stage_table *s)
{
	int row, head = -1;

	for (size_t k = 0; k < s->parts.n; k++) {
		if (!k || strcmp(s->parts.v[k].row->group, s->parts.v[k - 1].row->group))
			head = add_group(s, k);
		/* This group is its only stage. */
		if (strcmp(s->parts.v[k].row->group, "unattributed"))
			add_part(s, &s->parts.v[k], head);
	}
	row = report_row(s->table, -1);
	report_set_str(s->table, row, 0, "total");
	report_row_bold(s->table, row);
	for (size_t i = 0; i < s->set->n; i++)
		fill_dev(s, row, i, hist_mean(&s->set->devs[i].dev->total), &s->set->devs[i].dev->total, true);
}

struct report_table *report_stages(const struct plot_set *set)
{
	struct stage_table s = { .set = set };
	const struct result_dev **devs = calloc(set->n, sizeof(*devs));
	struct column *cols;

	s.ncols = columns_for(set->n, s.which);
	cols = calloc(FIRST_DEV + set->n * s.ncols, sizeof(*cols));
	if (!devs || !cols)
		goto out;
	for (size_t i = 0; i < set->n; i++)
		devs[i] = set->devs[i].dev;
	if (parts_of(devs, set->n, &s.parts))
		goto out;
	cols[0] = (struct column){ "stage", "stage", COL_STR, COL_TREE };
	cols[1] = (struct column){ "colour", "", COL_STR, COL_NOTABLE | COL_NOJSON | COL_SWATCH };
	for (size_t i = 0; i < set->n * s.ncols; i++) {
		cols[FIRST_DEV + i] = dev_columns[s.which[i % s.ncols]];
		cols[FIRST_DEV + i].group = set->n > 1 ? set->devs[i / s.ncols].label : NULL;
	}
	s.table = report_table_new(cols, FIRST_DEV + set->n * s.ncols);
	if (s.table)
		fill_stages(&s);
out:
	parts_free(&s.parts);
	free(devs);
	free(cols);
	return s.table;
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

/* Only where a device has more than one kind. */
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
	const char *counter;	/* of the ledger, NULL: not of it */
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
