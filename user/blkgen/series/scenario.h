/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_SCENARIO_H
#define BLKGEN_LOAD_SCENARIO_H

#include "blkgen/load/cfg.h"
#include "core/scenario.h"

/**
 * scenario_find() - find the scenario with this name
 * @name: the value of --scenario
 * @args: the options that the user gave
 * @sc: set to the scenario; not valid after an error
 *
 * Return: 0, or -EUSAGE, reported, if there is none, or if the user gave an option that the
 * scenario sets itself.
 */
int scenario_find(const char *name, const struct opt_args *args, const struct scenario **sc);

/**
 * scenario_sets() - tell if a step sets this option itself, so that no other value is allowed
 * @sc: the scenario
 * @option: name of the option without dashes; bs and bssplit count as one option
 *
 * Return: true if some step does.
 */
bool scenario_sets(const struct scenario *sc, const char *option);

/**
 * scenario_apply() - set the options of a step
 * @st: the step
 * @c: gets the options
 * @args: the options that the user gave, which override the step's defaults
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int scenario_apply(const struct scenario_step *st, struct load_cfg *c,
		   const struct opt_args *args);

/**
 * scenario_left_out() - warn which steps are left out because they write
 * @sc: the scenario; without such steps there is no warning
 */
void scenario_left_out(const struct scenario *sc);

/**
 * scenario_list() - print all scenarios and the options of their steps to stdout
 */
void scenario_list(void);

#endif
