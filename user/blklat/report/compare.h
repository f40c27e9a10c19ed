/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include <stdbool.h>
#include "blklat/report/report.h"
#include "output/table.h"

/**
 * report_comparisons() - compare the devices of each result of blklat compare
 * @set: its @cmps are set, and @tops.cmp to the first comparison that has several devices. Call
 *	report_comparisons_free() in each case.
 *
 * Return: 0 or -errno, reported: -EINVAL if no comparison has a device that is called @baseline, or
 * if a file has a confidence that is not from 0.5 to 0.9999.
 */
int report_comparisons(struct report_set *set);

/**
 * report_comparisons_free() - free the comparisons of report_comparisons()
 * @set: its @cmps are freed, but not set to NULL
 */
void report_comparisons_free(struct report_set *set);

/**
 * report_own_label() - return the label of a device without the name of its load
 * @d: the device; a scenario puts the name of the load before the label
 *
 * Return: the end of the device's label, "md-raid0" of "randread md-raid0"; without a scenario, all
 * of it.
 */
const char *report_own_label(const struct result_dev *d);

/**
 * report_of_first_load() - tell if a device of a result was measured with the first load
 * @r: the result
 * @i: index of the device
 *
 * All loads of a scenario have the same devices, so those of the first load are all devices.
 *
 * Return: true if so; also true if the result is not that of a scenario.
 */
bool report_of_first_load(const struct result *r, size_t i);

/**
 * report_compared() - make a table of the devices of a comparison: IOPS, CPU time, mean and p99
 * @c: the comparison
 *
 * Return: the table, or NULL without memory, not reported.
 */
struct report_table *report_compared(const struct comparison *c);

#endif
