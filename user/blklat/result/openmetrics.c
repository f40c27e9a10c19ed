// SPDX-License-Identifier: GPL-2.0
/* Write the results of a trace as OpenMetrics, for Prometheus. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "core/utf8.h"
#include "blklat/result/openmetrics.h"
#include "blklat/result/names.h"
#include "output/file.h"
#include "uapi/loglin.h"

/*
 * Bounds of the histograms: 2^n - 1 ns for these n. Each bound is the last whole ns of a bucket,
 * at any bucket width, so that every count is exact.
 */
#define FIRST_BOUND 10	/* 1.02 us */
#define LAST_BOUND 33	/* 8.59 s */

#define MAX_LABELS 8

/* The labels of a sample. */
struct labels {
	struct {
		const char *name, *value;
	} at[MAX_LABELS];
	size_t n;
};

static void add(struct labels *l, const char *name, const char *value)
{
	l->at[l->n].name = name;
	l->at[l->n++].value = value;
}

static struct labels of_device(const struct metrics_dev *d)
{
	struct labels l = { .n = 0 };

	add(&l, "device", d->name);
	return l;
}

/*
 * Write a text with the characters escaped that a label or help text may not contain. A byte that
 * is not UTF-8 would make the whole file invalid, so it becomes '?', as do control characters.
 */
static void put_escaped(FILE *f, const char *s, bool quotes)
{
	while (*s) {
		size_t n = utf8_printable_len(s);

		if (*s == '\\' || (quotes && *s == '"'))
			fprintf(f, "\\%c", *s);
		else if (*s == '\n')
			fputs("\\n", f);
		else if (n)
			fwrite(s, n, 1, f);
		else
			fputc('?', f);
		s += n ? n : 1;
	}
}

/* Write "name_suffix{label="value",...} "; the caller writes the value next. */
static void put_name(FILE *f, const char *name, const char *suffix, const struct labels *l)
{
	fprintf(f, "%s%s", name, suffix);
	for (size_t i = 0; i < l->n; i++) {
		fprintf(f, "%c%s=\"", i ? ',' : '{', l->at[i].name);
		put_escaped(f, l->at[i].value ?: "", true);
		fputc('"', f);
	}
	fputs(l->n ? "} " : " ", f);
}

static void put_u64(FILE *f, const char *name, const char *suffix, const struct labels *l,
		    uint64_t v)
{
	put_name(f, name, suffix, l);
	fprintf(f, "%llu\n", (unsigned long long)v);
}

/* Write a time with all digits: a double would only have 16. */
static void put_seconds(FILE *f, const char *name, const char *suffix, const struct labels *l,
			uint64_t ns)
{
	put_name(f, name, suffix, l);
	fprintf(f, "%llu.%09llu\n", ns / 1000000000ULL, ns % 1000000000ULL);
}

/* Write the head of a metric. @unit is the end of @name, or NULL if there is no unit. */
static void put_head(FILE *f, const char *name, const char *type, const char *unit,
		     const char *help)
{
	fprintf(f, "# HELP %s ", name);
	put_escaped(f, help, true);
	fprintf(f, "\n# TYPE %s %s\n", name, type);
	if (unit)
		fprintf(f, "# UNIT %s %s\n", name, unit);
}

/*
 * Write a histogram with cumulative counts. The count is the sum of the buckets, because h->count
 * may belong to another moment while I/O goes on.
 */
static void put_hist(FILE *f, const char *name, const struct labels *l, const struct hist *h)
{
	struct labels with_le = *l;
	uint64_t n = 0;
	uint32_t i = 0;
	char le[32];

	add(&with_le, "le", le);
	for (unsigned int bound = FIRST_BOUND; bound <= LAST_BOUND; bound++) {
		uint64_t ns = (1ULL << bound) - 1;

		for (; i < h->nbuckets && i <= loglin_index(ns, h->bits); i++)
			n += h->buckets[i];
		snprintf(le, sizeof(le), "%.10g", ns / 1e9);
		put_u64(f, name, "_bucket", &with_le, n);
	}
	for (; i < h->nbuckets; i++)
		n += h->buckets[i];
	snprintf(le, sizeof(le), "+Inf");
	put_u64(f, name, "_bucket", &with_le, n);
	put_seconds(f, name, "_sum", l, h->sum);
	put_u64(f, name, "_count", l, n);
}

static void put_devices(FILE *f, const struct metrics *m)
{
	const char *name = "blklat_device_info";

	put_head(f, name, "gauge", NULL, "1 for each traced device, which the labels describe");
	for (size_t i = 0; i < m->ndevs; i++) {
		const struct metrics_dev *d = &m->devs[i];
		struct labels l = of_device(d);

		add(&l, "place", d->dev->top ? "top" : "below");
		add(&l, "driver", d->dev->facts.kind);
		add(&l, "model", d->dev->facts.model);
		add(&l, "firmware", d->dev->facts.firmware);
		add(&l, "scheduler", d->dev->facts.scheduler);
		add(&l, "kernel", d->kernel);
		put_u64(f, name, "", &l, 1);
	}
}

static void put_times(FILE *f, const struct metrics *m)
{
	const struct labels none = { .n = 0 };

	if (m->start_ns > 0) {
		put_head(f, "blklat_start_time_seconds", "gauge", "seconds",
			 "UNIX time when the trace and all its counts began");
		put_seconds(f, "blklat_start_time_seconds", "", &none, m->start_ns);
	}
	put_head(f, "blklat_traced_seconds", "counter", "seconds",
		 "how long the device was traced");
	for (size_t i = 0; i < m->ndevs; i++) {
		struct labels l = of_device(&m->devs[i]);

		put_seconds(f, "blklat_traced_seconds", "_total", &l, m->devs[i].dev->elapsed_ns);
	}
}

/* Return the totals of a kind of I/O, NULL if there are none. */
static const struct hist *total_of(const struct result_dev *d, unsigned int op)
{
	const struct hist *h = NULL;

	for (size_t i = 0; i < d->ops.n; i++)
		if (!strcmp(d->ops.v[i].name, op_name(op)))
			h = &d->ops.v[i].total;
	return h;
}

static void put_totals(FILE *f, const struct metrics *m)
{
	const char *name = "blklat_io_latency_seconds";

	put_head(f, name, "histogram", "seconds",
		 "time from the submission of an I/O until its submitter was told");
	for (size_t i = 0; i < m->ndevs; i++) {
		for (unsigned int op = 0; op < NR_OPS; op++) {
			const struct hist *h = total_of(m->devs[i].dev, op);
			struct labels l = of_device(&m->devs[i]);

			if (!h || !h->count)
				continue;
			add(&l, "op", op_name(op));
			put_hist(f, name, &l, h);
		}
	}
}

static void put_stages(FILE *f, const struct metrics *m)
{
	const char *name = "blklat_stage_latency_seconds";

	put_head(f, name, "histogram", "seconds",
		 "time in a stage, of the I/Os that have this stage");
	for (size_t i = 0; i < m->ndevs; i++) {
		for (size_t k = 0; k < m->devs[i].dev->rows.n; k++) {
			const struct result_row *row = &m->devs[i].dev->rows.v[k];
			struct labels l = of_device(&m->devs[i]);

			if (!row->hist.count)
				continue;
			add(&l, "stage", row->stage);
			add(&l, "group", row->group);
			add(&l, "layer", row->layer);
			put_hist(f, name, &l, &row->hist);
		}
	}
}

/* Return the cause of loss that a counter is for, "full" for LOST_FULL; NULL for other counters. */
static const char *lost_cause(unsigned int c)
{
	return strncmp(counter_name(c), "lost_", 5) ? NULL : counter_name(c) + 5;
}

static void put_lost(FILE *f, const struct metrics *m)
{
	char help[256] = "I/Os that were not followed to their end, by cause";
	const char *sep = ": ";

	for (unsigned int c = 0; c < NR_COUNTERS; c++) {
		size_t n = strlen(help);

		if (!lost_cause(c))
			continue;
		snprintf(help + n, sizeof(help) - n, "%s%s, %s", sep, lost_cause(c),
			 counter_doc(c));
		sep = "; ";
	}
	put_head(f, "blklat_lost", "counter", NULL, help);
	for (size_t i = 0; i < m->ndevs; i++) {
		for (unsigned int c = 0; c < NR_COUNTERS; c++) {
			uint64_t n = m->devs[i].dev->ledger.n[c];
			struct labels l = of_device(&m->devs[i]);

			if (!lost_cause(c) || n == LEDGER_UNKNOWN)
				continue;
			add(&l, "cause", lost_cause(c));
			put_u64(f, "blklat_lost", "_total", &l, n);
		}
	}
}

static bool ends_in(const char *s, const char *end)
{
	size_t n = strlen(s), len = strlen(end);

	return n >= len && !strcmp(s + n - len, end);
}

/* Write a counter of the ledger. Each counter is a metric of its own: their units differ. */
static void put_counter(FILE *f, const struct metrics *m, unsigned int c)
{
	bool gauge = c == COUNT_INFLIGHT || c == COUNT_INFLIGHT_MAX;
	char name[64];

	snprintf(name, sizeof(name), "blklat_%s", counter_name(c));
	put_head(f, name, gauge ? "gauge" : "counter", ends_in(name, "_bytes") ? "bytes" : NULL,
		 counter_doc(c));
	for (size_t i = 0; i < m->ndevs; i++) {
		uint64_t n = m->devs[i].dev->ledger.n[c];
		struct labels l = of_device(&m->devs[i]);

		if (n != LEDGER_UNKNOWN)
			put_u64(f, name, gauge ? "" : "_total", &l, n);
	}
}

static void put_missed(FILE *f, const struct metrics *m)
{
	const struct labels none = { .n = 0 };

	if (m->missed == LEDGER_UNKNOWN)
		return;
	put_head(f, "blklat_events_missed", "counter", NULL,
		 "events of all devices that a BPF program missed, because it was running already "
		 "on the same CPU");
	put_u64(f, "blklat_events_missed", "_total", &none, m->missed);
}

static int metrics_print(const struct metrics *m, FILE *f)
{
	put_devices(f, m);
	put_times(f, m);
	put_totals(f, m);
	put_stages(f, m);
	put_lost(f, m);
	for (unsigned int c = 0; c < NR_COUNTERS; c++)
		if (!lost_cause(c))
			put_counter(f, m, c);
	put_missed(f, m);
	fputs("# EOF\n", f);
	return ferror(f) ? -EIO : 0;
}

int metrics_write(const struct metrics *m, const char *path)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	int ret;

	if (!f)
		return -ENOMEM;
	ret = metrics_print(m, f);
	if (fclose(f) && !ret)
		ret = -ENOMEM;
	if (!ret)
		ret = report_file_write(path, text, 0644);
	free(text);
	return ret;
}
