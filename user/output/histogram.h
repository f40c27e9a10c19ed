/* SPDX-License-Identifier: GPL-2.0 */
#ifndef OUTPUT_HISTOGRAM_H
#define OUTPUT_HISTOGRAM_H

#include "core/hist.h"
#include "output/table.h"

/*
 * Histogram of response times for human readers. The table has about eight ranges per power of
 * ten, from the smallest time to the largest. Each row has the share of its range and the
 * cumulative share. The edges of ranges are bucket edges next to round numbers.
 */

/**
 * report_histogram() - make the table of a histogram
 * @h: the histogram, of times in ns; the table of an empty one has no rows
 *
 * Return: the table, for report_table_free(); NULL without memory, not reported.
 */
struct report_table *report_histogram(const struct hist *h);

/**
 * report_histogram_print() - print the table of a histogram
 * @title: heading, which says what the times are
 * @h: the histogram; if it is empty, nothing is printed
 * @f: where to print
 *
 * Return: 0 or -errno, not reported.
 */
int report_histogram_print(const char *title, const struct hist *h, FILE *f);

#endif
