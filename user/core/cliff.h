/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_CLIFF_H
#define BLKLAT_CORE_CLIFF_H

#include <stddef.h>

/* A rate that changed from one second to the next, and stayed so. */
struct cliff {
	size_t at;		/* first point after it */
	double before;		/* mean of up to CLIFF_LEVEL points on each side, */
	double after;		/* as far as the next cliff */
};

#define CLIFF_POINTS	3	/* least that a rate has to last, before and after */
#define CLIFF_PART	0.25	/* least change, as a part of the higher rate */
#define CLIFF_LEVEL	10

/**
 * cliffs_find() - where a series changes its level at once
 * @rate: @n points at equal distances
 * @out: room for @n / CLIFF_POINTS
 *
 * A change counts if it is at least CLIFF_PART and stands out from the noise, which
 * the distances of neighbours tell. A slow ramp has none.
 * Return: how many, in the order of time; or -ENOMEM.
 */
long cliffs_find(const double *rate, size_t n, struct cliff *out);

#endif
