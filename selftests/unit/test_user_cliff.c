// SPDX-License-Identifier: GPL-2.0
/* This test will look for cliffs in made series, and expect each at its place, and no others. */
/* needs: host */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include "core/cliff.h"
#include "random.h"
#include "unit.h"

#define MAX 600
#define ROUNDS 2000

static double with_noise(double level, double part)
{
	double v = level * (1 + part * random_normal());

	return v > 0 ? v : 0;
}

/* Return in how many of 1000 steady series of @n values with this noise a cliff is seen. */
static double false_alarms(size_t n, double part)
{
	static double v[MAX];
	static struct cliff c[MAX];
	size_t r, i, seen = 0;

	for (r = 0; r < ROUNDS; r++) {
		for (i = 0; i < n; i++)
			v[i] = with_noise(1e5, part);
		seen += cliffs_find(v, n, c) != 0;
	}
	return 1000.0 * seen / ROUNDS;
}

static void steady(void)
{
	static const size_t lengths[] = { 6, 7, 8, 10, 20, 60, MAX };
	static const double parts[] = { 0, 0.01, 0.05, 0.1, 0.2, 0.4 };
	size_t n, p;

	for (n = 0; n < sizeof(lengths) / sizeof(*lengths); n++) {
		double worst = 0;

		for (p = 0; p < sizeof(parts) / sizeof(*parts); p++)
			worst = fmax(worst, false_alarms(lengths[n], parts[p]));
		check(worst <= 10, "steady for %zu s, whatever the noise: %g of 1000 have a cliff",
		      lengths[n], worst);
	}
}

/*
 * Change the values by @factor from a random place of @n on. Return how many of 1000 changes are
 * found, at the right place and as the only one.
 */
static double found(size_t n, double factor, double part)
{
	static double v[MAX];
	static struct cliff c[MAX];
	size_t r, i, good = 0;

	for (r = 0; r < ROUNDS; r++) {
		size_t at = CLIFF_POINTS + (size_t)(random_uniform() * (n - 2 * CLIFF_POINTS + 1));

		for (i = 0; i < n; i++)
			v[i] = with_noise(i < at ? 1e5 : 1e5 * factor, part);
		if (cliffs_find(v, n, c) != 1)
			continue;
		good += llabs((long long)c[0].at - (long long)at) <= (part > 0.02) &&
			fabs(c[0].before / 1e5 - 1) <= 0.01 + 3 * part &&
			fabs(c[0].after - 1e5 * factor) <= (0.01 + 3 * part) * 1e5 *
			fmax(factor, 0.1);
	}
	return 1000.0 * good / ROUNDS;
}

static void steps(void)
{
	static const double factors[] = { 0, 0.1, 0.5, 0.71, 1.42, 2, 30 };
	size_t f;

	for (f = 0; f < sizeof(factors) / sizeof(*factors); f++) {
		double good = fmin(found(60, factors[f], 0.01), found(300, factors[f], 0.01));

		check(good >= 990, "60 and 300 s, a change to %g of the rate: %g of 1000 are found",
		      factors[f], good);
	}
	check(found(60, 0.5, 0.05) >= 980, "a change to half in a noise of 5 %%");
	check(found(10, 0.3, 0.01) >= 980, "a change to a third in 10 s");
	check(found(60, 0.8, 0.001) == 0, "a change by less than a quarter is no cliff");
}

static void shapes(void)
{
	static double v[MAX];
	static struct cliff c[MAX];
	long n;
	size_t i;

	for (i = 0; i < MAX; i++)
		v[i] = with_noise(1e5 * (1 - 0.9 * i / MAX), 0.01);
	check(cliffs_find(v, MAX, c) == 0, "a ramp down to a tenth in 600 s has no cliff");
	for (i = 0; i < 120; i++)
		v[i] = with_noise(1e5 * (i < 40 ? 1 : i < 80 ? 1 - 0.5 * (i - 40) / 40 : 0.5),
				  0.01);
	check(cliffs_find(v, 120, c) == 0, "a ramp down to half in 40 s has no cliff");
	for (i = 0; i < 60; i++)
		v[i] = i == 30 ? 0 : with_noise(1e5, 0.01);
	check(cliffs_find(v, 60, c) == 0, "one second of nothing is no cliff");
	v[31] = 0;
	check(cliffs_find(v, 60, c) == 0, "two seconds of nothing are no cliff");
	v[32] = 0;
	n = cliffs_find(v, 60, c);
	check(n == 2 && c[0].at == 30 && c[1].at == 33 && c[0].after == 0 && c[1].before == 0,
	      "three are a cliff down and one up");
	for (i = 0; i < 60; i++)
		v[i] = with_noise(i < 20 ? 1e5 : i < 40 ? 3e4 : 6e4, 0.01);
	n = cliffs_find(v, 60, c);
	check(n == 2 && c[0].at == 20 && c[1].at == 40 && fabs(c[0].after - 3e4) < 1e3 &&
	      fabs(c[1].after - 6e4) < 2e3, "two cliffs, each with its rates");
	for (i = 0; i < 60; i++)
		v[i] = i / 5 % 2 ? 1e5 : 5e4;
	n = cliffs_find(v, 60, c);
	check(n == 11, "each change of a rate that goes up and down (%ld)", n);
	check(cliffs_find(v, 5, c) == 0 && cliffs_find(v, 0, c) == 0, "few points have no cliff");
	for (i = 0; i < 60; i++)
		v[i] = 0;
	check(cliffs_find(v, 60, c) == 0, "nothing at all has no cliff");
}

int main(void)
{
	steady();
	steps();
	shapes();
	return unit_end();
}
