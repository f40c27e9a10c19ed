/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_RESULT_HEAT_H
#define BLKLAT_RESULT_HEAT_H

#include "blklat/result/result.h"

/* Heat maps: how many I/Os of a device had which latency, and when. */

/**
 * struct heat_column - a part of the run
 * @from_ns: when it began, since the start of the run
 * @to_ns: when it ended
 * @ios: I/Os in it
 */
struct heat_column {
	uint64_t from_ns;
	uint64_t to_ns;
	uint64_t ios;
};

/**
 * struct heat - a heat map
 * @cols: the columns, in the order of time
 * @ncols: number of @cols
 * @edges: @nbands + 1 latencies in ns; band b is from edges[b] to below edges[b + 1]. The last
 *	bucket of a histogram also has all longer latencies.
 * @nbands: number of bands
 * @counts: I/Os of column c in band b, at [c * nbands + b]
 * @most: the largest of @counts, at least 1
 */
struct heat {
	struct heat_column *cols;
	size_t ncols;
	uint64_t *edges;
	size_t nbands;
	uint64_t *counts;
	uint64_t most;
};

/**
 * heat_shows() - tell if a device has the samples that a heat map is made of
 * @d: the device
 * @stage: names a stage; NULL for the totals
 *
 * Return: true if heat_make() makes a heat map with at least two columns.
 */
bool heat_shows(const struct result_dev *d, const struct result_row *stage);

/**
 * heat_make() - count a device's I/Os by time and latency
 * @h: set to the heat map; free it with heat_free(), also after a failure
 * @d: the device, for which heat_shows() returns true
 * @stage: names a stage; NULL for the totals
 * @max_cols: a column is as many samples as needed for at most so many columns
 * @max_bands: a band is as many buckets as needed for at most so many bands
 *
 * The bands are equal numbers of buckets of the histograms, so each I/O is counted in exactly one
 * cell. For totals of a comparison, only the rounds without tracing count if there are any.
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int heat_make(struct heat *h, const struct result_dev *d, const struct result_row *stage,
	      size_t max_cols, size_t max_bands);

/**
 * heat_free() - free a heat map
 * @h: the heat map; zeroed
 */
void heat_free(struct heat *h);

/**
 * heat_label() - name what a heat map of a device shows
 * @buf: set to "total", "alloc", "md raid0 submit"
 * @len: bytes in @buf
 * @d: the device
 * @stage: names a stage; NULL for the totals
 *
 * Return: @buf.
 */
char *heat_label(char *buf, size_t len, const struct result_dev *d, const struct result_row *stage);

/**
 * heat_level() - choose the colour of a cell
 * @h: the heat map
 * @count: I/Os of the cell
 * @levels: number of colours
 *
 * The scale is logarithmic, so that a single I/O is visible beside a million.
 *
 * Return: 0 for no I/O, else 1 to @levels.
 */
unsigned int heat_level(const struct heat *h, uint64_t count, unsigned int levels);

#endif
