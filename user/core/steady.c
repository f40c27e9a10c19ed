// SPDX-License-Identifier: GPL-2.0
/* Test if a series of rounds is steady. */
#include <math.h>
#include "core/steady.h"

/* Return how far the least-squares line through the points (i, v[i]) rises from 0 to n - 1. */
static double line_rise(const double *v, size_t n, double mean)
{
	double mid = (n - 1) / 2.0, xy = 0, xx = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		xy += (i - mid) * (v[i] - mean);
		xx += (i - mid) * (i - mid);
	}
	return xy / xx * (n - 1);
}

struct steady steady_test(const double *v, size_t n)
{
	struct steady s = { 0 };
	double lo, hi, sum = 0;
	size_t i;

	if (n < STEADY_WINDOW)
		return s;
	v += n - STEADY_WINDOW;
	lo = hi = v[0];
	for (i = 0; i < STEADY_WINDOW; i++) {
		lo = v[i] < lo ? v[i] : lo;
		hi = v[i] > hi ? v[i] : hi;
		sum += v[i];
	}
	if (sum <= 0)
		return s;
	s.mean = sum / STEADY_WINDOW;
	s.range = 100 * (hi - lo) / s.mean;
	s.slope = 100 * line_rise(v, STEADY_WINDOW, s.mean) / s.mean;
	s.reached = s.range <= STEADY_RANGE && fabs(s.slope) <= STEADY_SLOPE;
	return s;
}
