/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_SCENARIOS_H
#define REPORT_SCENARIOS_H

#include <stdbool.h>
#include "blklat/report/report.h"

/* Return true if the set is one file with the results of several loads. */
bool report_has_scenarios(const struct report_set *set);

/* Report the results @part of the load @scenario. Return: 0 or -errno, reported. */
typedef int (*report_part_fn)(const struct report_set *part, const char *scenario, const void *arg);

/*
 * Call @fn for each load of the file. Call it only if report_has_scenarios(). Return: 0, what @fn
 * returned if not 0, or -errno, reported.
 */
int report_each_scenario(const struct report_set *set, report_part_fn fn, const void *arg);

#endif
