// SPDX-License-Identifier: GPL-2.0
/*
 * This test will write metrics of known times and hostile texts, compare the buckets with the
 * times, and let the parsers of the Prometheus client read the metrics.
 */
/* needs: host */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/hist.h"
#include "blklat/result/openmetrics.h"
#include "uapi/loglin.h"
#include "random.h"
#include "unit.h"

#define NR_TIMES 20000

static char dir[] = "/tmp/test_user_openmetrics.XXXXXX", path[100];
static uint64_t times[NR_TIMES], sum;
static char text[1 << 20];

/* Add times from 1 ns to 100 s, and times at the edges of octaves. */
static void fill(struct hist *h)
{
	hist_init(h, BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS);
	for (size_t i = 0; i < NR_TIMES; i++) {
		times[i] = i % 4 ? (uint64_t)pow(10, (random_u64() % 11000) / 1000.0) :
				   (1ull << random_u64() % 37) + random_u64() % 3 - 1;
		sum += times[i];
		hist_add(h, times[i]);
	}
}

static void slurp(void)
{
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;

	if (f)
		fclose(f);
	text[n] = 0;
}

/* Return the number that follows @start; -1 if the text does not have @start. */
static double value_of(const char *start)
{
	const char *at = strstr(text, start);

	return at ? atof(at + strlen(start)) : -1;
}

static void check_buckets(const char *series)
{
	char start[200], shown[40];
	unsigned int seen = 0, wrong = 0;

	snprintf(start, sizeof(start), "%s_bucket{device=\"a\",op=\"read\",le=\"", series);
	for (const char *at = text; (at = strstr(at, start)); at++) {
		double le = atof(at + strlen(start)) * 1e9, n = atof(strstr(at, "} ") + 2);
		uint64_t want = 0;

		/* The last bucket is "+Inf". */
		if (!(le > 0 && isfinite(le)))
			le = INFINITY;
		for (size_t i = 0; i < NR_TIMES; i++)
			want += times[i] <= le + 0.25;
		if (n != want) {
			printf("# le %.0f ns: %.0f, wanted %llu\n", le, n,
			       (unsigned long long)want);
			wrong++;
		}
		seen++;
	}
	check(seen == 25 && !wrong, "%s: 25 buckets (%u) hold exactly what is within their bounds",
	      series, seen);
	snprintf(start, sizeof(start), "%s_count{device=\"a\",op=\"read\"} ", series);
	check(value_of(start) == NR_TIMES, "%s: the count is that of all", series);
	snprintf(start, sizeof(start), "%s_sum{device=\"a\",op=\"read\"} %llu.%09llu\n", series,
		 sum / 1000000000ull, sum % 1000000000ull);
	snprintf(shown, sizeof(shown), "%llu", (unsigned long long)sum);
	check(strstr(text, start), "%s: the sum is exact (%s ns)", series, shown);
}

static void parsers(void)
{
	const char *tree = getenv("TREE");
	char cmd[4096];

	snprintf(cmd, sizeof(cmd), "python3 '%s/selftests/lib/openmetrics.py' %s | sed 's/^/# /'; "
		 "exit ${PIPESTATUS[0]}", tree ? tree : ".", path);
	setenv("COMMAND", cmd, 1);
	check(!system("exec bash -c \"$COMMAND\""),
	      "the parsers of OpenMetrics and of the text format read it alike");
	snprintf(cmd, sizeof(cmd),
		 "cut -c2- %s >%s.bad; ! python3 '%s/selftests/lib/openmetrics.py' %s.bad "
		 "2>/dev/null", path, path, tree ? tree : ".", path);
	check(!system(cmd), "the parsers refuse what is no metrics");
}

/* Write hostile names, with a quote, a backslash, a line end and bytes that are not UTF-8. */
static void hostile(const struct hist *h)
{
	struct result_group reads = { .name = "read", .total = *h };
	struct result_row row = {
		.stage = "sched+submit", .group = "kernel+driver", .layer = "leaf", .hist = *h,
	};
	struct result_dev results[2] = {
		{ .facts = { .kind = "nvme", .model = "x\"y\\z\nw\xff\xc3\xa4\xc0\x80" },
		  .top = true, .elapsed_ns = 1500000000 },
		{ .facts = { .kind = "dm", .scheduler = "none" } },
	};
	struct metrics_dev devs[2] = { { &results[0], "a", "6.1" }, { &results[1], "b\"", NULL } };
	struct metrics m = { .start_ns = 1700000000123456789, .missed = 7, .devs = devs,
			     .ndevs = 2 };
	struct stat st = { 0 };

	results[0].ops = (struct result_groups){ &reads, 1 };
	results[0].rows = (struct result_rows){ &row, 1 };
	for (unsigned int c = 0; c < NR_COUNTERS; c++) {
		results[0].ledger.n[c] = 100 + c;
		results[1].ledger.n[c] = LEDGER_UNKNOWN;
	}
	umask(077);
	check(!metrics_write(&m, path), "metrics are written");
	check(!stat(path, &st) && (st.st_mode & 0777) == 0644,
	      "others may read the file whatever the umask is");
	slurp();
	check(strstr(text, "model=\"x\\\"y\\\\z\\nw?\xc3\xa4??\",firmware=\"\""),
	      "texts are escaped");
	check(strstr(text, "blklat_lost_total{device=\"a\",cause=\"full\"} ") &&
	      !strstr(text, "device=\"b\\\"\",cause"),
	      "what is not known is not there");
	check(strstr(text, "\nblklat_start_time_seconds 1700000000.123456789\n"),
	      "times have all digits");
	check(!strcmp(text + strlen(text) - 7, "\n# EOF\n"), "the file ends with # EOF");
}

static void empty(void)
{
	struct metrics m = { .missed = LEDGER_UNKNOWN };
	char nowhere[200];

	check(!metrics_write(&m, path), "metrics of no device are written");
	slurp();
	check(!strstr(text, "\nblklat_"), "metrics of no device have no samples");
	parsers();
	snprintf(nowhere, sizeof(nowhere), "%s/none/metrics", dir);
	check(metrics_write(&m, nowhere) == -ENOENT, "a directory that is not there is an error");
}

int main(void)
{
	struct hist h;

	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/metrics.prom", dir);
	fill(&h);
	hostile(&h);
	check_buckets("blklat_io_latency_seconds");
	parsers();
	empty();
	snprintf(path, sizeof(path), "rm -r %s", dir);
	check(!system(path), "only these files were left");
	hist_free(&h);
	return unit_end();
}
