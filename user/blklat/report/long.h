/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_LONG_H
#define REPORT_LONG_H

#include "blklat/report/report.h"
#include "output/table.h"

/**
 * report_long() - make a table of all stages of all devices
 * @set: the results
 *
 * Each stage has a row for the whole run and a row for each sample.
 *
 * Return: the table, or NULL without memory, not reported.
 */
struct report_table *report_long(const struct report_set *set);

#endif
