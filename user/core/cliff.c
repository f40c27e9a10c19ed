// SPDX-License-Identifier: GPL-2.0
/* Find sustained changes of a rate. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include "core/cliff.h"

/*
 * A cliff is at least NOISE + NOISE_FEW / n times the noise of the difference between two means of
 * CLIFF_POINTS points. With few points n the noise is only a guess, so the limit is higher:
 * selftests/unit/test_user_cliff counts the false alarms.
 */
#define NOISE		5.0
#define NOISE_FEW	30.0

static double mean(const double *v, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += v[i];
	return sum / n;
}

static int order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/*
 * Estimate the standard deviation of a point from the steps between neighbours. Use their median,
 * because the few large steps of cliffs hardly change it.
 */
static double noise(const double *rate, size_t n, double *tmp)
{
	size_t i;

	for (i = 0; i + 1 < n; i++)
		tmp[i] = fabs(rate[i + 1] - rate[i]);
	qsort(tmp, n - 1, sizeof(*tmp), order);
	/*
	 * For normal x, the median of |x| is 0.6745 of the standard deviation. A step has the noise
	 * of two points, so its deviation is sqrt(2) times that of a point.
	 */
	return tmp[(n - 1) / 2] / 0.6745 / sqrt(2);
}

/* Return true if the points before and after do not overlap: all of one side are higher. */
static bool apart(const double *before, const double *after)
{
	double lo[2], hi[2];
	size_t i;

	lo[0] = hi[0] = before[0];
	lo[1] = hi[1] = after[0];
	for (i = 1; i < CLIFF_POINTS; i++) {
		lo[0] = fmin(lo[0], before[i]);
		hi[0] = fmax(hi[0], before[i]);
		lo[1] = fmin(lo[1], after[i]);
		hi[1] = fmax(hi[1], after[i]);
	}
	return hi[0] < lo[1] || hi[1] < lo[0];
}

/* Return the change of the level at point @i; 0 if this is not a cliff. */
static double step(const double *rate, size_t i, double least)
{
	double a = mean(rate + i - CLIFF_POINTS, CLIFF_POINTS), b = mean(rate + i, CLIFF_POINTS);
	double d = fabs(b - a);

	if (d < CLIFF_PART * fmax(a, b) || d < least || !apart(rate + i - CLIFF_POINTS, rate + i))
		return 0;
	return d;
}

/*
 * Remove the largest step that is left, and its neighbours, which are parts of the same change.
 * Return the index of the largest step, 0 if none is left.
 */
static size_t take_largest(double *steps, size_t n)
{
	size_t i, at = 0;

	for (i = 0; i < n; i++)
		if (steps[i] > steps[at])
			at = i;
	if (!steps[at])
		return 0;
	for (i = at > CLIFF_POINTS ? at - CLIFF_POINTS + 1 : 0; i < n && i < at + CLIFF_POINTS; i++)
		steps[i] = 0;
	return at;
}

static int by_place(const void *a, const void *b)
{
	const struct cliff *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

static void levels(const double *rate, size_t n, struct cliff *c, size_t ncliffs)
{
	size_t i, from, to;

	for (i = 0; i < ncliffs; i++) {
		from = i ? c[i - 1].at : 0;
		if (c[i].at - from > CLIFF_LEVEL)
			from = c[i].at - CLIFF_LEVEL;
		to = i + 1 < ncliffs ? c[i + 1].at : n;
		if (to - c[i].at > CLIFF_LEVEL)
			to = c[i].at + CLIFF_LEVEL;
		c[i].before = mean(rate + from, c[i].at - from);
		c[i].after = mean(rate + c[i].at, to - c[i].at);
	}
}

long cliffs_find(const double *rate, size_t n, struct cliff *out)
{
	double *tmp, least;
	size_t i, at, found = 0;

	if (n < 2 * CLIFF_POINTS)
		return 0;
	tmp = calloc(n, sizeof(*tmp));
	if (!tmp)
		return -ENOMEM;
	least = (NOISE + NOISE_FEW / n) * noise(rate, n, tmp) * sqrt(2.0 / CLIFF_POINTS);
	for (i = 0; i < n; i++)
		tmp[i] = i < CLIFF_POINTS || i + CLIFF_POINTS > n ? 0 : step(rate, i, least);
	while ((at = take_largest(tmp, n)))
		out[found++].at = at;
	free(tmp);
	qsort(out, found, sizeof(*out), by_place);
	levels(rate, n, out, found);
	return found;
}
