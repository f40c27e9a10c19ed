/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_SCENARIO_H
#define COMPARE_SCENARIO_H

#include "blklat/compare/compare.h"

/**
 * compare_scenario_check() - check --scenario and fill in the options that it implies
 * @cfg: the options; without --scenario nothing is done
 * @args: the arguments of the command
 *
 * Return: 0 or -EUSAGE, reported.
 */
int compare_scenario_check(struct compare_cfg *cfg, const struct opt_args *args);

/**
 * compare_scenario() - measure with each load of --scenario, then print one table for all loads
 * @c: the comparison with its devices; each load takes the place of its load
 * @doc: gets the results
 *
 * Return: 0, an exit status above 0, or -errno, reported. In each case @doc has what was measured
 * until then.
 */
int compare_scenario(struct compare *c, json_object *doc);

#endif
