// SPDX-License-Identifier: GPL-2.0
/* This test will compare the steady state of rounds and the search for a limit with brute force. */
/* needs: host */
#include <math.h>
#include <stdlib.h>
#include "core/search.h"
#include "core/steady.h"
#include "unit.h"

/* Return the rise of the line of least squares: try all slopes for the smallest error. */
static double brute_rise(const double *v, double scale)
{
	double best = 0, least = INFINITY, a, mean = 0;
	int i;

	for (i = 0; i < 5; i++)
		mean += v[i] / 5;
	for (a = -scale; a <= scale; a += scale / 20000) {
		double error = 0;

		/* The best line goes through the middle of the points. */
		for (i = 0; i < 5; i++)
			error += pow(v[i] - mean - a * (i - 2), 2);
		if (error < least) {
			least = error;
			best = a;
		}
	}
	return best * 4;
}

static void test_steady_brute(void)
{
	int i, k, bad = 0, reached = 0;

	srand(1);
	for (k = 0; k < 300; k++) {
		double v[9], lo = INFINITY, hi = 0, mean = 0, rise, spread = 1 + k % 40;
		struct steady s;
		bool want;

		for (i = 0; i < 9; i++)
			v[i] = 1000 + (rand() % 1000 - 500) * spread / 100 + (i - 6) * (k % 7) * 8;
		for (i = 4; i < 9; i++) {
			lo = fmin(lo, v[i]);
			hi = fmax(hi, v[i]);
			mean += v[i] / 5;
		}
		rise = brute_rise(v + 4, 500);
		want = hi - lo <= 0.2 * mean && fabs(rise) <= 0.1 * mean;
		s = steady_test(v, 9);
		reached += want;
		/* So close to the limit, brute force in steps cannot tell: both are right. */
		if (fabs(fabs(rise) - 0.1 * mean) < 0.2)
			continue;
		bad += s.reached != want || fabs(s.slope * mean / 100 - rise) > 0.2 ||
		       fabs(s.mean - mean) > 1e-6 || fabs(s.range * mean / 100 - (hi - lo)) > 1e-6;
	}
	check(!bad, "steady: 300 windows, of which %d do not agree with brute force", bad);
	check(reached > 50 && reached < 250, "steady: %d of them are steady", reached);
}

static void test_steady_edges(void)
{
	static const struct {
		double v[6];
		size_t n;
		bool reached;
		const char *what;
	} c[] = {
		{ { 9, 9, 9, 9 }, 4, false, "four rounds are too few" },
		{ { 9, 9, 9, 9, 9 }, 5, true, "five alike are steady" },
		{ { 1, 9, 9, 9, 9, 9 }, 6, true, "what was before the window does not count" },
		{ { 9, 9, 9, 9, 9, 1 }, 6, false, "the last round counts" },
		{ { 0, 0, 0, 0, 0 }, 5, false, "nothing at all is not steady" },
		{ { 100, 90, 110, 90, 110 }, 5, true, "a range of 20 % is steady" },
		{ { 100, 89, 110, 90, 111 }, 5, false, "a wider range is not steady" },
		{ { 95, 97.5, 100, 102.5, 105 }, 5, true, "a rise of 10 % is steady" },
		{ { 105.2, 102.6, 100, 97.4, 94.8 }, 5, false, "a fall of more is not steady" },
	};
	size_t i;

	for (i = 0; i < sizeof(c) / sizeof(*c); i++)
		check(steady_test(c[i].v, c[i].n).reached == c[i].reached, "steady: %s", c[i].what);
}

/* Run a search. Return the number of its tries, at most 200, as it must not go on for ever. */
static int run_search(struct search *s, uint64_t limit, uint64_t *lo, uint64_t *hi)
{
	uint64_t v;
	int n = 0;

	*lo = UINT64_MAX;
	*hi = 0;
	while (n < 200 && search_next(s, &v)) {
		n++;
		*lo = v < *lo ? v : *lo;
		*hi = v > *hi ? v : *hi;
		search_tell(s, v, v <= limit);
	}
	return n;
}

static void test_search_exact(void)
{
	uint64_t min, max, first, limit, lo, hi;
	int bad = 0, outside = 0, many = 0, all = 0;

	for (max = 1; max <= 130; max += max < 40 ? 1 : 9)
		for (min = 1; min <= max; min += 1 + min / 3)
			for (first = 0; first <= max + 3; first += 1 + first / 2)
				for (limit = 0; limit <= max + 1; limit++) {
					uint64_t want = limit < min ? 0 : limit > max ? max : limit;
					struct search s;
					int n;

					search_init(&s, min, first, max, 0);
					n = run_search(&s, limit, &lo, &hi);
					all++;
					bad += s.held != want;
					outside += lo < min || hi > max;
					many += n > 2 * ceil(log2(max)) + 2;
				}
	check(!bad, "search: %d cases, of which %d have another answer than counting up", all, bad);
	check(!outside, "search: none but numbers from min to max are tried");
	check(!many, "search: in no more than 2 log2(max) + 2 tries");
}

static void test_search_precision(void)
{
	uint64_t limit, lo, hi;
	int bad = 0;

	for (limit = 100; limit < 3000000; limit += limit / 7) {
		struct search s;

		search_init(&s, 1, 1000, 2000000, 1);
		run_search(&s, limit, &lo, &hi);
		if (limit >= 2000000)
			bad += s.held != 2000000;
		else
			bad += s.held > limit || s.held * 1.01 + 1 < limit;
	}
	check(!bad, "search: the answer is within 1 %% below the limit, %d are not", bad);
}

int main(void)
{
	test_steady_brute();
	test_steady_edges();
	test_search_exact();
	test_search_precision();
	return unit_end();
}
