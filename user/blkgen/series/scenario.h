/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_SCENARIO_H
#define BLKGEN_LOAD_SCENARIO_H

#include "blkgen/load/cfg.h"
#include "core/scenario.h"

/**
 * scenario_find() - find the scenario with this name
 * @args: the options that the user gave
 * @sc: set to the scenario
 * Return: 0, or -EUSAGE, reported, if there is none, or if the user gave an option that the
 * scenario sets itself.
 */
int scenario_find(const char *name, const struct opt_args *args, const struct scenario **sc);

/* Return true if a step sets this option itself, so that no other value is allowed. */
bool scenario_sets(const struct scenario *sc, const char *option);

/*
 * Set the options of the step in @c. An option that the user gave overrides the step's default.
 * Return: 0, -EUSAGE (reported) or -ENOMEM.
 */
int scenario_apply(const struct scenario_step *st, struct load_cfg *c,
		   const struct opt_args *args);

/* Warn which steps are left out because they write. */
void scenario_left_out(const struct scenario *sc);

/* Print all scenarios and the options of their steps to stdout. */
void scenario_list(void);

#endif
