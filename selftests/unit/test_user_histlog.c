// SPDX-License-Identifier: GPL-2.0
/*
 * This test will write logs of histograms, read them back and merge them, and read files that are
 * not logs.
 */
/* needs: host */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/log.h"
#include "output/cells.h"
#include "output/histlog.h"
#include "output/histogram.h"
#include "uapi/loglin.h"
#include "random.h"
#include "unit.h"

static char path[] = "/tmp/histlog.XXXXXX";

static bool equal(const struct hist *a, const struct hist *b)
{
	return a->bits == b->bits && a->nbuckets == b->nbuckets && a->count == b->count &&
	       a->sum == b->sum && a->min == b->min && a->max == b->max &&
	       !memcmp(a->buckets, b->buckets, a->nbuckets * sizeof(*a->buckets));
}

#define INTERVALS 100

static void round_trip(void)
{
	struct histlog_entry e = { .device = "nvme0n1", .op = "read" }, got;
	struct hist one[INTERVALS], all, merged;
	struct histlog lg = { 0 };
	FILE *f = fopen(path, "w");
	bool good = true;
	int i, k, ret;

	hist_init(&all, 7, LOGLIN_BUCKETS(42, 7));
	hist_init(&merged, 7, LOGLIN_BUCKETS(42, 7));
	check(!histlog_head(f), "a head is written");
	for (i = 0; i < INTERVALS; i++) {
		hist_init(&one[i], 7, LOGLIN_BUCKETS(42, 7));
		for (k = random_u64() % 3 ? 1000 : 0; k; k--) {
			uint64_t v = random_u64() >> (20 + random_u64() % 40);

			hist_add(&one[i], v);
			hist_add(&all, v);
		}
		e.hist = &one[i];
		e.start_ns = i * 1000000000ull;
		e.end_ns = e.start_ns + 1000000000;
		e.bytes = one[i].count * 4096;
		e.errors = i;
		e.service = i & 1;
		e.name = i & 2 ? "a \"name\"" : NULL;
		e.step = i & 4 ? "qd=4, bs=4k" : NULL;
		good &= !histlog_write(f, &e);
	}
	fclose(f);
	check(good, "%d intervals are written", INTERVALS);
	ret = histlog_open(&lg, path);
	check(!ret && *lg.host && lg.day_ns > 1500000000000000000ll, "the head is read");
	for (i = 0, good = true; i < INTERVALS && good; i++) {
		good = histlog_read(&lg, &got) == 1 && equal(got.hist, &one[i]) &&
		       !strcmp(got.device, "nvme0n1") && !strcmp(got.op, "read") &&
		       got.start_ns == i * 1000000000ull && got.end_ns == (i + 1) * 1000000000ull &&
		       got.bytes == one[i].count * 4096 && got.errors == (uint64_t)i &&
		       got.service == (i & 1) && !got.name == !(i & 2) && !got.step == !(i & 4) &&
		       (!got.name || !strcmp(got.name, "a \"name\"")) &&
		       !hist_merge(&merged, got.hist);
	}
	check(good && histlog_read(&lg, &got) == 0, "all intervals are read as they were");
	check(equal(&merged, &all) &&
	      hist_percentile(&merged, 99.99) == hist_percentile(&all, 99.99),
	      "merged they are as if measured together");
	histlog_close(&lg);
	for (i = 0; i < INTERVALS; i++)
		hist_free(&one[i]);
	hist_free(&all);
	hist_free(&merged);
}

#define HEAD	"{\"schema\":\"blkgen-log/1\",\"host\":\"h\",\"unix_ns\":1}\n"
#define SPAN(start, end) \
	"{\"device\":\"d\",\"op\":\"read\",\"of\":\"latency\",\"start_ns\":" start \
	",\"end_ns\":" end ",\"bytes\":0,\"errors\":0,\"sum_ns\":0,\"min_ns\":0," \
	"\"max_ns\":0,\"bits\":7,\"nbuckets\":4608,\"ios\":0,\"buckets\":[]}\n"
#define ENTRY(bits, n, ios, b) \
	"{\"device\":\"d\",\"op\":\"read\",\"of\":\"latency\",\"start_ns\":0,\"end_ns\":1," \
	"\"bytes\":0,\"errors\":0,\"sum_ns\":5,\"min_ns\":5,\"max_ns\":5,\"bits\":" bits \
	",\"nbuckets\":" n ",\"ios\":" ios ",\"buckets\":" b "}\n"

static void reads(const char *what, const char *text, int open, int read, const char *says)
{
	struct histlog_entry e;
	struct histlog lg = { 0 };
	FILE *f = fopen(path, "w");
	int ret, ret2 = 0;

	fputs(text, f);
	fclose(f);
	ret = histlog_open(&lg, path);
	if (!ret)
		while ((ret2 = histlog_read(&lg, &e)) > 0)
			;
	histlog_close(&lg);
	check(ret == open && ret2 == read && (!(open | read) || strstr(log_last_error(), says)),
	      "%s: %s", what, open || read ? log_last_error() : "is taken");
}

static void histogram(void)
{
	struct report_table *t;
	struct hist h;
	double sum = 0, last = 0;
	uint64_t count = 0, next = 0;
	bool rises = true, joined = true;
	size_t i;

	hist_init(&h, 7, LOGLIN_BUCKETS(42, 7));
	for (i = 0; i < 100000; i++)
		hist_add(&h, 900 + random_u64() % 300000);
	hist_add(&h, 1ull << 45);
	t = report_histogram(&h);
	for (i = 0; i < t->nrows; i++) {
		const struct cell *c = t->rows[i].cells;

		joined &= !i || c[0].u64 == next;
		next = c[1].u64;
		count += c[2].u64;
		sum += c[3].real;
		rises &= c[4].real >= last;
		last = c[4].real;
	}
	check(t->nrows > 10 && t->nrows < 100 && count == h.count && rises && joined,
	      "%zu ranges have all values, one beside the other", t->nrows);
	check(sum > 99.999999 && sum < 100.000001 && last == 100,
	      "the parts of all ranges are 100 %%");
	check(t->rows[0].cells[0].u64 <= 900 && t->rows[0].cells[1].u64 > 900 &&
	      t->rows[t->nrows - 1].cells[1].u64 > h.max,
	      "the ranges go from the least to the most");
	report_table_free(t);
	hist_free(&h);
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	log_init("test");
	round_trip();
	reads("nothing", "", -EINVAL, 0, "is empty");
	reads("no JSON", "hello\n", -EINVAL, 0, ":1: is not a line");
	reads("another schema", "{\"schema\":\"blkgen/1\"}\n", -EINVAL, 0,
	      ":1: a log of blkgen load begins");
	reads("no object", "[1]\n", -EINVAL, 0, ":1: is not a line");
	reads("no interval", HEAD, 0, 0, "");
	reads("an interval", HEAD ENTRY("7", "4608", "2", "[[5,1],[600,1]]"), 0, 0, "");
	reads("too few I/Os", HEAD ENTRY("7", "4608", "3", "[[5,1],[600,1]]"), 0, -EINVAL,
	      ":2: the \"buckets\" are not");
	reads("a bucket past the end", HEAD ENTRY("7", "4608", "1", "[[4608,1]]"), 0, -EINVAL,
	      ":2: the \"buckets\" are not");
	reads("buckets without counts", HEAD ENTRY("7", "4608", "1", "[5,1]"), 0, -EINVAL,
	      ":2: the \"buckets\" are not");
	reads("too fine", HEAD ENTRY("60", "4608", "0", "[]"), 0, -EINVAL,
	      ":2: \"bits\" is not a number from 0 to 16");
	reads("too many buckets", HEAD ENTRY("7", "99999999999", "0", "[]"), 0, -EINVAL,
	      ":2: \"nbuckets\" is not a number");
	reads("too many buckets for the bits", HEAD ENTRY("7", "99999", "0", "[]"), 0, -EINVAL,
	      ":2: \"bits\" or \"nbuckets\" is not that of a histogram");
	reads("a head without a time", "{\"schema\":\"blkgen-log/1\"}\n", -EINVAL, 0,
	      ":1: \"unix_ns\" is not a time");
	reads("a time beyond all calendars",
	      "{\"schema\":\"blkgen-log/1\",\"unix_ns\":9223372036854775807}\n", -EINVAL, 0,
	      ":1: \"unix_ns\" is not a time");
	reads("an interval that ends before it begins", HEAD SPAN("2", "1"), 0, -EINVAL,
	      ":2: \"start_ns\" and \"end_ns\" are not a span");
	reads("an interval beyond all times", HEAD SPAN("0", "18446744073709551615"), 0, -EINVAL,
	      ":2: \"end_ns\" is not a number from 0 to 4611686018427387903");
	reads("a time before 1970", "{\"schema\":\"blkgen-log/1\",\"unix_ns\":-5}\n"
	      SPAN("0", "4611686018427387903"), 0, 0, "");
	reads("a time before all calendars",
	      "{\"schema\":\"blkgen-log/1\",\"unix_ns\":-9223372036854775808}\n", -EINVAL, 0,
	      ":1: \"unix_ns\" is not a time");
	reads("a negative count", HEAD ENTRY("7", "4608", "-1", "[]"), 0, -EINVAL,
	      ":2: \"ios\" is not a number from 0");
	reads("a count in words", HEAD ENTRY("7", "4608", "\"0\"", "[]"), 0, -EINVAL,
	      ":2: \"ios\" is not a number from 0");
	reads("a negative bucket", HEAD ENTRY("7", "4608", "0", "[[-1,0]]"), 0, -EINVAL,
	      ":2: the \"buckets\" are not");
	reads("buckets whose sum is 2^64", HEAD
	      ENTRY("7", "4608", "0", "[[5,9223372036854775808],[6,9223372036854775808]]"),
	      0, -EINVAL, ":2: the \"buckets\" are not");
	reads("half an entry", HEAD "{\"device\":\"d\"}\n", 0, -EINVAL, ":2: \"op\" is not");
	reads("half a line", HEAD ENTRY("7", "4608", "0", "[]") "{\"device\":\"d\",\"o", 0, 0, "");
	histogram();
	unlink(path);
	return unit_end();
}
