/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_SCENARIO_H
#define BLKLAT_CORE_SCENARIO_H

#include <stdbool.h>

/*
 * Loads that belong together, by name. A setting is "option=value"; one that
 * begins with "!" is what makes the step, and cannot be given by the user, others
 * are defaults.
 */
struct scenario_step {
	const char *name;	/* NULL ends the list */
	const char *settings[8];
	bool writes;
	bool steady;		/* in rounds until it is steady */
	unsigned int part;	/* of each device only the first of so many parts; 0: all */
};

struct scenario {
	const char *name;	/* NULL ends the list */
	const char *brief;
	const struct scenario_step *steps;
	bool compared;		/* loads that stand for themselves: several devices can be compared with them */
};

extern const struct scenario scenarios[];

#endif
