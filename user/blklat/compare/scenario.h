/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_SCENARIO_H
#define COMPARE_SCENARIO_H

#include "blklat/compare/compare.h"

/* Check --scenario and fill in the options that it implies. Return: 0 or -EUSAGE, reported. */
int compare_scenario_check(struct compare_cfg *cfg, const struct opt_args *args);

/**
 * compare_scenario() - measure with each load of --scenario, then print one table for all loads
 * Return: 0, an exit status above 0, or -errno, reported. In each case @doc has what was measured
 * until then.
 */
int compare_scenario(struct compare *c, json_object *doc);

#endif
