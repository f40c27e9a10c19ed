/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STAGE_TABLE_H
#define BLKLAT_STAGE_TABLE_H

#include "blklat/plot/plot.h"
#include "output/table.h"

/**
 * stage_table() - make the table of the stages of devices, side by side
 * @set: the devices; their labels are above their columns, if there is more than one device, and
 *	must outlive the table
 * @in_all: number of devices in all tables of this result; the more devices, the fewer columns each
 *	of them has
 *
 * A column is a row of columns[] in stage_table.c.
 *
 * Return: the table, or NULL without memory, not reported.
 */
struct report_table *stage_table(const struct plot_set *set, size_t in_all);

#endif
