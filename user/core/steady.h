/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_STEADY_H
#define BLKLAT_CORE_STEADY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A load is in the steady state of SNIA's Performance Test Specification if, in the last
 * STEADY_WINDOW rounds, the largest and the smallest value differ by at most 20 % of the mean, and
 * the line of least squares rises or falls by at most 10 % of the mean.
 */
#define STEADY_WINDOW	5
#define STEADY_ROUNDS	25	/* give up after this many rounds */
#define STEADY_RANGE	20.0	/* per cent of the mean */
#define STEADY_SLOPE	10.0	/* per cent of the mean */

/* This is the result for a window. All is 0 if there are too few rounds, or all values are 0. */
struct steady {
	double mean;
	double range;		/* largest - smallest, per cent of the mean */
	double slope;		/* rise of the line over the window, per cent of the mean */
	bool reached;
};

/**
 * steady_test() - test if the last STEADY_WINDOW rounds are steady
 * @v: one value per round, such as its IOPS
 * @n: number of rounds
 *
 * Return: the result for the last STEADY_WINDOW rounds.
 */
struct steady steady_test(const double *v, size_t n);

#endif
