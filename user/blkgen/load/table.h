/* SPDX-License-Identifier: GPL-2.0 */
/* Make the table of the results of a load. */
#ifndef BLKGEN_LOAD_TABLE_H
#define BLKGEN_LOAD_TABLE_H

#include "blkgen/load/result.h"
#include "output/table.h"

/**
 * load_table_new() - make a table of results
 * @first: columns before the usual ones, copied without their strings; may be NULL if @n is 0
 * @n: number of columns in @first
 *
 * Return: the table, for report_table_free(); NULL without memory, reported.
 */
struct report_table *load_table_new(const struct column *first, size_t n);

/**
 * load_table_add() - add rows for all targets, and a row for their sum if there are several
 * @tb: from load_table_new()
 * @n: number of columns that the table has before the usual ones. The last of them gets the labels
 *	of the targets that have one.
 * @l: has the targets; I/Os that failed are counted in @l->errors
 * @rs: results of its targets
 *
 * Warn of I/Os that failed, and of I/Os that were not polled.
 *
 * Return: the first row; below 0, not always reported, if there are no targets or no memory.
 */
int load_table_add(struct report_table *tb, size_t n, struct load *l,
		   const struct load_results *rs);

/**
 * load_table_row() - add a row of results, and a row of service times if there are any
 * @tb: from load_table_new()
 * @at: index of the first usual column
 * @dev: text for the column of devices, copied
 * @op: text for the column of ops, copied
 * @s: the results
 * @cpu: fill in the CPU time per I/O
 *
 * Return: the first row, or -ENOMEM, not reported.
 */
int load_table_row(struct report_table *tb, size_t at, const char *dev, const char *op,
		   const struct load_sum *s, bool cpu);

/**
 * load_table_ops() - add a row for all ops together, and if there are several ops a row for each
 * @tb: from load_table_new()
 * @at: index of the first usual column
 * @t: the target
 * @r: results of the target, or of one of its jobs
 * @blank: the first column of the rows of single ops prints as nothing, not as "-"
 *
 * Return: the first row, or -ENOMEM, not reported.
 */
int load_table_ops(struct report_table *tb, size_t at, const struct load_target *t,
		   const struct load_result *r, bool blank);

/**
 * load_table_print() - print a table to stdout, unless stdout is for data
 * @l: its options say if stdout is for data
 * @tb: the table; the caller still frees it
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int load_table_print(const struct load *l, const struct report_table *tb);

#endif
