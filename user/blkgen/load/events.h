/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_EVENTS_H
#define BLKGEN_LOAD_EVENTS_H

#include "blkgen/load/result.h"
#include "blkgen/load/target.h"

/*
 * A load has these events: stalls, which are times in which no I/O completed; cliffs, which are
 * changes of the rate that last; and a --rate that was not reached.
 */

/* Add the members "stalls", "stalls_unlisted", "cliffs" and "rate" of a target to @o. */
void load_events_json(const struct load *l, size_t target, const struct load_result *r,
		      json_object *o);

/* Report the events of all targets as text. @line is called with @arg for each line. */
void load_events_text(const struct load *l, const struct load_results *rs,
		      void (*line)(void *arg, const char *text), void *arg);

/* Print the events of all targets to stdout, unless stdout is for data. */
void load_events_print(const struct load *l, const struct load_results *rs);

#endif
