/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_EVENTS_H
#define BLKGEN_LOAD_EVENTS_H

#include "blkgen/load/load.h"

/*
 * What stands out in a load: times in which nothing came back, changes of the rate
 * that last, and a --rate that was not reached.
 */

/* The members "stalls", "stalls_unlisted", "cliffs" and "rate" of a target. */
void load_events_json(const struct load *l, size_t target, const struct load_result *r,
		      json_object *o);

/* The same as lines of text, of all targets. @line: called for each */
void load_events_text(const struct load *l, const struct load_results *rs,
		      void (*line)(void *arg, const char *text), void *arg);

/* To stdout, unless that is for data. */
void load_events_print(const struct load *l, const struct load_results *rs);

#endif
