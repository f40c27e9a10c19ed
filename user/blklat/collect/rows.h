/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_ROWS_H
#define BLKLAT_ROWS_H

#include <stdint.h>
#include "blklat.h"
#include "core/hist.h"
#include "core/io_event.h"
#include "core/io_hist.h"

/*
 * The histograms of some I/Os are an array with an entry for each row: a stage, a span, or a stage
 * of a layer. An entry is NULL while it has no sample.
 */

/**
 * rows_new_hist() - make the histogram of a row
 *
 * Without memory the program ends, with a message.
 *
 * Return: the histogram, which rows_free() frees.
 */
struct hist *rows_new_hist(void);

/**
 * rows_free() - free the histograms of all rows
 * @rows: NR_ALL_ROWS histograms, NULL for one without a sample; the array itself is not freed
 */
void rows_free(struct hist **rows);

/**
 * rows_hist() - get the histogram of a row, and make it if there is none
 * @rows: the histograms
 * @row: the row
 *
 * Return: the histogram, which belongs to @rows.
 */
static inline struct hist *rows_hist(struct hist **rows, unsigned int row)
{
	if (!rows[row])
		rows[row] = rows_new_hist();
	return rows[row];
}

/**
 * rows_add() - add a sample to the histogram of a row
 * @rows: the histograms
 * @row: the row
 * @ns: the sample, in ns
 */
static inline void rows_add(struct hist **rows, unsigned int row, uint64_t ns)
{
	hist_add_to(rows_hist(rows, row), ns, BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS);
}

/**
 * rows_add_event() - add one sample of each stage that an I/O had, and one of its total
 * @rows: the histograms
 * @ev: the I/O
 * @ns: set to how long each of these stages took, in ns, by row
 *
 * If the I/O had a stage more than once, the sample is the sum.
 *
 * Return: the set of the stages, with a bit for each row.
 */
uint64_t rows_add_event(struct hist **rows, const struct io_event *ev, uint64_t *ns);

#endif
