/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_SCENARIO_H
#define BLKLAT_CORE_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A scenario is a named list of loads that belong together. A setting of a step is "option=value".
 * A setting that begins with "!" makes the step what it is: the user cannot change it. The other
 * settings are defaults.
 */
struct scenario_step {
	const char *name;	/* NULL ends the list */
	const char *settings[8];
	bool writes;
	bool steady;		/* repeat the load in rounds until the rate is steady */
	unsigned int part;	/* use only the first 1/@part of each device; 0: all of it */
};

struct scenario {
	const char *name;	/* NULL ends the list */
	const char *brief;
	const struct scenario_step *steps;
	bool compared;		/* loads do not depend on each other: fit to compare devices */
};

extern const struct scenario scenarios[];

/* Return the name of scenarios[@i], or NULL after the last one. */
const char *scenario_name(size_t i);

/* Return the name of scenario @i, counting only those with @compared; NULL after the last one. */
const char *scenario_name_compared(size_t i);

#endif
