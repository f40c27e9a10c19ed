// SPDX-License-Identifier: GPL-2.0
/* Merge the histograms that blkgen load --log wrote. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blkgen/cmds.h"
#include "core/log.h"
#include "core/reader.h"
#include "core/text.h"
#include "output/document.h"
#include "output/file.h"
#include "output/histlog.h"
#include "output/histogram.h"
#include "output/json.h"
#include "output/table.h"

struct log_cfg {
	struct common_cfg common;
	uint64_t per;
	bool hist;
	const char *json;
};

enum { PER_FILE, PER_HOST, PER_STEP, PER_DEVICE, PER_NAME, PER_OP, NR_PER };
static const char *const per_names[] = { "file", "host", "step", "device", "name", "op", NULL };

#define DST(member)	OPT_AT(struct log_cfg, member)

static const struct opt log_opts[] = {
	{ .type = OPT_HEADING, .help = "What to merge" },
	{ "per", 0, OPT_SET, DST(per), "op", "SET",
	  "print a row for each of these, and merge everything else", per_names },
	{ .type = OPT_HEADING, .help = "Results" },
	{ "hist", 0, OPT_FLAG, DST(hist),
	  .help = "print the histogram of response times of each row" },
	{ "json", 0, OPT_OUTPUT, DST(json), NULL, "FILE",
	  "write the result as JSON, too; without FILE to stdout, in place of the table" },
	OPT_COMMON(struct log_cfg)
};

/* A span is a time in which something was measured. It is UNIX time in ns. */
struct span {
	int64_t start, end;
};

struct group {
	char *key[NR_PER];		/* NULL: the group has all values of this key */
	bool service;
	struct hist hist;
	uint64_t bytes, errors;
	struct span *spans;
	size_t nspans;
};

struct merge {
	const struct log_cfg *cfg;
	struct group *groups;
	size_t n;
	struct group all;		/* latencies of all I/Os except flushes */
};

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static struct group *find_group(struct merge *m, const char *const *key, bool service)
{
	struct group *g;
	size_t i, k;

	for (i = 0; i < m->n; i++) {
		g = &m->groups[i];
		for (k = 0; k < NR_PER && same(key[k], g->key[k]); k++)
			;
		if (k == NR_PER && g->service == service)
			return g;
	}
	g = realloc(m->groups, (m->n + 1) * sizeof(*g));
	if (!g)
		return NULL;
	m->groups = g;
	g = memset(&g[m->n++], 0, sizeof(*g));
	g->service = service;
	for (k = 0; k < NR_PER; k++) {
		g->key[k] = key[k] ? strdup(key[k]) : NULL;
		if (key[k] && !g->key[k])
			return NULL;
	}
	return g;
}

/*
 * Add the time of an entry. Entries of one device follow one another without a gap, so look whether
 * one of the last spans can be made longer, or is the same.
 */
static int add_span(struct group *g, int64_t start, int64_t end)
{
	struct span *s;
	size_t i;

	for (i = g->nspans; i && i + 8 > g->nspans; i--)
		if (g->spans[i - 1].end == start) {
			g->spans[i - 1].end = end;
			return 0;
		} else if (g->spans[i - 1].start == start && g->spans[i - 1].end == end) {
			return 0;
		}
	s = realloc(g->spans, (g->nspans + 1) * sizeof(*s));
	if (!s)
		return no_memory();
	g->spans = s;
	s[g->nspans++] = (struct span) { start, end };
	return 0;
}

/* Return the key whose sum with entry @e would not fit into 64 bits, or NULL if all sums fit. */
static const char *too_large(const struct group *g, const struct histlog_entry *e)
{
	const struct {
		const char *key;
		uint64_t sum, more;
	} sums[] = {
		{ "bytes", g->bytes, e->bytes }, { "errors", g->errors, e->errors },
		{ "ios", g->hist.count, e->hist->count },
	};

	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++)
		if (sums[i].more > UINT64_MAX - sums[i].sum)
			return sums[i].key;
	return NULL;
}

static int add_to(struct group *g, const struct histlog *lg, const struct histlog_entry *e)
{
	const char *key = too_large(g, e);

	if (key)
		return err(-EINVAL, "%s:%lu: \"%s\" is too large to be added to those before it",
			   lg->path, lg->number, key);
	if (!g->hist.buckets && hist_init(&g->hist, e->hist->bits, e->hist->nbuckets))
		return no_memory();
	if (hist_merge(&g->hist, e->hist))
		return err(-EINVAL, "%s:%lu: this histogram has other buckets than those before "
			   "it, so it cannot be merged", lg->path, lg->number);
	g->bytes += e->bytes;
	g->errors += e->errors;
	return add_span(g, lg->day_ns + (int64_t)e->start_ns, lg->day_ns + (int64_t)e->end_ns);
}

static int add_entry(struct merge *m, const struct histlog *lg, const struct histlog_entry *e)
{
	const char *key[NR_PER] = {
		[PER_FILE] = lg->path, [PER_HOST] = lg->host, [PER_STEP] = e->step,
		[PER_DEVICE] = e->device, [PER_NAME] = e->name, [PER_OP] = e->op,
	};
	struct group *g;
	size_t k;
	int ret = 0;

	for (k = 0; k < NR_PER; k++)
		if (!(m->cfg->per & 1u << k))
			key[k] = NULL;
	/* Never merge flushes with other ops: a flush has no data, and is no I/O of the pattern. */
	if (!strcmp(e->op, "flush"))
		key[PER_OP] = e->op;
	else if (!e->service)
		ret = add_to(&m->all, lg, e);
	if (ret)
		return ret;
	g = find_group(m, key, e->service);
	if (!g)
		return no_memory();
	return add_to(g, lg, e);
}

static int read_log(struct merge *m, const char *path)
{
	struct histlog lg = { 0 };
	struct histlog_entry e;
	int ret;

	ret = histlog_open(&lg, path);
	while (!ret) {
		ret = histlog_read(&lg, &e);
		if (ret <= 0)
			break;
		ret = add_entry(m, &lg, &e);
	}
	histlog_close(&lg);
	return ret;
}

static int by_start(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/*
 * Return the total time, in ns, during which at least one log measured. Spans that overlap count
 * once. A log may have any times from -2^62 to 2^63, so the length of a span may not fit in an
 * int64_t.
 */
static uint64_t elapsed(struct group *g)
{
	int64_t end = INT64_MIN;
	uint64_t sum = 0;
	size_t i;

	if (!g->nspans)
		return 0;
	qsort(g->spans, g->nspans, sizeof(*g->spans), by_start);
	for (i = 0; i < g->nspans; i++) {
		int64_t from = g->spans[i].start > end ? g->spans[i].start : end;

		if (g->spans[i].end > from)
			sum += (uint64_t)g->spans[i].end - (uint64_t)from;
		if (g->spans[i].end > end)
			end = g->spans[i].end;
	}
	return sum;
}

enum {
	L_OF = NR_PER, L_IOS, L_IOPS, L_BW, L_MEAN, L_DEVN, L_P50, L_P90, L_P99, L_P999, L_P9999,
	L_P99999, L_MAX, L_ERR, L_COLS
};

static const struct column columns[L_COLS] = {
	[PER_FILE] = { "file", "file", COL_STR },
	[PER_HOST] = { "host", "host", COL_STR },
	[PER_STEP] = { "step", "step", COL_STR },
	[PER_DEVICE] = { "device", "device", COL_STR },
	[PER_NAME] = { "name", "name", COL_STR },
	[PER_OP] = { "op", "op", COL_STR },
	[L_OF] = { "of", "of", COL_STR },
	[L_IOS] = { "ios", "I/Os", COL_COUNT },
	[L_IOPS] = { "iops", "IOPS", COL_COUNT },
	[L_BW] = { "bytes_per_s", "bandwidth", COL_BW },
	[L_MEAN] = { "mean_ns", "mean", COL_TIME },
	[L_DEVN] = { "stddev_ns", "stddev", COL_TIME },
	[L_P50] = { "p50_ns", "p50", COL_TIME },
	[L_P90] = { "p90_ns", "p90", COL_TIME },
	[L_P99] = { "p99_ns", "p99", COL_TIME },
	[L_P999] = { "p99.9_ns", "p99.9", COL_TIME },
	[L_P9999] = { "p99.99_ns", "p99.99", COL_TIME },
	[L_P99999] = { "p99.999_ns", "p99.999", COL_TIME },
	[L_MAX] = { "max_ns", "max", COL_TIME },
	[L_ERR] = { "errors", "errors", COL_EXACT },
};

static void add_row(struct report_table *t, const struct group *g, uint64_t ns)
{
	static const double pcts[] = { 50, 90, 99, 99.9, 99.99, 99.999 };
	int row = report_row(t, -1);
	size_t i;

	for (i = 0; i < NR_PER; i++)
		report_set_str(t, row, i, g->key[i] ? g->key[i] : i == PER_OP ? "all" : NULL);
	report_set_str(t, row, L_OF, g->service ? "service" : "latency");
	report_set_u64(t, row, L_IOS, g->hist.count);
	report_set(t, row, L_IOPS, ns ? g->hist.count * 1e9 / ns : 0);
	report_set(t, row, L_BW, ns ? g->bytes * 1e9 / ns : 0);
	report_set_u64(t, row, L_ERR, g->errors);
	if (!g->hist.count)
		return;
	report_set(t, row, L_MEAN, hist_mean(&g->hist));
	report_set(t, row, L_DEVN, hist_stddev(&g->hist));
	for (i = 0; i < sizeof(pcts) / sizeof(*pcts); i++)
		report_set_u64(t, row, L_P50 + i, hist_percentile(&g->hist, pcts[i]));
	report_set_u64(t, row, L_MAX, g->hist.max);
}

/*
 * Members of the JSON object "log group":
 * @file: string, optional: Only with ``--per file``.
 * @host: string, optional: Only with ``--per host``: the machine.
 * @step: string, optional: Only with ``--per step``, and if the log has it.
 * @device: string, optional: Only with ``--per device``.
 * @name: string, optional: Only with ``--per name``, and if the log has it.
 * @op: string, optional: Operation. Only with ``--per op``; but a group of flushes always has it,
 *	because flushes are never merged with other operations.
 * @*: log sum: The members of a log sum object, for the I/Os of this group.
 * @histogram: array of range, optional: Histogram of the group's latencies. Only with ``--hist``.
 */

/*
 * Members of the JSON object "log sum":
 * @of: string: ``latency``, or ``service`` if the times are service times, which a load with
 *	``--rate`` logs too.
 * @ios: integer: Number of I/Os that completed without an error.
 * @bytes: integer: Their bytes.
 * @errors: integer: I/Os that failed.
 * @elapsed_ns: integer: Time during which at least one of the logs measured these I/Os. Times that
 *	overlap count once. The times are the time of day of each machine.
 * @iops: number: ``ios`` per second of ``elapsed_ns``.
 * @bytes_per_s: number: ``bytes`` per second of ``elapsed_ns``.
 * @latency_ns: latency: Latencies of these I/Os, from the merged histograms.
 * @stddev_ns: number: Standard deviation of the latencies. Each I/O counts with the middle of its
 *	histogram bucket.
 */
static json_object *group_json(const struct group *g, uint64_t ns,
			       const struct report_table *hist)
{
	json_object *o = json_object_new_object();
	size_t i;

	for (i = 0; i < NR_PER; i++)
		if (g->key[i])
			json_str(o, per_names[i], g->key[i]);
	json_str(o, "of", g->service ? "service" : "latency");
	json_u64(o, "ios", g->hist.count);
	json_u64(o, "bytes", g->bytes);
	json_u64(o, "errors", g->errors);
	json_u64(o, "elapsed_ns", ns);
	json_real(o, "iops", ns ? g->hist.count * 1e9 / ns : 0);
	json_real(o, "bytes_per_s", ns ? g->bytes * 1e9 / ns : 0);
	json_object_object_add(o, "latency_ns", report_latency(NULL, &g->hist));
	json_real(o, "stddev_ns", hist_stddev(&g->hist));
	if (hist)
		json_object_object_add(o, "histogram", report_json(hist));
	return o;
}

static struct report_table *new_table(const struct merge *m)
{
	struct column cols[L_COLS];
	size_t i;

	memcpy(cols, columns, sizeof(cols));
	cols[L_OF].flags |= COL_NOTABLE;
	for (i = 0; i < NR_PER; i++)
		if (!(m->cfg->per & 1u << i) && i != PER_OP)
			cols[i].flags |= COL_NOTABLE;
	for (i = 0; i < m->n; i++)
		if (m->groups[i].service)
			cols[L_OF].flags &= ~COL_NOTABLE;
	return report_table_new(cols, L_COLS);
}

static void print_histogram(const struct group *g, const struct report_table *hist)
{
	size_t i;

	putchar('\n');
	for (i = 0; i < NR_PER; i++)
		if (g->key[i])
			text_printf(stdout, "%s ", g->key[i]);
	printf("%s:\n", g->service ? "service time" : "latency");
	report_print(hist, stdout);
}

/*
 * Members of the JSON document "blkgen log":
 * @groups[]: log group, optional: One per row of the table, in the order in which the logs first
 *	have an entry of the group. Absent after an error.
 * @all: log sum, optional: Latencies of all I/Os of all logs, without flushes. Absent after an
 *	error.
 */
static int report(struct merge *m, json_object *doc)
{
	bool quiet = report_is_stdout(m->cfg->json);
	uint64_t ns = elapsed(&m->all);
	struct report_table *t = new_table(m), *hist = NULL;
	json_object *groups = json_object_new_array();
	size_t i;
	int ret = t ? 0 : no_memory();

	for (i = 0; i < m->n && t; i++)
		add_row(t, &m->groups[i], elapsed(&m->groups[i]));
	if (t && m->n > 1)
		add_row(t, &m->all, ns);
	if (t && !quiet)
		ret = reader_print_error(report_print(t, stdout));
	for (i = 0; i < m->n && t; i++) {
		const struct group *g = &m->groups[i];

		hist = m->cfg->hist ? report_histogram(&g->hist) : NULL;
		if (hist && !quiet && g->hist.count)
			print_histogram(g, hist);
		json_object_array_add(groups, group_json(g, elapsed(&m->groups[i]), hist));
		report_table_free(hist);
	}
	if (doc) {
		json_object_object_add(doc, "groups", json_object_get(groups));
		json_object_object_add(doc, "all", group_json(&m->all, ns, NULL));
	}
	json_object_put(groups);
	report_table_free(t);
	return ret;
}

static void free_groups(struct merge *m)
{
	size_t i, k;

	for (i = 0; i < m->n; i++) {
		for (k = 0; k < NR_PER; k++)
			free(m->groups[i].key[k]);
		hist_free(&m->groups[i].hist);
		free(m->groups[i].spans);
	}
	free(m->groups);
	hist_free(&m->all.hist);
	free(m->all.spans);
}

static int log_run(void *cfg, struct opt_args *args)
{
	struct merge m = { .cfg = cfg };
	json_object *doc;
	int ret = 0;
	size_t i;

	if (!args->npos)
		return usage_error("no FILE given; give logs that blkgen load --log wrote");
	ret = report_files_differ(&m.cfg->json, 1, args->pos, args->npos);
	if (ret)
		return ret;
	doc = m.cfg->json ? report_doc_new("blkgen", args->argv) : NULL;
	reader_hold();
	for (i = 0; i < args->npos && !ret; i++)
		ret = read_log(&m, args->pos[i]);
	if (!ret)
		ret = report(&m, doc);
	free_groups(&m);
	return report_doc_end(doc, m.cfg->json, ret);
}

const struct cmd cmd_log = {
	.name = "log",
	.brief = "merge the histograms of intervals, jobs and machines",
	.usage = "FILE...",
	.about =
"Reads logs that blkgen load --log wrote, also on several machines, and prints the percentiles of "
"all their I/Os together: the same as if one load had done all these I/Os. Rates are per time in "
"which any of the loads ran. FILE may be - for stdin.",
	.examples =
"blkgen load nvme0n1 --time 1h --log night.log\n"
"blkgen log night.log                         # all of it\n"
"blkgen log host1.log host2.log --per host,op # by machine\n"
"blkgen log *.log --hist --json=merged.json\n",
	.opts = log_opts,
	.cfg_size = sizeof(struct log_cfg),
	.max_pos = 1024,
	.only_files = true,
	.run = log_run,
};
