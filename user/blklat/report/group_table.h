/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_GROUP_TABLE_H
#define BLKLAT_GROUP_TABLE_H

#include "blklat/plot/plot.h"
#include "output/table.h"

/* These tables show for each group of I/Os its latency, and where its time went. */

/**
 * ops_table() - make the table of the kinds of I/O
 * @set: the devices
 * @t: set to the table; NULL if all their I/Os are of one kind
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int ops_table(const struct plot_set *set, struct report_table **t);

/**
 * by_table() - make the table of the groups of --by
 * @set: the devices of one trace
 * @t: set to the table; NULL if there are no groups
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int by_table(const struct plot_set *set, struct report_table **t);

#endif
