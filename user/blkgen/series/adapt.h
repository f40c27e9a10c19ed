/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_ADAPT_H
#define BLKGEN_LOAD_ADAPT_H

#include "blkgen/series/step.h"

/**
 * load_steady() - run a step with --steady: one load, measured in rounds of --time
 * @l: the devices of the step
 * @s: the series, which gets a row for each round and a note on the outcome
 * @st: the step
 *
 * The step ends when the rounds are steady, or when STEADY_ROUNDS are over.
 *
 * Return: 0, also if the load is not steady; -EUSAGE or -errno, reported, except sometimes -ENOMEM.
 */
int load_steady(struct load *l, struct load_series *s, struct load_step *st);

/**
 * struct load_goal - the goal of --target-latency
 * @pct: per cent of the I/Os that must not take longer than @limit_ns
 * @limit_ns: time in ns
 * @name: the percentile as the user wrote it, "p99"
 */
struct load_goal {
	double pct;
	uint64_t limit_ns;
	char name[16];
};

/**
 * load_goal_parse() - parse the value of --target-latency
 * @text: the value, such as "p99=500us"
 * @g: set to the goal; not valid after an error
 *
 * Return: 0 or -EUSAGE, reported.
 */
int load_goal_parse(const char *text, struct load_goal *g);

/**
 * load_search_check() - check that --rate is not below the lowest rate that load_search() tries
 * @l: the load, after load_features()
 * @c: options of the load; those without --rate always pass
 * @g: the goal
 *
 * Return: 0 or -EUSAGE, reported.
 */
int load_search_check(const struct load *l, const struct load_cfg *c, const struct load_goal *g);

/**
 * load_search() - find the highest --rate or --qd that holds the goal of --target-latency
 * @l: the devices of the step
 * @s: the series with the goal, which gets a row for each try and a note with the answer
 * @st: the step, which runs one load after the other; each try sets --rate or --qd in its options
 *
 * Return: 0, also if a signal, a hung device or a file that cannot be written ends the search too
 * early; 1 if no value holds the goal; -EUSAGE or -errno, reported, except sometimes -ENOMEM.
 */
int load_search(struct load *l, struct load_series *s, struct load_step *st);

#endif
