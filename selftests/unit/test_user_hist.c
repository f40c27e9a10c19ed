// SPDX-License-Identifier: GPL-2.0
/* This test will compare the percentiles of histograms with those of the sorted values. */
/* needs: host */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/hist.h"
#include "uapi/loglin.h"
#include "random.h"
#include "unit.h"

static uint64_t uniform(void)
{
	return random_u64() % 1000000;
}

static uint64_t tail(void)
{
	return (uint64_t)(1000 * pow(10, (random_u64() % 900000) / 100000.0));
}

static uint64_t constant(void)
{
	return 123457;
}

static uint64_t tiny(void)
{
	return random_u64() % 5;
}

static int order(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static const struct {
	const char *name;
	uint64_t (*draw)(void);
} shapes[] = {
	{ "uniform", uniform }, { "long-tailed", tail }, { "constant", constant }, { "tiny", tiny },
};

/* Return the value of rank ceil(pct * n) of sorted values. */
static uint64_t exact(const uint64_t *v, size_t n, unsigned int pct_1000)
{
	size_t rank = ((uint64_t)pct_1000 * n + 99999) / 100000;

	return v[rank ? rank - 1 : 0];
}

static void compare(unsigned int bits, size_t shape, size_t n)
{
	static const unsigned int pcts[] = { 0, 1000, 50000, 90000, 99000, 99900, 99990, 99999 };
	uint64_t *v = calloc(n, sizeof(*v)), sum = 0;
	bool good = true;
	struct hist h;
	size_t i;

	hist_init(&h, bits, LOGLIN_BUCKETS(42, bits));
	for (i = 0; i < n; i++) {
		v[i] = shapes[shape].draw();
		sum += v[i];
		hist_add(&h, v[i]);
	}
	qsort(v, n, sizeof(*v), order);
	for (i = 0; i < sizeof(pcts) / sizeof(*pcts); i++) {
		uint64_t want = exact(v, n, pcts[i]), got = hist_percentile(&h, pcts[i] / 1000.0);

		/* The percentile is never too low, and too high by less than a bucket. */
		if (got < want || got - want > want >> bits || got > v[n - 1]) {
			printf("# p%g: %llu, exactly %llu\n", pcts[i] / 1000.0,
			       (unsigned long long)got, (unsigned long long)want);
			good = false;
		}
	}
	good &= hist_percentile(&h, 100) == v[n - 1] && h.max == v[n - 1] && h.min == v[0];
	good &= h.count == n && h.sum == sum && fabs(hist_mean(&h) - (double)sum / n) < 1e-6;
	check(good, "%zu %s values, %u bits: percentiles, sum, min and max", n,
	      shapes[shape].name, bits);
	hist_free(&h);
	free(v);
}

static void merge(void)
{
	struct hist all, part[2], delta, other;
	bool same = true;
	uint32_t i;

	hist_init(&all, 6, 4096);
	hist_init(&delta, 6, 4096);
	hist_init(&part[0], 6, 4096);
	hist_init(&part[1], 6, 4096);
	hist_init(&other, 8, 4096);
	for (i = 0; i < 100000; i++) {
		uint64_t v = tail();

		hist_add(&all, v);
		hist_add(&part[i % 3 == 0], v);
	}
	check(!hist_delta(&delta, &all, &part[0]) && delta.count == part[1].count &&
	      delta.sum == part[1].sum, "a difference has count and sum of the rest");
	for (i = 0; i < 4096; i++)
		same &= delta.buckets[i] == part[1].buckets[i];
	check(same, "a difference has the buckets of the rest");
	check(!hist_merge(&part[0], &part[1]), "two parts merge");
	for (i = 0, same = true; i < 4096; i++)
		same &= all.buckets[i] == part[0].buckets[i];
	check(same && all.count == part[0].count && all.sum == part[0].sum &&
	      all.min == part[0].min && all.max == part[0].max, "two parts merge to the whole");
	check(hist_merge(&part[0], &other) == -EINVAL, "other buckets do not merge");
	check(hist_percentile(&other, 50) == 0 && hist_mean(&other) == 0, "an empty one is 0");
	hist_add(&other, UINT64_MAX);
	check(hist_percentile(&other, 50) == UINT64_MAX, "what is past the end reads as max");
	hist_free(&all);
	hist_free(&delta);
	hist_free(&part[0]);
	hist_free(&part[1]);
	hist_free(&other);
}

/* Take snapshots of a growing histogram, whose counters are read at different moments. */
static void snapshots(void)
{
	struct hist all, before, part, sum, snap;
	uint64_t n = 0, v = 0, lo = 0, hi = 0;
	bool good = true, same = true, late;
	unsigned int k, i;

	hist_init(&all, 7, LOGLIN_BUCKETS(42, 7));
	hist_init(&before, 7, LOGLIN_BUCKETS(42, 7));
	hist_init(&part, 7, LOGLIN_BUCKETS(42, 7));
	hist_init(&sum, 7, LOGLIN_BUCKETS(42, 7));
	for (k = 0; k < 50; k++) {
		n = k % 7 ? 2 + random_u64() % 1000 : 0;
		late = k % 7 == 2 || k % 7 == 5;
		for (i = 0; i < n; i++) {
			if (!late || i > 1)
				v = tail();
			else
				v = i ? all.max + all.max / 8 : all.min - all.min / 8;
			hist_add(&all, v);
			lo = !i || v < lo ? v : lo;
			hi = !i || v > hi ? v : hi;
		}
		snap = all;
		snap.count -= n ? 1 : 0;
		/* The last values came after min and max were read, and before the buckets were. */
		if (late) {
			snap.min = before.min;
			snap.max = before.max;
		}
		hist_since(&part, &snap, &before);
		good &= part.count == n;
		if (n && !late && k % 7 != 3 && k % 7 != 6)
			good &= part.min <= lo && lo - part.min <= lo >> 7 && part.max >= hi &&
				part.max - hi <= hi >> 7;
		hist_merge(&sum, &part);
		memcpy(before.buckets, all.buckets, all.nbuckets * sizeof(*all.buckets));
		before.count = snap.count;
		before.sum = snap.sum;
		before.min = snap.min;
		before.max = snap.max;
	}
	check(good, "50 intervals have their counts, and min and max within a bucket");
	for (i = 0; i < all.nbuckets; i++)
		same &= sum.buckets[i] == all.buckets[i];
	check(same && sum.count == all.count && sum.sum == all.sum && sum.min == all.min &&
	      sum.max == all.max && hist_percentile(&sum, 99.9) == hist_percentile(&all, 99.9),
	      "merged they are the whole, with its exact min and max");
	hist_free(&all);
	hist_free(&before);
	hist_free(&part);
	hist_free(&sum);
}

static void deviation(unsigned int bits)
{
	double sum = 0, squares = 0, got, want;
	struct hist h;
	size_t i, n = 100000;

	hist_init(&h, bits, LOGLIN_BUCKETS(42, bits));
	check(hist_stddev(&h) == 0, "the deviation of nothing is 0");
	hist_add(&h, 123457);
	check(hist_stddev(&h) == 0, "the deviation of one value is 0");
	memset(h.buckets, 0, h.nbuckets * sizeof(*h.buckets));
	h.count = h.sum = h.max = 0;
	for (i = 0; i < n; i++) {
		uint64_t v = 10000 + uniform();

		hist_add(&h, v);
		sum += v;
		squares += (double)v * v;
	}
	want = sqrt(squares / n - sum / n * (sum / n));
	got = hist_stddev(&h);
	check(fabs(got / want - 1) < 0.001, "%u bits: deviation %.0f, exactly %.0f", bits, got,
	      want);
	hist_free(&h);
}

/* blkgen's sum of latencies stops at its largest value. */
static void large_sum(void)
{
	struct hist h, twice;

	hist_init(&h, 7, LOGLIN_BUCKETS(42, 7));
	hist_init(&twice, 7, LOGLIN_BUCKETS(42, 7));
	for (unsigned int i = 0; i < 1000; i++)
		hist_add(&h, 1000000000ULL + i * 1000000);
	h.sum = UINT64_MAX;
	check(fabs(hist_mean(&h) / 1499500000.0 - 1) < 0.01, "the mean without a sum is %.0f",
	      hist_mean(&h));
	hist_merge(&twice, &h);
	hist_merge(&twice, &h);
	check(twice.count == 2000 && hist_mean(&twice) == hist_mean(&h),
	      "the mean without a sum is the same for twice as many");
	hist_free(&h);
	hist_free(&twice);
}

int main(void)
{
	static const size_t sizes[] = { 1, 2, 10, 999, 1000, 100000 };
	size_t s, n;

	for (s = 0; s < sizeof(shapes) / sizeof(*shapes); s++)
		for (n = 0; n < sizeof(sizes) / sizeof(*sizes); n++) {
			compare(6, s, sizes[n]);
			compare(8, s, sizes[n]);
		}
	merge();
	snapshots();
	deviation(7);
	deviation(5);
	large_sum();
	return unit_end();
}
