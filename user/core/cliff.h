/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_CLIFF_H
#define BLKLAT_CORE_CLIFF_H

#include <stddef.h>

/**
 * struct cliff - a rate changed from one point (a second) to the next, and stayed so
 * @at: first point after the cliff
 * @before: mean of the CLIFF_LEVEL points before @at; of fewer if the cliff before, or the begin of
 *	the series, is nearer than that
 * @after: mean of the CLIFF_LEVEL points from @at on; of fewer if the next cliff, or the end of the
 *	series, is nearer than that
 */
struct cliff {
	size_t at;
	double before;
	double after;
};

#define CLIFF_POINTS	3	/* least number of points that a rate lasts, before and after */
#define CLIFF_PART	0.25	/* least change, as a part of the higher rate */
#define CLIFF_LEVEL	10

/**
 * cliffs_find() - find where a series changes its level from one point to the next
 * @rate: points at equal distances in time
 * @n: number of points
 * @out: room for @n / CLIFF_POINTS
 *
 * A change counts if it is at least CLIFF_PART and stands out from the noise. The noise comes from
 * the differences between neighbouring points. A slow ramp has no cliff.
 * Return: number of cliffs, in the order of time; or -ENOMEM.
 */
long cliffs_find(const double *rate, size_t n, struct cliff *out);

#endif
