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

/**
 * scenario_name() - return the name of a scenario
 * @i: index into scenarios
 *
 * Return: the name, or NULL after the last one.
 */
const char *scenario_name(size_t i);

/**
 * scenario_name_compared() - return the name of a scenario that is fit to compare devices
 * @i: index among the scenarios with @compared only
 *
 * Return: the name, or NULL after the last one.
 */
const char *scenario_name_compared(size_t i);

#endif
