// SPDX-License-Identifier: GPL-2.0
/* This test will compare the percentiles of histograms with those of the sorted values. */
/* needs: host */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include "core/hist.h"
#include "uapi/loglin.h"
#include "unit.h"

static uint64_t state = 88172645463325252ull;

static uint64_t rnd(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static uint64_t uniform(void)
{
	return rnd() % 1000000;
}

static uint64_t tail(void)
{
	return (uint64_t)(1000 * pow(10, (rnd() % 900000) / 100000.0));
}

static uint64_t constant(void)
{
	return 123457;
}

static uint64_t tiny(void)
{
	return rnd() % 5;
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

/* The value of rank ceil(pct * n), by hand. */
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

		/* Never below, and above by less than a bucket. */
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
	check(same, "and its buckets");
	check(!hist_merge(&part[0], &part[1]), "two parts merge");
	for (i = 0, same = true; i < 4096; i++)
		same &= all.buckets[i] == part[0].buckets[i];
	check(same && all.count == part[0].count && all.sum == part[0].sum &&
	      all.min == part[0].min && all.max == part[0].max, "to the whole");
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
	return unit_end();
}
