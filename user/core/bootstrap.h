/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_BOOTSTRAP_H
#define BLKLAT_CORE_BOOTSTRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOOT_CONFIDENCE	0.95
#define BOOT_RESAMPLES	1999
#define BOOT_SEED	1
#define BOOT_LEAST	3	/* least number of values that have an interval */

/*
 * An option of 0 stands for its default above. The same values with the same options give the same
 * result.
 */
struct boot_opts {
	double confidence;	/* 0.5 to 0.9999 */
	unsigned int resamples;	/* at most BOOT_RESAMPLES */
	uint64_t seed;
};

/**
 * struct boot_diff - a difference of means, with its confidence interval
 * @estimate: mean of a - mean of the baseline
 * @low, @high: bounds of the confidence interval; both are @estimate if there is no interval
 * @p: probability that chance alone makes a difference at least this large; 1 if there is no
 *	interval. It comes from Student's t distribution, because resamples of few values do not
 *	reach far into the tails. boot_holm() needs it; it does not replace @significant.
 * @n: number of pairs, or of values in the smaller sample
 * @interval: true if @n is at least BOOT_LEAST
 * @significant: true if 0 is outside of the interval
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
 * boot_paired() - find the mean difference of values that were taken in pairs
 * @a: value of each round
 * @base: value of the baseline in each of the same rounds
 * @n: number of rounds
 * @opts: NULL: the defaults
 *
 * The interval is a symmetric studentized bootstrap interval: estimate -+ q * se, where q is the
 * quantile of |mean* - mean| / se* over resamples. See P. Hall, "On symmetric bootstrap
 * confidence intervals", J. R. Statist. Soc. B 50 (1988) 35-45; B. Efron and R. J.
 * Tibshirani, "An Introduction to the Bootstrap" (1993), 12.5 for bootstrap-t and 16.2
 * for the test of two samples. The percentile method covers too little with six to twelve
 * rounds. Resamples of a few values repeat themselves, so q is never below the quantile of
 * Student's t, which has the right coverage for normal noise.
 *
 * Pairs with a value that is not finite are left out. If all differences are exactly the same, the
 * interval has no width: any difference other than 0 is significant.
 *
 * Return: the difference; if no pair is left, or there is no memory, all is 0 except p, which is 1.
 */
struct boot_diff boot_paired(const double *a, const double *base, size_t n,
			     const struct boot_opts *opts);

/**
 * boot_unpaired() - find the difference of the means of two independent samples
 * @a: values of one sample
 * @na: number of values in @a
 * @base: values of the baseline
 * @nb: number of values in @base
 * @opts: NULL: the defaults
 *
 * This does as boot_paired(), but for values that are not in pairs: se and the degrees of freedom
 * are Welch's, and each sample is resampled from its own values. If values of a sample depend on
 * their neighbours, the interval is too narrow: combine the values into blocks first.
 *
 * Return: as boot_paired(); all is 0 except p if a sample has no finite value.
 */
struct boot_diff boot_unpaired(const double *a, size_t na, const double *base, size_t nb,
			       const struct boot_opts *opts);

/**
 * boot_holm() - correct the p of many comparisons, as with many of them some differ by chance
 * @p: p of each comparison; replaced by the corrected p. If there is no real difference at all, the
 *	probability that any corrected p is 1 - confidence or less is at most 1 - confidence.
 * @n: number of comparisons
 *
 * See S. Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Statist. 6
 * (1979) 65-70.
 * Return: 0 or -ENOMEM.
 */
int boot_holm(double *p, size_t n);

/**
 * student_p() - find the two-sided p of a value of Student's t
 * @t: the value; its sign does not matter
 * @df: degrees of freedom, at least 1
 *
 * This is 1 - A(t|df) of M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions"
 * (1964), 26.7.1.
 *
 * Return: the probability that |t| of Student's distribution is at least |@t|.
 */
double student_p(double t, double df);

#endif
