/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_ADAPT_H
#define BLKGEN_LOAD_ADAPT_H

#include "blkgen/load/target.h"
#include "blkgen/series/step.h"

/*
 * Run a step with --steady: one load, measured in rounds of --time until the rounds are steady, or
 * until STEADY_ROUNDS are over. Return: 0, also if the load is not steady, or -errno, reported.
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

/* Parse the value of --target-latency. Return: 0 or -EUSAGE, reported. */
int load_goal_parse(const char *text, struct load_goal *g);

/* Check that --rate is not below the lowest rate to try. Return: 0 or -EUSAGE, reported. */
int load_search_check(const struct load *l, const struct load_cfg *c, const struct load_goal *g);

/*
 * Run a step with --target-latency: one load after the other, to find the highest --rate or --qd
 * that holds the goal. Return: 0, also after a signal, 1 if no value holds it, or -errno, reported.
 */
int load_search(struct load *l, struct load_series *s, struct load_step *st);

#endif
