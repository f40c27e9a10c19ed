/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_STEADY_H
#define BLKLAT_CORE_STEADY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Steady state as SNIA's Performance Test Specification has it: of the last rounds,
 * the extremes are within 20 % of their mean of each other, and the line of least
 * squares through them rises or falls by no more than 10 % of it.
 */
#define STEADY_WINDOW	5
#define STEADY_ROUNDS	25	/* then it is given up */
#define STEADY_RANGE	20.0	/* per cent of the mean */
#define STEADY_SLOPE	10.0

/* Of a window: zero when there are fewer rounds, or nothing but zeroes. */
struct steady {
	double mean;
	double range;		/* largest - smallest, per cent of the mean */
	double slope;		/* from the first to the last round, likewise; below 0: falls */
	bool reached;
};

/* Look at the last STEADY_WINDOW of @n rounds, of each of which @v has the figure. */
struct steady steady_test(const double *v, size_t n);

#endif
