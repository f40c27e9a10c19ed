/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_HISTOGRAM_H
#define BLKLAT_HISTOGRAM_H

#include "report/report.h"

/*
 * A histogram of response times for people: a row for each of about eight ranges per
 * power of ten, from the smallest time to the largest, with its part of all and the sum of
 * the parts until there. Edges are those of the buckets that are next to round numbers.
 */

/* Return: NULL without memory. */
struct report_table *report_histogram(const struct hist *h);

#endif
