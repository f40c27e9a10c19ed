/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_ADAPT_H
#define BLKGEN_LOAD_ADAPT_H

#include "blkgen/series/series.h"

/* --steady: one load, looked at in rounds of --time until they are alike. */
int load_steady(struct load *l, struct load_series *s, struct load_step *st);

/**
 * struct load_goal - what --target-latency asks for
 * @pct: so many per cent of the I/Os...
 * @limit_ns: ...must not take longer
 * @name: the percentile as the user has it, "p99"
 */
struct load_goal {
	double pct;
	uint64_t limit_ns;
	char name[16];
};

/* Return: 0 or -EUSAGE, reported. */
int load_goal_parse(const char *text, struct load_goal *g);

/* --target-latency: loads with more and less --rate or --qd until the limit is found. */
int load_search(struct load *l, struct load_series *s, struct load_step *st);

#endif
