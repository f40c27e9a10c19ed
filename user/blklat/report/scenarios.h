/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_SCENARIOS_H
#define REPORT_SCENARIOS_H

#include <stdbool.h>
#include "blklat/report/report.h"

/**
 * report_has_scenarios() - tell if a set is the result of a scenario
 * @set: the results
 *
 * Return: true if the set is one file, which lists the loads of a scenario.
 */
bool report_has_scenarios(const struct report_set *set);

/* Report the results @part of the load @scenario. Return: 0 or -errno, reported. */
typedef int (*report_part_fn)(const struct report_set *part, const char *scenario, const void *arg);

/**
 * report_each_scenario() - call a function for each load of a scenario
 * @set: the results, for which report_has_scenarios() returns true
 * @fn: gets the results of the load, which are valid only during the call; a return value other
 *	than 0 ends the walk
 * @arg: for @fn
 *
 * Return: 0, what @fn returned to end the walk, or -errno, reported.
 */
int report_each_scenario(const struct report_set *set, report_part_fn fn, const void *arg);

#endif
