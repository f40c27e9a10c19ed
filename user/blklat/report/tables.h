/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_TABLES_H
#define REPORT_TABLES_H

#include "blklat/report/report.h"
#include "output/table.h"

/*
 * Make a table for the terminal, CSV or HTML. Return NULL if there is nothing to show, or without
 * memory.
 */
struct report_table *report_summary(const struct plot_set *set);
struct report_table *report_stages(const struct plot_set *set);
struct report_table *report_legs(const struct plot_set *set);
struct report_table *report_ops(const struct plot_set *set);
struct report_table *report_ledgers(const struct plot_set *set);

/*
 * Return the number of events that the BPF programs missed. If a file has several traces, only the
 * trace that missed the most counts, so the number is a lower bound.
 */
uint64_t report_missed(const struct report_set *set);

#endif
