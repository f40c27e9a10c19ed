/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_GROUP_TABLE_H
#define BLKLAT_GROUP_TABLE_H

#include "blklat/plot/plot.h"
#include "output/table.h"

/* These tables show for each group of I/Os its latency, and where its time went. */

/**
 * ops_table() - make the table of the kinds of I/O
 * @set: the devices
 *
 * Return: the table; NULL if all their I/Os are of one kind, or without memory, not reported.
 */
struct report_table *ops_table(const struct plot_set *set);

/**
 * by_table() - make the table of the groups of --by
 * @set: the devices of one trace
 *
 * Return: the table; NULL if there are no groups, or without memory, not reported.
 */
struct report_table *by_table(const struct plot_set *set);

#endif
