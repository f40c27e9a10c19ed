/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_GROUP_TABLE_H
#define BLKLAT_GROUP_TABLE_H

#include "blklat/result/result.h"
#include "output/table.h"

/**
 * group_table_new() - make an empty table of kinds of I/O or of groups of --by
 * @key: key of the group's name in CSV: "op"
 * @title: heading of the group's name: "kind"
 *
 * Return: the table, or NULL without memory, not reported.
 */
struct report_table *group_table_new(const char *key, const char *title);

/**
 * group_table_add() - add a group of I/Os: their latency, and where their time went
 * @t: the table, from group_table_new()
 * @device: name of their device
 * @g: the group
 */
void group_table_add(struct report_table *t, const char *device, const struct result_group *g);

#endif
