// SPDX-License-Identifier: GPL-2.0
/*
 * This test will compare blkgen's offsets and mix with brute force: bitmaps of
 * what was hit, and counts where chance has a known spread.
 */
// needs: host
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../kmod/pattern.c"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

static int nr_tests, failed;

static void check(bool ok, const char *what)
{
	printf("%sok %d - %s\n", ok ? "" : "not ", ++nr_tests, what);
	failed += !ok;
}

/* Is it a permutation? Counts the rounds it took, too. */
static bool bijective(__u64 n, __u64 seed)
{
	unsigned char *hit = calloc(1, n);
	struct blkgen_perm p;
	bool ok = true;
	__u64 i;

	blkgen_perm_init(&p, n, seed);
	for (i = 0; i < n && ok; i++) {
		__u64 x = blkgen_perm_at(&p, i);

		ok = x < n && !hit[x];
		if (ok)
			hit[x] = 1;
	}
	if (!ok)
		printf("# n %llu seed %llu place %llu\n", (unsigned long long)n,
		       (unsigned long long)seed, (unsigned long long)i);
	free(hit);
	return ok;
}

static void test_bijective(void)
{
	static const __u64 sizes[] = {
		4095, 4096, 4097, 65535, 65536, 65537, 99991, 1000003, (1 << 20) - 1, 1 << 20,
		(1 << 20) + 1, 3 << 20,
	};
	bool ok = true;
	__u64 n, seed;
	unsigned int i;

	for (n = 1; n <= 1200; n++) {
		for (seed = 0; seed < 4; seed++)
			ok &= bijective(n, seed);
	}
	check(ok, "every size up to 1200 is permuted");
	for (ok = true, i = 0; i < ARRAY_SIZE(sizes); i++)
		ok &= bijective(sizes[i], i) && bijective(sizes[i], ~0ULL - i);
	check(ok, "large sizes are permuted");
}

static int compare(const void *a, const void *b)
{
	__u64 x = *(const __u64 *)a, y = *(const __u64 *)b;

	return x < y ? -1 : x > y;
}

/* Sizes no bitmap holds: look for a block that came twice among the first */
static void test_huge(void)
{
	static const __u64 sizes[] = { 1ULL << 55, (1ULL << 40) + 7, (1ULL << 33) - 1 };
	const unsigned int n = 1 << 20;
	__u64 *seen = malloc(n * sizeof(*seen));
	unsigned int s, i;
	bool ok = true;

	for (s = 0; s < ARRAY_SIZE(sizes); s++) {
		struct blkgen_perm p;

		blkgen_perm_init(&p, sizes[s], s);
		for (i = 0; i < n; i++) {
			seen[i] = blkgen_perm_at(&p, i);
			ok &= seen[i] < sizes[s];
		}
		qsort(seen, n, sizeof(*seen), compare);
		for (i = 1; i < n; i++)
			ok &= seen[i] != seen[i - 1];
	}
	free(seen);
	check(ok, "no block comes twice in a million on huge devices");
}

/*
 * Counts of @n draws over @bins equally likely bins: is chi square what chance
 * makes it, within 6 standard deviations? Too even is as bad as too uneven.
 */
static bool chi_ok(const unsigned int *count, unsigned int bins, unsigned int n, const char *what)
{
	double e = (double)n / bins, chi = 0, sd;
	unsigned int i;

	for (i = 0; i < bins; i++)
		chi += (count[i] - e) * (count[i] - e) / e;
	sd = sqrt(2.0 * (bins - 1));
	/* Few bins have a skewed chi square */
	if (chi > bins - 1 + 6 * sd + 12 || chi < bins - 1 - 6 * sd) {
		printf("# %s: chi square %.1f of %u bins\n", what, chi, bins);
		return false;
	}
	return true;
}

/* Blocks spread evenly over members of a stripe, whatever its geometry */
static void test_stripes(void)
{
	static const __u64 sizes[] = {
		1000000007ULL, 1ULL << 28, 3ULL << 26, (1ULL << 32) + 12345,
	};
	static const unsigned int members[] = { 2, 3, 4, 5, 7, 8, 16 };
	unsigned int s, m, shift, i, n = 20000, seed;
	bool ok = true;

	for (s = 0; s < ARRAY_SIZE(sizes); s++) {
		for (m = 0; m < ARRAY_SIZE(members); m++) {
			for (shift = 0; shift <= 12; shift += 2) {
				unsigned int count[16] = { 0 };
				struct blkgen_perm p;
				char what[80];

				seed = s * 1000 + m * 100 + shift;
				blkgen_perm_init(&p, sizes[s], seed);
				for (i = 0; i < n; i++)
					count[(blkgen_perm_at(&p, i) >> shift) % members[m]]++;
				snprintf(what, sizeof(what), "size %llu, %u members of 2^%u blocks",
					 (unsigned long long)sizes[s], members[m], shift);
				ok &= chi_ok(count, members[m], n, what);
			}
		}
	}
	check(ok, "stripes of all kinds are loaded evenly");
}

/* Places next to each other, as one worker or several see them, have nothing in common */
static void test_neighbours(void)
{
	static const unsigned int steps[] = { 1, 2, 3, 4, 8, 16, 64 };
	const __u64 size = 250000000;
	unsigned int s, i, n = 64000, seed;
	bool pos_ok = true, pair_ok = true;

	for (seed = 0; seed < 20; seed++) {
		struct blkgen_perm p;

		blkgen_perm_init(&p, size, seed);
		for (s = 0; s < ARRAY_SIZE(steps); s++) {
			unsigned int pos[256] = { 0 }, pair[256] = { 0 };

			for (i = 0; i < n; i++) {
				__u64 a = blkgen_perm_at(&p, i);
				__u64 b = blkgen_perm_at(&p, i + steps[s]);

				pos[a * 256 / size]++;
				pair[a * 16 / size * 16 + b * 16 / size]++;
			}
			pos_ok &= chi_ok(pos, 256, n, "position");
			pair_ok &= chi_ok(pair, 256, n, "pair");
		}
	}
	check(pos_ok, "all parts of the range are hit alike");
	check(pair_ok, "a block does not tell the next");
}

/* Seeds and passes next to each other make orders that agree by chance only */
static void test_seeds(void)
{
	const __u64 n = 100000;
	unsigned int seed, i, same, worst = 0;
	struct blkgen_cursor a, b;

	for (seed = 0; seed < 50; seed++) {
		blkgen_cursor_init(&a, true, n, 0, 1, seed);
		blkgen_cursor_init(&b, true, n, 0, 1, seed + 1);
		for (i = same = 0; i < n; i++)
			same += blkgen_cursor_next(&a) == blkgen_cursor_next(&b);
		worst = same > worst ? same : worst;
		/* a is in its second pass now, compare with the first */
		blkgen_cursor_init(&b, true, n, 0, 1, seed);
		for (i = same = 0; i < n; i++)
			same += blkgen_cursor_next(&a) == blkgen_cursor_next(&b);
		worst = same > worst ? same : worst;
	}
	printf("# at most %u of %llu blocks in the same place\n", worst, (unsigned long long)n);
	/* 1 is to be expected, 15 has a chance of 1e-12 */
	check(worst < 15, "seeds and passes have orders of their own");
}

/* All workers' shares make up each pass exactly, and are as long as they should be */
static bool covers(bool random, unsigned int n, unsigned int workers)
{
	unsigned int *hit = calloc(n, sizeof(*hit)), w, i;
	__u64 pass, k, total = 0;
	bool ok = true;

	for (w = 0; w < workers; w++) {
		struct blkgen_cursor cur;
		__u64 share = blkgen_share(n, w, workers);

		total += share;
		blkgen_cursor_init(&cur, random, n, w, workers, 42);
		for (pass = 0; pass < 3; pass++) {
			ok &= cur.pass == pass;
			for (k = 0; k < share; k++) {
				__u64 block = blkgen_cursor_next(&cur);

				if (block >= n) {
					free(hit);
					return false;
				}
				hit[block]++;
			}
		}
		ok &= cur.pass == 3;
	}
	for (i = 0; i < n; i++)
		ok &= hit[i] == 3;
	free(hit);
	return ok && total == n;
}

static void test_coverage(void)
{
	unsigned int n, w;
	bool ok = true;

	for (n = 1; n < 100; n++) {
		for (w = 1; w <= n; w++)
			ok &= covers(true, n, w) && covers(false, n, w);
	}
	for (w = 1; w <= 256; w += 15)
		ok &= covers(true, 10007, w) && covers(false, 10007, w);
	check(ok, "workers together cover each pass exactly once");
}

/* Cost: rounds of the permutation per block */
static void test_rounds(void)
{
	struct blkgen_perm p, q;
	__u64 n = (1ULL << 20) + 1, i, outside = 0;

	/* Each number of the power of two that is outside costs a round more */
	blkgen_perm_init(&p, n, 1);
	q = p;
	q.nr = p.mask + 1;
	for (i = 0; i <= p.mask; i++)
		outside += blkgen_perm_at(&q, i) >= n;
	printf("# %.3f rounds at the worst size\n", (double)(p.mask + 1) / n);
	check(p.mask + 1 == 2ULL << 20 && outside == p.mask + 1 - n, "less than 2 rounds per block");
}

/* After any number of I/Os the mix is off by less than one urn's worth, and exact at its end */
static bool mix_ok(const __u32 *weight, __u64 seed)
{
	__u64 count[BLKGEN_NR_OPS] = { 0 }, sum = 0, i;
	struct blkgen_mix a, b;
	unsigned int op;
	bool ok = true;

	for (op = 0; op < BLKGEN_NR_OPS; op++)
		sum += weight[op];
	if (blkgen_mix_init(&a, weight, seed) || blkgen_mix_init(&b, weight, seed))
		return false;
	for (i = 1; i <= 20 * sum; i++) {
		op = blkgen_mix_next(&a);
		ok &= op == blkgen_mix_next(&b) && op < BLKGEN_NR_OPS && weight[op];
		if (!ok)
			return false;
		count[op]++;
		if (i % sum)
			continue;
		for (op = 0; op < BLKGEN_NR_OPS; op++)
			ok &= count[op] == i / sum * weight[op];
	}
	return ok;
}

static void test_mix(void)
{
	static const __u32 weights[][BLKGEN_NR_OPS] = {
		{ 1 }, { 0, 1 }, { 0, 0, 0, 0, 0, 0, 0, 7 }, { 1, 1 }, { 70, 30 }, { 99, 1 },
		{ 1, 99 }, { 1, 2, 3, 4, 5, 6, 7, 8 }, { 65534, 1 }, { 0, 3, 0, 5 },
	};
	static const __u32 none[BLKGEN_NR_OPS], half[BLKGEN_NR_OPS] = { 1, 1 };
	static const __u32 large[BLKGEN_NR_OPS] = { 50, 50 };
	static const __u32 over[BLKGEN_NR_OPS] = { 65535, 1 }, wrap[BLKGEN_NR_OPS] = { ~0U, 2 };
	unsigned int i, op, last = 2, runs = 0, count[4] = { 0 };
	struct blkgen_mix m;
	bool ok = true;

	for (i = 0; i < ARRAY_SIZE(weights); i++)
		ok &= mix_ok(weights[i], i);
	check(ok, "the mix is exact in every urn, and repeats with its seed");
	check(blkgen_mix_init(&m, none, 0) == -EINVAL && blkgen_mix_init(&m, over, 0) == -EINVAL &&
	      blkgen_mix_init(&m, wrap, 0) == -EINVAL, "impossible weights are refused");

	/* An urn of two: both orders are as likely */
	blkgen_mix_init(&m, half, 3);
	for (i = 0; i < 40000; i++) {
		op = blkgen_mix_next(&m);
		count[op * 2 + blkgen_mix_next(&m)]++;
	}
	check(!count[0] && !count[3] && count[1] > 19400 && count[1] < 20600,
	      "an urn of two is drawn in either order");
	/* An urn of 50 and 50 has 51 runs on average, with a deviation of 5 */
	blkgen_mix_init(&m, large, 4);
	for (i = 0; i < 100000; i++) {
		op = blkgen_mix_next(&m);
		runs += op != last;
		last = op;
	}
	printf("# %.2f runs in a hundred\n", runs / 1000.0);
	check(runs > 49500 && runs < 51500, "ops come in random order");
}

int main(void)
{
	printf("KTAP version 1\n");
	test_bijective();
	test_huge();
	test_rounds();
	test_stripes();
	test_neighbours();
	test_seeds();
	test_coverage();
	test_mix();
	printf("1..%d\n", nr_tests);

	return failed ? 1 : 0;
}
