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
 * Return: 0 or -errno, reported: -EINVAL if no comparison has a device that is called @baseline.
 */
int report_comparisons(struct report_set *set);
void report_comparisons_free(struct report_set *set);

/*
 * Return the label of a device without the name of its load, which a scenario puts before it:
 * "md-raid0" of "randread md-raid0".
 */
const char *report_own_label(const struct result_dev *d);

/*
 * Return true if a device of a result was measured with the first load. All loads of a scenario
 * have the same devices, so those of the first load are all devices.
 */
bool report_of_first_load(const struct result *r, size_t i);

/* Make a table of the stages of a comparison. Return NULL if there is nothing to show. */
struct report_table *report_compared(const struct comparison *c);

#endif
