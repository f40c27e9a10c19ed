// SPDX-License-Identifier: GPL-2.0
/*
 * This test will compare blkgen's offsets and mix with brute force: with bitmaps of the places
 * that were hit, and with counts whose spread by chance is known.
 */
// needs: host
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../kmod/pattern.c"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

static int nr_tests, failed;

/*
 * Set @cur to a worker's way through @n places of a sector each. Only the last eight cursors are
 * valid, as their layouts are kept here.
 */
static void cursor(struct blkgen_cursor *cur, bool random, __u64 n, unsigned int worker,
		   unsigned int workers, __u64 seed)
{
	static struct blkgen_layout layouts[8];
	static unsigned int next;
	struct blkgen_layout *lay = &layouts[next++ % 8];

	*lay = (struct blkgen_layout) {
		.pattern = random ? BLKGEN_PATTERN_RANDOM : BLKGEN_PATTERN_SEQ,
		.unit = 1, .max = 1, .nr_places = n, .sectors = n, .seed = seed,
	};
	blkgen_cursor_init(cur, lay, worker, workers, NULL);
}

static void check(bool ok, const char *what)
{
	printf("%sok %d - %s\n", ok ? "" : "not ", ++nr_tests, what);
	failed += !ok;
}

/* Return true if the permutation of @n places hits each place once. */
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

/* These sizes are too large for a bitmap: look for a block that came twice among the first. */
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
 * Return true if the chi square of @n draws from @bins equally likely bins is within 6 standard
 * deviations of what chance makes it. Counts that are too even are as bad as too uneven ones.
 */
static bool chi_ok(const unsigned int *count, unsigned int bins, unsigned int n, const char *what)
{
	double e = (double)n / bins, chi = 0, sd;
	unsigned int i;

	for (i = 0; i < bins; i++)
		chi += (count[i] - e) * (count[i] - e) / e;
	sd = sqrt(2.0 * (bins - 1));
	/* With few bins the distribution of chi square is skewed: allow 12 more. */
	if (chi > bins - 1 + 6 * sd + 12 || chi < bins - 1 - 6 * sd) {
		printf("# %s: chi square %.1f of %u bins\n", what, chi, bins);
		return false;
	}
	return true;
}

/* Blocks spread evenly over the members of a stripe, whatever its geometry. */
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

/* Successive I/Os, of one worker or of several, go to places that have nothing in common. */
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

/* Neighbouring seeds and passes make orders that agree only by chance. */
static void test_seeds(void)
{
	const __u64 n = 100000;
	unsigned int seed, i, same, worst = 0;
	struct blkgen_cursor a, b;

	for (seed = 0; seed < 50; seed++) {
		cursor(&a, true, n, 0, 1, seed);
		cursor(&b, true, n, 0, 1, seed + 1);
		for (i = same = 0; i < n; i++)
			same += blkgen_cursor_next(&a, 1) == blkgen_cursor_next(&b, 1);
		worst = same > worst ? same : worst;
		/* a is in its second pass now: compare this with the first pass. */
		cursor(&b, true, n, 0, 1, seed);
		for (i = same = 0; i < n; i++)
			same += blkgen_cursor_next(&a, 1) == blkgen_cursor_next(&b, 1);
		worst = same > worst ? same : worst;
	}
	printf("# at most %u of %llu blocks in the same place\n", worst, (unsigned long long)n);
	/* 1 is expected; 15 has a chance of 1e-12. */
	check(worst < 15, "seeds and passes have orders of their own");
}

/* Return true if the shares of all workers make up each pass exactly, and have the right length. */
static bool covers(bool random, unsigned int n, unsigned int workers)
{
	unsigned int *hit = calloc(n, sizeof(*hit)), w, i;
	__u64 pass, k, total = 0;
	bool ok = true;

	for (w = 0; w < workers; w++) {
		struct blkgen_cursor cur;
		__u64 share = blkgen_share(n, w, workers);

		total += share;
		cursor(&cur, random, n, w, workers, 42);
		for (pass = 0; pass < 3; pass++) {
			ok &= cur.pass == pass;
			for (k = 0; k < share; k++) {
				__u64 block = blkgen_cursor_next(&cur, 1);

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

/* Count the rounds of the permutation per block, which are its cost. */
static void test_rounds(void)
{
	struct blkgen_perm p, q;
	__u64 n = (1ULL << 20) + 1, i, outside = 0;

	/* The permutation is of a power of two: each number beyond n costs a round more. */
	blkgen_perm_init(&p, n, 1);
	q = p;
	q.nr = p.mask + 1;
	for (i = 0; i <= p.mask; i++)
		outside += blkgen_perm_at(&q, i) >= n;
	printf("# %.3f rounds at the worst size\n", (double)(p.mask + 1) / n);
	check(p.mask + 1 == 2ULL << 20 && outside == p.mask + 1 - n,
	      "less than 2 rounds per block");
}

/*
 * Return true if the mix is exact at the end of each urn, and two mixes of the same seed draw the
 * same ops.
 */
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

	/* From an urn of two, both orders are equally likely. */
	blkgen_mix_init(&m, half, 3);
	for (i = 0; i < 40000; i++) {
		op = blkgen_mix_next(&m);
		count[op * 2 + blkgen_mix_next(&m)]++;
	}
	check(!count[0] && !count[3] && count[1] > 19400 && count[1] < 20600,
	      "an urn of two is drawn in either order");
	/* An urn of 50 and 50 has 51 runs on average, with a standard deviation of 5. */
	blkgen_mix_init(&m, large, 4);
	for (i = 0; i < 100000; i++) {
		op = blkgen_mix_next(&m);
		runs += op != last;
		last = op;
	}
	printf("# %.2f runs in a hundred\n", runs / 1000.0);
	check(runs > 49500 && runs < 51500, "ops come in random order");
}

/*
 * Return true if each entry has the right probability. Add it up from the columns alone, as a part
 * of nr * 2^32.
 */
static bool alias_exact(const __u32 *weight, __u32 nr, const char *what)
{
	struct blkgen_alias_work *work = calloc(nr, sizeof(*work));
	struct blkgen_column *column = calloc(nr, sizeof(*column));
	struct blkgen_alias alias = { .column = column };
	double *got = calloc(nr, sizeof(*got)), sum = 0;
	bool ok = !blkgen_alias_init(&alias, weight, nr, work) && alias.nr == nr;
	__u32 i;

	for (i = 0; i < nr; i++)
		sum += weight[i];
	for (i = 0; i < nr && ok; i++) {
		ok = column[i].other < nr;
		got[i] += column[i].threshold;
		if (ok)
			got[column[i].other] += 4294967296.0 - column[i].threshold;
	}
	for (i = 0; i < nr && ok; i++) {
		double want = weight[i] / sum * nr * 4294967296.0;

		/* Each column that the entry fills up was rounded down. */
		ok = fabs(got[i] - want) <= nr + 1 && (weight[i] || !got[i]);
		if (!ok)
			printf("# %s: entry %u of weight %u has %.0f, should have %.0f\n", what, i,
			       weight[i], got[i], want);
	}
	free(got);
	free(column);
	free(work);
	return ok;
}

static void test_alias_exact(void)
{
	static __u32 w[BLKGEN_MAX_TABLE];
	const __u32 all = BLKGEN_MAX_TABLE;
	__u64 rng = 1;
	bool ok = true;
	__u32 i, nr, round;

	for (nr = 1; nr <= all; nr = nr * 2 + nr % 3) {
		for (i = 0; i < nr; i++)
			w[i] = 1;
		ok &= alias_exact(w, nr, "all alike");
		w[nr / 2] = BLKGEN_MAX_WEIGHT - nr + 1;
		ok &= alias_exact(w, nr, "one with nearly all");
		for (i = 0; i < nr; i++)
			w[i] = i == nr - 1 ? BLKGEN_MAX_WEIGHT : 0;
		ok &= alias_exact(w, nr, "one with all");
		for (i = 0; i < nr; i++)
			w[i] = i % 2 ? 0 : BLKGEN_MAX_WEIGHT / nr;
		ok &= alias_exact(w, nr, "every other one");
		for (i = 0; i < nr; i++)
			w[i] = i < 31 ? 1U << (30 - i) : 0;
		ok &= alias_exact(w, nr, "powers of two");
	}
	for (round = 0; round < 3000; round++) {
		nr = 1 + blkgen_random(&rng) % 50;
		for (i = 0; i < nr; i++) {
			w[i] = (blkgen_random(&rng) % (BLKGEN_MAX_WEIGHT / nr)) >>
				blkgen_random(&rng) % 32;
			if (blkgen_random(&rng) % 4 == 0)
				w[i] = 0;
		}
		w[round % nr]++;
		ok &= alias_exact(w, nr, "random weights");
	}
	check(ok, "tables hold each weight to 2^-32, and nothing of a weight of 0");
}

static void test_alias_refuses(void)
{
	static const __u32 none[3], over[] = { BLKGEN_MAX_WEIGHT, 1 }, wrap[] = { ~0U, ~0U, 2 };
	static const __u32 most[] = { BLKGEN_MAX_WEIGHT - 1, 1 };
	struct blkgen_alias_work work[3];
	struct blkgen_column column[3];
	struct blkgen_alias alias = { .column = column };

	check(blkgen_alias_init(&alias, none, 3, work) == -EINVAL &&
	      blkgen_alias_init(&alias, over, 2, work) == -EINVAL &&
	      blkgen_alias_init(&alias, wrap, 3, work) == -EINVAL &&
	      !blkgen_alias_init(&alias, most, 2, work), "impossible tables are refused");
}

/* Compare draws with the weights by chi square. */
static void test_alias_draws(void)
{
	static const __u32 w[] = { 5, 0, 1, 94, 1000, 0, 300, 7, 50, 43, 500 };
	enum { NR = ARRAY_SIZE(w), N = 3000000 };
	struct blkgen_alias_work work[NR];
	struct blkgen_column column[NR];
	struct blkgen_alias alias = { .column = column };
	unsigned int count[NR] = { 0 }, i, seed;
	bool ok = true;

	blkgen_alias_init(&alias, w, NR, work);
	for (seed = 0; seed < 10; seed++) {
		double chi = 0;
		__u64 rng = seed;

		memset(count, 0, sizeof(count));
		for (i = 0; i < N; i++)
			count[blkgen_alias_draw(&alias, &rng)]++;
		for (i = 0; i < NR; i++) {
			double e = w[i] / 2000.0 * N;

			if (w[i])
				chi += (count[i] - e) * (count[i] - e) / e;
			else
				ok &= !count[i];
		}
		/* With 8 degrees of freedom, 40 has a chance of 3e-6. */
		ok &= chi < 40 && chi > 0.1;
		if (chi >= 40 || chi <= 0.1)
			printf("# seed %u: chi square %.1f\n", seed, chi);
	}
	check(ok, "draws have the frequencies of the weights");
}

static void test_below(void)
{
	static const __u64 edges[] = { 0, 1, 2, 0xffffffff, 1ULL << 32, (1ULL << 32) + 1,
				       1ULL << 63, ~0ULL };
	__u64 rng = 3, i;
	bool ok = true;
	unsigned int a, b;

	for (i = 0; i < 2000000; i++) {
		__u64 r = blkgen_random(&rng), n = blkgen_random(&rng) >> i % 64;

		ok &= blkgen_below(r, n) == (__u64)((__uint128_t)r * n >> 64);
	}
	for (a = 0; a < ARRAY_SIZE(edges); a++)
		for (b = 0; b < ARRAY_SIZE(edges); b++)
			ok &= blkgen_below(edges[a], edges[b]) ==
			      (__u64)((__uint128_t)edges[a] * edges[b] >> 64);
	check(ok, "a random number is brought below any bound");
}

/* Draw places of zones by weight. Scattering moves the places, and each is drawn as often still. */
static void test_draw(void)
{
	enum { PLACES = 1000, N = 2000000 };
	static const struct blkgen_zone zone[] = {
		{ .first = 0, .count = 1, .weight = 300 },
		{ .first = 1, .count = 9, .weight = 300 },
		{ .first = 500, .count = 400, .weight = 400 },
	};
	static const __u32 w[] = { 300, 300, 400 };
	static unsigned int count[2][PLACES];
	struct blkgen_alias_work work[3];
	struct blkgen_column column[3];
	struct blkgen_draw draw = { .alias.column = column, .zone = zone };
	struct blkgen_layout lay = {
		.pattern = BLKGEN_PATTERN_DRAW, .unit = 8, .max = 24, .nr_places = PLACES,
		.sectors = PLACES * 8 + 16, .seed = 4, .draw = &draw,
	};
	bool ok = true, outside = false, moved = false;
	unsigned int scatter, i;

	blkgen_alias_init(&draw.alias, w, 3, work);
	blkgen_perm_init(&draw.perm, PLACES, 77);
	for (scatter = 0; scatter < 2; scatter++) {
		struct blkgen_cursor cur;
		double chi = 0;

		draw.scatter = scatter;
		blkgen_cursor_init(&cur, &lay, 1, 3, NULL);
		for (i = 0; i < N; i++) {
			__u64 at = blkgen_cursor_next(&cur, 24);

			outside |= at % 8 || at / 8 >= PLACES;
			if (!outside)
				count[scatter][at / 8]++;
		}
		for (i = 0; i < PLACES; i++) {
			unsigned int at = scatter ? blkgen_perm_at(&draw.perm, i) : i;
			unsigned int got = count[scatter][at];
			double e = i < 1 ? 0.3 : i < 10 ? 0.3 / 9 :
				   i >= 500 && i < 900 ? 0.4 / 400 : 0;

			if (e)
				chi += (got - e * N) * (got - e * N) / (e * N);
			else
				ok &= !got;
		}
		/* 409 degrees of freedom have a standard deviation of 28.6: allow 6 of them. */
		ok &= chi > 409 - 172 && chi < 409 + 172;
		printf("# chi square %.1f of 409\n", chi);
	}
	for (i = 500; i < 900; i++)
		moved |= count[1][i] < 100;
	check(!outside, "what is drawn is a place");
	check(ok, "zones have their parts of the draws, their places alike, scattered or not");
	check(moved, "what is scattered does not lie side by side");
}

/* Count the places where an I/O may begin one by one. */
static void test_places(void)
{
	__u64 sectors, at, n;
	__u32 unit, max;
	bool ok = true;

	for (sectors = 1; sectors < 120; sectors++)
		for (unit = 1; unit < 20; unit++)
			for (max = 1; max < 40; max++) {
				for (n = 0, at = 0; at + max <= sectors; at += unit)
					n++;
				ok &= blkgen_layout_places(sectors, unit, max) == n;
			}
	check(ok, "places are where the largest I/O fits");
}

/* Places overlap: a pass has each place once, at multiples of the unit. */
static void test_align(void)
{
	struct blkgen_layout lay = {
		.pattern = BLKGEN_PATTERN_RANDOM, .unit = 8, .max = 2048, .sectors = 100000,
		.seed = 3,
	};
	unsigned char hit[(100000 - 2048) / 8 + 1] = { 0 };
	struct blkgen_cursor cur;
	bool ok = true;
	__u64 i;

	lay.nr_places = blkgen_layout_places(lay.sectors, lay.unit, lay.max);
	blkgen_cursor_init(&cur, &lay, 0, 1, NULL);
	for (i = 0; i < lay.nr_places; i++) {
		__u64 at = blkgen_cursor_next(&cur, 2048);

		ok &= at % 8 == 0 && at + 2048 <= lay.sectors && !hit[at / 8]++;
	}
	check(ok && cur.pass == 1 && lay.nr_places == sizeof(hit),
	      "large I/Os begin at all multiples of --align");
}

/*
 * Return true if the stream that begins at @first, of @mine streams of its worker, makes a pass as
 * plain loops over zones and blocks do.
 */
static bool stream_pass_exact(struct blkgen_cursor *cur, const struct blkgen_layout *lay,
			      __u64 first, unsigned int mine, __u32 bs)
{
	__u64 end = first + lay->zone_range < lay->sectors ? first + lay->zone_range : lay->sectors;
	__u64 step = lay->zone_size ? lay->zone_size + lay->zone_skip : lay->sectors;
	__u64 zone, last, at, got;
	unsigned int turn;

	for (zone = first; zone + lay->max <= end; zone += step) {
		last = lay->zone_size && zone + lay->zone_size < end ? zone + lay->zone_size : end;
		for (at = zone; at + lay->max <= last;
		     at += (bs + lay->unit - 1) / lay->unit * lay->unit) {
			got = blkgen_cursor_next(cur, bs);
			if (got != at) {
				printf("# stream at %llu of %u: at %llu, not %llu\n",
				       (unsigned long long)first, mine, (unsigned long long)got,
				       (unsigned long long)at);
				return false;
			}
			for (turn = 1; turn < mine; turn++)
				blkgen_cursor_next(cur, bs);
		}
	}
	return true;
}

/*
 * Return true if three passes of each stream are right, and each pass is over with its last I/O,
 * not with the I/O after that.
 */
static bool streams_exact(struct blkgen_layout lay, unsigned int workers, __u32 bs)
{
	struct blkgen_stream stream[16];
	struct blkgen_cursor cur;
	unsigned int w, i, n, mine, pass;
	bool ok = true;

	for (w = 0; w < workers; w++) {
		mine = blkgen_streams_of(&lay, w, workers);
		ok &= mine == lay.nr_streams / workers + (w < lay.nr_streams % workers);
		for (i = 0; i < mine && ok; i++) {
			__u64 first = (__u64)(w + i * workers) * lay.zone_range;

			/* The streams of a worker take turns: start again to follow each. */
			blkgen_cursor_init(&cur, &lay, w, workers, stream);
			ok &= cur.nr_streams == mine;
			for (n = 0; n < i; n++)
				blkgen_cursor_next(&cur, bs);
			for (pass = 0; pass < 3 && ok; pass++)
				ok = stream[i].pass == pass &&
				     stream_pass_exact(&cur, &lay, first, mine, bs);
			ok &= stream[i].pass == 3;
		}
	}
	return ok;
}

/* Try streams of several lengths. The last stream may be shorter. */
static bool streams_of(unsigned int n, unsigned int workers, __u64 size, __u64 skip)
{
	struct blkgen_layout lay = {
		.pattern = BLKGEN_PATTERN_STREAMS, .unit = 8, .max = 16, .nr_streams = n,
		.zone_size = size, .zone_skip = skip,
	};
	bool ok = true;

	for (lay.zone_range = 96; lay.zone_range <= 208; lay.zone_range += 56) {
		lay.unit = 8;
		lay.sectors = n * lay.zone_range + n % 2 * 4;
		ok &= streams_exact(lay, workers, 16) && streams_exact(lay, workers, 8) &&
		      streams_exact(lay, workers, 5);
		lay.sectors = (n - 1) * lay.zone_range + 40;
		ok &= streams_exact(lay, workers, 16);
		lay.unit = 4;
		ok &= streams_exact(lay, workers, 7);
	}
	return ok;
}

static void test_streams(void)
{
	__u64 size, skip;
	unsigned int n, w;
	bool ok = true;

	for (n = 1; n <= 9; n += 2)
		for (w = 1; w <= n && w <= 4; w++)
			for (size = 0; size <= 64; size += 16)
				for (skip = 0; skip <= (size ? 48 : 0); skip += 16)
					ok &= streams_of(n, w, size, skip);
	check(ok, "streams go through zones of their own parts, in turn, over and over");
}

/* I/Os of a stream differ in size: they leave no gap of a unit, do not overlap, and stay inside. */
static void test_stream_sizes(void)
{
	struct blkgen_layout lay = {
		.pattern = BLKGEN_PATTERN_STREAMS, .unit = 8, .max = 128, .nr_streams = 1,
		.zone_range = 10000, .sectors = 10000,
	};
	struct blkgen_stream stream;
	struct blkgen_cursor cur;
	__u64 rng = 8, at, from = 0, i, pass = 0;
	bool ok = true;

	blkgen_cursor_init(&cur, &lay, 0, 1, &stream);
	for (i = 0; i < 100000; i++) {
		__u32 len = 1 + blkgen_random(&rng) % 128;

		at = blkgen_cursor_next(&cur, len);
		if (at != from && !at) {
			/* A new pass begins when the largest I/O does not fit any more. */
			ok &= from + 128 > lay.sectors && cur.pass >= ++pass;
			from = 0;
		}
		ok &= at == from && at + len <= lay.sectors;
		from = (at + len + 7) / 8 * 8;
	}
	check(ok && pass > 500, "I/Os of many sizes follow each other");
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
	test_alias_exact();
	test_alias_refuses();
	test_alias_draws();
	test_below();
	test_draw();
	test_places();
	test_align();
	test_streams();
	test_stream_sizes();
	printf("1..%d\n", nr_tests);

	return failed ? 1 : 0;
}
