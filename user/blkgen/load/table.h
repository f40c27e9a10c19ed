/* SPDX-License-Identifier: GPL-2.0 */
/* Make the table of the results of a load. */
#ifndef BLKGEN_LOAD_TABLE_H
#define BLKGEN_LOAD_TABLE_H

#include "blkgen/load/result.h"
#include "output/table.h"

/* Make a table with the @n columns @first and then the usual columns. Return: NULL, reported. */
struct report_table *load_table_new(const struct column *first, size_t n);

/**
 * load_table_add() - add rows for the targets of @l, and a row for their sum if there are several
 * @n: number of columns that the table has before the usual ones. The last of them gets the labels
 *	of the targets that have one.
 *
 * Warn of I/Os that failed and count them in @l->errors. Warn of I/Os that were not polled.
 * Return: the first row, or below 0 if there is none.
 */
int load_table_add(struct report_table *tb, size_t n, struct load *l,
		   const struct load_results *rs);

/*
 * Add a row, and a row of service times if @s has any. @at: index of the first usual column;
 * @cpu: fill in the CPU time per I/O. Return: the first row.
 */
int load_table_row(struct report_table *tb, size_t at, const char *dev, const char *op,
		   const struct load_sum *s, bool cpu);

/*
 * Add a row for all ops of @r, the result of the target @t or of one of its jobs, and if there are
 * several ops a row for each. @at: as for load_table_row(); @blank: the first column of the rows of
 * single ops prints as nothing, not as "-". Return: the first row.
 */
int load_table_ops(struct report_table *tb, size_t at, const struct load_target *t,
		   const struct load_result *r, bool blank);

/* Print the table to stdout, unless stdout is for data. Return: 0 or -errno. */
int load_table_print(const struct load *l, const struct report_table *tb);

#endif
