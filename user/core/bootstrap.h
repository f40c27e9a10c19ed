/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_BOOTSTRAP_H
#define BLKLAT_CORE_BOOTSTRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOOT_CONFIDENCE	0.95
#define BOOT_RESAMPLES	1999
#define BOOT_SEED	1
#define BOOT_LEAST	3	/* values; of fewer there is no interval */

/* Zeroed: the defaults above. The same values with the same options give the same result. */
struct boot_opts {
	double confidence;	/* 0.5 to 0.9999 */
	unsigned int resamples;	/* at most BOOT_RESAMPLES */
	uint64_t seed;
};

/**
 * struct boot_diff - a difference of means and how sure it is
 * @estimate: mean of a - mean of the baseline
 * @low, @high: where it is with the confidence asked for; both @estimate without interval
 * @p: how often chance alone makes as much of a difference, by Student's t, as resamples
 *	of few values do not reach far out; 1 without interval. For boot_holm(), beside
 *	@significant.
 * @n: pairs, or the values of the smaller sample
 * @interval: there were at least BOOT_LEAST of them
 * @significant: 0 is outside of the interval
 */
struct boot_diff {
	double estimate;
	double low, high;
	double p;
	size_t n;
	bool interval;
	bool significant;
};

/**
 * boot_paired() - the mean difference of values that were taken in pairs
 * @a: value of each round
 * @base: the baseline's of the same rounds
 *
 * A symmetric studentized bootstrap interval: estimate -+ q * se, where q is the
 * quantile of |mean* - mean| / se* over resamples. P. Hall, "On symmetric bootstrap
 * confidence intervals", J. R. Statist. Soc. B 50 (1988) 35-45; B. Efron and R. J.
 * Tibshirani, "An Introduction to the Bootstrap" (1993), 12.5 for bootstrap-t and 16.2
 * for the test of two samples. The percentile method covers too little with six to twelve
 * rounds. As resamples of a few values repeat themselves, q is never below Student's t,
 * which has the coverage for normal noise.
 * Pairs with a value that is not finite are left out. Values that repeat exactly have an
 * interval without width: any difference of theirs is real.
 */
struct boot_diff boot_paired(const double *a, const double *base, size_t n,
			     const struct boot_opts *opts);

/**
 * boot_unpaired() - the difference of the means of two samples
 * The same for values taken apart from each other; se and the degrees of freedom are
 * Welch's, each sample is drawn from itself. Values of one sample that depend on their
 * neighbours make the interval too narrow: make blocks of them before.
 */
struct boot_diff boot_unpaired(const double *a, size_t na, const double *base, size_t nb,
			       const struct boot_opts *opts);

/**
 * boot_holm() - the same p for one of many questions
 * @p: of @n of them, replaced: at or below 1 - confidence in any of them by chance at
 *	most that often. S. Holm, "A simple sequentially rejective multiple test
 *	procedure", Scand. J. Statist. 6 (1979) 65-70.
 * Return: 0 or -ENOMEM.
 */
int boot_holm(double *p, size_t n);

/* Two-sided: how often |t| of Student's distribution with @df degrees of freedom (>= 1) is at least @t. */
double student_p(double t, double df);

#endif
