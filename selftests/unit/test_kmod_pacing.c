// SPDX-License-Identifier: GPL-2.0
/*
 * This test will compare arrival times with exact fractions, and random arrival times with the
 * exponential function of the C library.
 */
// needs: host
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../kmod/pattern.c"
#include "../../kmod/pacing.c"
#include "unit.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define START		1234567890123ULL

/*
 * Return true if each I/O is due at its exact time, rounded down to ns. I/O k of all workers is
 * due at START + k * (ns per I/O), in exact fractions, and worker w of n does the I/Os w, w + n...
 * A burst counts as one I/O here.
 */
static bool exact(__u64 rate, __u32 workers, __u32 burst, __u32 bs, __u32 nr)
{
	struct blkgen_setup set = {
		.rate = rate, .workers = workers, .burst = burst, .bs = bs ? bs : 4096,
		.flags = bs ? BLKGEN_SETUP_RATE_BYTES : 0,
	};
	__u32 w, i, each = burst ? burst : 1;

	for (w = 0; w < workers; w += workers > 3 ? workers / 3 : 1) {
		struct blkgen_pacer p;

		blkgen_pacer_init(&p, &set, w, START);
		for (i = 0; i < nr; i++) {
			__uint128_t turn = (__uint128_t)(i / each) * workers + w;
			__u64 want = START +
				(__u64)(turn * each * (bs ? bs : 1) * 1000000000 / rate);

			if (p.next != want) {
				printf("# rate %llu, worker %u of %u, burst %u, bs %u, I/O %u: at "
				       "%llu, not %llu\n",
				       (unsigned long long)rate, w, workers, burst, bs, i,
				       (unsigned long long)p.next, (unsigned long long)want);
				return false;
			}
			blkgen_pacer_advance(&p, bs ? bs : 1);
		}
	}
	return true;
}

static void test_exact(void)
{
	static const __u64 rates[] = {
		1, 3, 7, 10, 999, 1000, 1001, 4096, 65537, 100000, 333333, 999983, 1000000, 1000003,
		1999993, 2000000, 1ULL << 30, 999999999, 1000000007, 1ULL << 40,
	};
	static const __u32 workers[] = { 1, 2, 3, 7, 64, 256 };
	static const __u32 bursts[] = { 0, 1, 2, 7, 100, 65536 };
	static const __u32 sizes[] = { 512, 4096, 12288, 1 << 20 };
	bool ok = true, bytes_ok = true;
	unsigned int r, w, b;

	check(exact(1, 1, 0, 0, 1000000) && exact(999983, 1, 0, 0, 1000000) &&
	      exact(1999993, 1, 0, 0, 1000000) && exact(2000000, 3, 0, 0, 1000000) &&
	      exact(70000001, 2, 0, 4096, 1000000), "a million I/Os are due to the nanosecond");
	for (r = 0; r < ARRAY_SIZE(rates); r++)
		for (w = 0; w < ARRAY_SIZE(workers); w++)
			for (b = 0; b < ARRAY_SIZE(bursts); b++) {
				__u64 most = (__u64)workers[w] * (bursts[b] ? bursts[b] : 1);

				/* The module refuses such distances. */
				if (most * 1000000000 / rates[r] > 1ULL << 38)
					continue;
				ok &= exact(rates[r], workers[w], bursts[b], 0, 2000);
			}
	check(ok, "I/Os are due to the nanosecond at all rates, workers and bursts");
	for (r = 0; r < ARRAY_SIZE(rates); r++)
		for (w = 0; w < ARRAY_SIZE(workers); w++)
			for (b = 0; b < ARRAY_SIZE(sizes); b++) {
				__u64 most = (__u64)workers[w] * sizes[b];

				if (most * 1000000000 / rates[r] <= 1ULL << 38)
					bytes_ok &= exact(rates[r], workers[w], 0, sizes[b], 2000);
			}
	check(bytes_ok, "the same for bytes a second");
}

/* I/Os differ in size: the next I/O is due when all bytes before it are. */
static void test_sizes(void)
{
	static const __u64 rates[] = { 50000000, 1000003, 1ULL << 33 };
	static const __u32 bursts[] = { 1, 5 };
	unsigned int r, b, i;
	bool ok = true;

	for (r = 0; r < ARRAY_SIZE(rates); r++)
		for (b = 0; b < ARRAY_SIZE(bursts); b++) {
			struct blkgen_setup set = {
				.rate = rates[r], .workers = 3, .burst = bursts[b], .bs = 65536,
				.flags = BLKGEN_SETUP_RATE_BYTES, .nr_sizes = 2,
			};
			/* of worker 1: its phase */
			__uint128_t bytes = (__uint128_t)65536 * bursts[b];
			__uint128_t own = 0, burst = 0;
			struct blkgen_pacer p;
			__u64 rng = 1;

			blkgen_pacer_init(&p, &set, 1, START);
			for (i = 0; i < 1000000 && ok; i++) {
				__u64 want = START +
					(__u64)((bytes + own * 3) * 1000000000 / rates[r]);
				__u32 size = (1 + blkgen_random(&rng) % 128) * 512;

				ok = p.next == want;
				if (!ok)
					printf("# rate %llu, burst %u, I/O %u: at %llu, not %llu\n",
					       (unsigned long long)rates[r], bursts[b], i,
					       (unsigned long long)p.next,
					       (unsigned long long)want);
				blkgen_pacer_advance(&p, size);
				burst += size;
				if ((i + 1) % bursts[b] == 0) {
					own += burst;
					burst = 0;
				}
			}
		}
	check(ok, "I/Os of many sizes are due when their bytes are");
}

/* The workers' I/Os interleave: the I/Os of all workers together have equal distances. */
static void test_interleave(void)
{
	struct blkgen_setup set = { .rate = 3000, .workers = 3, .bs = 4096 };
	struct blkgen_pacer p[3];
	bool ok = true;
	unsigned int i;

	for (i = 0; i < 3; i++)
		blkgen_pacer_init(&p[i], &set, i, START);
	for (i = 0; i < 30000 && ok; i++) {
		ok = p[i % 3].next == START + i * 1000000ULL / 3;
		blkgen_pacer_advance(&p[i % 3], 1);
	}
	check(ok, "workers take turns");
}

static void test_exponential(void)
{
	double worst = 0, off;
	__u64 last = ~0ULL, rng = 5, r;
	bool falls = true;
	unsigned int i;

	for (i = 0; i < 4000000; i++) {
		/* Half of the numbers are shifted, to try all orders of magnitude. */
		r = blkgen_random(&rng);
		if (i & 1)
			r >>= i / 2 % 64;
		r |= 1;
		off = fabs(blkgen_exponential(r) / 65536.0 - (64 * M_LN2 - log((double)r)));
		worst = off > worst ? off : worst;
	}
	printf("# at most %.3g off\n", worst);
	/* Rounding down makes an error of 2^-16; the rest is that of the table. */
	check(worst < 1.0 / 65536 + 6e-6, "the exponential is -ln");
	for (i = 0; i < 64 * 512; i++) {
		r = (1ULL << (i / 512)) | (i / 512 >= 9 ? (__u64)(i % 512) << (i / 512 - 9) : 0);
		if (blkgen_exponential(r) > last)
			falls = false;
		last = blkgen_exponential(r);
	}
	check(falls, "the exponential falls all the way");
	check(blkgen_exponential(~0ULL) == 0 && blkgen_exponential(0) == blkgen_exponential(1) &&
	      fabs(blkgen_exponential(0) / 65536.0 - 64 * M_LN2) < 2e-5 &&
	      blkgen_exponential(0) <= 45 * 65536, "the exponential ends where it should");
	off = blkgen_exponential(1ULL << 63) / 65536.0 - M_LN2;
	check(fabs(off) < 2e-5, "half of the draws are above ln(2)");
}

/*
 * Compare the fast path to a random distance with -ln of the random number that the pacer drew,
 * which it keeps.
 */
static void test_distances(void)
{
	struct blkgen_pacer p = { .rate = 1, .mean = 1 << 28, .rng = 3 };
	double off, x, u, sum = 0, worst = 0;
	unsigned int i, nr_long = 0, nr = 4000000;

	for (i = 0; i < nr; i++) {
		p.next = p.frac = 0;
		blkgen_pacer_advance(&p, 1);
		u = p.rng / 18446744073709551616.0;
		x = p.next / 1048576.0;
		off = fabs(x + log(u)) * u;
		worst = off > worst ? off : worst;
		sum += x + log(u);
		nr_long += u < 1.0 / 64;
	}
	printf("# %u the long way, no probability off by more than %.2g, the mean by %.2g\n",
	       nr_long, worst, sum / nr);
	check(nr_long > 60000 && worst < 1e-5 && fabs(sum / nr) < 1e-5, "the table is -ln");
}

static int up(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/*
 * Sort @n numbers. Return the distance of Kolmogorov and Smirnov from the exponential
 * distribution, times sqrt(n).
 */
static double ks(double *v, unsigned int n)
{
	double d = 0;
	unsigned int i;

	qsort(v, n, sizeof(*v), up);
	for (i = 0; i < n; i++) {
		double f = -expm1(-v[i]);

		d = fmax(d, fmax(f - (double)i / n, (double)(i + 1) / n - f));
	}
	return d * sqrt(n);
}

/* Store @n distances of a worker's I/Os in @v, as multiples of their mean. */
static void distances(double *v, unsigned int n, const struct blkgen_setup *set,
		      unsigned int worker)
{
	double mean = 1e9 * set->workers / set->rate;
	struct blkgen_pacer p;
	__u64 last = START;
	unsigned int i;

	if (set->flags & BLKGEN_SETUP_RATE_BYTES)
		mean *= set->bs;
	blkgen_pacer_init(&p, set, worker, START);
	for (i = 0; i < n; i++) {
		v[i] = (p.next - last) / mean;
		last = p.next;
		blkgen_pacer_advance(&p, set->flags & BLKGEN_SETUP_RATE_BYTES ? set->bs : 1);
	}
}

static void test_poisson(void)
{
	static const __u64 rates[] = { 1, 1000, 100000, 2000000 };
	enum { N = 100000, SEEDS = 40 };
	unsigned int r, seed, i, over = 0, runs = 0;
	double *v = malloc(N * sizeof(*v));
	bool mean_ok = true, var_ok = true, corr_ok = true;

	for (r = 0; r < ARRAY_SIZE(rates); r++)
		for (seed = 0; seed < SEEDS; seed++) {
			struct blkgen_setup set = {
				.rate = rates[r], .arrival = BLKGEN_ARRIVAL_POISSON,
				.workers = 1 + seed % 3, .bs = 4096, .seed = r * SEEDS + seed,
				.flags = seed & 4 ? BLKGEN_SETUP_RATE_BYTES : 0,
			};
			double sum = 0, sq = 0, corr = 0;

			if (set.flags)
				set.rate *= set.bs;
			distances(v, N, &set, seed % set.workers);
			for (i = 0; i < N; i++) {
				sum += v[i];
				sq += (v[i] - 1) * (v[i] - 1);
				corr += i ? (v[i] - 1) * (v[i - 1] - 1) : 0;
			}
			/*
			 * The standard deviations of these are 1, sqrt(8) and 1, each divided by
			 * sqrt(N). Allow five of them.
			 */
			mean_ok &= fabs(sum / N - 1) < 5 / sqrt(N);
			var_ok &= fabs(sq / N - 1) < 5 * sqrt(8.0 / N);
			corr_ok &= fabs(corr / N) < 5 / sqrt(N);
			runs++;
			over += ks(v, N) > 1.6276;	/* exceeded once in 100 times */
		}
	free(v);
	check(mean_ok, "random distances have their mean");
	check(var_ok, "random distances have their variance");
	check(corr_ok, "one random distance does not tell the next");
	printf("# %u of %u runs over the 1 %% limit of Kolmogorov and Smirnov\n", over, runs);
	/* 1.6 of 160 are expected; 8 or more have a chance of 3e-4. */
	check(over < 8, "random distances are exponential");
}

/* All workers together make a Poisson process of the whole rate, and no two workers are alike. */
static void test_poisson_together(void)
{
	enum { N = 50000, W = 4 };
	struct blkgen_setup set = {
		.rate = 100000, .arrival = BLKGEN_ARRIVAL_POISSON, .workers = W, .bs = 4096,
		.seed = 9,
	};
	double *v = malloc(N * sizeof(*v));
	struct blkgen_pacer p[W];
	unsigned int i, w, first;
	__u64 last = START;

	for (w = 0; w < W; w++)
		blkgen_pacer_init(&p[w], &set, w, START);
	for (i = 0; i < N; i++) {
		for (w = 1, first = 0; w < W; w++)
			if (p[w].next < p[first].next)
				first = w;
		v[i] = (p[first].next - last) / 10000.0;
		last = p[first].next;
		blkgen_pacer_advance(&p[first], 1);
	}
	check(ks(v, N) < 1.95, "four workers together are as random as one");	/* 0.1 % */
	free(v);
}

/* The longest distances that the module allows do not overflow. */
static void test_extremes(void)
{
	struct blkgen_setup set = { .rate = 1, .arrival = BLKGEN_ARRIVAL_POISSON, .workers = 256,
				    .bs = 4096 };
	struct blkgen_pacer p;
	double sum = 0;
	unsigned int i, n = 1000000;
	__u64 last = START;
	bool ok = true;

	/* The I/Os of a worker are 256 s apart, which is below 2^38 ns. */
	blkgen_pacer_init(&p, &set, 0, START);
	for (i = 0; i < n; i++) {
		ok &= p.next >= last && p.next - last <= 45 * 256000000000ULL;
		sum += (p.next - last) / 256e9;
		last = p.next;
		blkgen_pacer_advance(&p, 1);
	}
	check(ok && fabs(sum / n - 1) < 0.005, "the longest distances are right");
	set.rate = 100000000;
	set.workers = 1;
	blkgen_pacer_init(&p, &set, 0, START);
	for (last = p.next, i = 0; i < 5000000; i++)
		blkgen_pacer_advance(&p, 1);
	sum = (p.next - last) / 10.0 / i;
	printf("# shortest: mean %.4f of what it should be\n", sum);
	check(fabs(sum - 1) < 0.005, "the shortest distances are right");
}

int main(void)
{
	printf("KTAP version 1\n");
	blkgen_pacing_init();
	test_exact();
	test_sizes();
	test_interleave();
	test_exponential();
	test_distances();
	test_poisson();
	test_poisson_together();
	test_extremes();
	return unit_end();
}
