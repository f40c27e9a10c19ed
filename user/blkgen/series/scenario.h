/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_SCENARIO_H
#define BLKGEN_LOAD_SCENARIO_H

#include "blkgen/load/load.h"
#include "core/scenario.h"

/**
 * scenario_find() - the scenario of this name
 * Return: 0, or -EUSAGE, reported, if there is none, or if the user gave an option
 * that it sets itself.
 */
int scenario_find(const char *name, const struct opt_args *args, const struct scenario **sc);

/* Whether a step sets this option, in a way that nothing else can. */
bool scenario_sets(const struct scenario *sc, const char *option);

/* Set what the step does in @c, except for defaults the user has given otherwise. */
int scenario_apply(const struct scenario_step *st, struct load_cfg *c,
		   const struct opt_args *args);

/* Say which steps write and so are left out. */
void scenario_left_out(const struct scenario *sc);

/* All scenarios and what their steps do, to stdout. */
void scenario_list(void);

#endif
