/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STAGE_TABLE_H
#define BLKLAT_STAGE_TABLE_H

#include "blklat/result/result.h"
#include "report/report.h"

/**
 * stage_table() - make the table of the stages of devices, side by side
 * @devs: the devices, @n of them
 * @labels: what the columns of each are called, if there is more than one device
 * @n: how many there are in this table
 * @in_all: how many there are in all tables of this result; the more, the fewer columns has each
 *
 * A column is a row of columns[] in stage_table.c.
 *
 * Return: the table, or NULL without memory, not reported.
 */
struct report_table *stage_table(const struct result_dev *const *devs, const char *const *labels,
				 size_t n, size_t in_all);

#endif
