/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_EVENTS_H
#define BLKGEN_LOAD_EVENTS_H

#include "blkgen/load/result.h"

/*
 * A load has these events: stalls, which are times in which no I/O completed; cliffs, which are
 * changes of the rate that last; and a --rate that was not reached.
 */

/**
 * load_events_json() - add the members "stalls", "stalls_unlisted", "cliffs" and "rate" of a target
 * @l: its sessions are still open
 * @target: index of the target in @l->targets
 * @r: results of the target, or of a part of its run: only stalls and cliffs of this part are added
 * @o: object of the target, which gets the members; "rate" only with --rate
 *
 * If the stalls cannot be read, this warns, and the array "stalls" is empty.
 */
void load_events_json(const struct load *l, size_t target, const struct load_result *r,
		      json_object *o);

/**
 * load_events_text() - report the events of all targets as text
 * @l: its sessions are still open
 * @rs: results of the targets, as for load_events_json()
 * @line: called for each line; @text has no line end, and is valid during the call only
 * @arg: handed to @line
 *
 * A line may have control characters, because it may have a name from a job file.
 */
void load_events_text(const struct load *l, const struct load_results *rs,
		      void (*line)(void *arg, const char *text), void *arg);

/**
 * load_events_print() - print the events of all targets to stdout, unless stdout is for data
 * @l: its sessions are still open
 * @rs: results of the targets, as for load_events_json()
 */
void load_events_print(const struct load *l, const struct load_results *rs);

#endif
