/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_INTERVAL_H
#define BLKGEN_LOAD_INTERVAL_H

#include <json-c/json.h>
#include <stdint.h>

struct load;
struct load_intervals;

/*
 * Report what a load does while it runs: rows for the table of --interval, for --csv, --log and
 * JSON, and the rate in each second, for the search for cliffs. load_start() calls
 * load_intervals_begin(), and load_wait() calls load_intervals_tick(). Functions that return int
 * return 0 or -errno, reported.
 */

/*
 * Call this right before the targets start. Targets of an earlier load are forgotten, but the files
 * are continued.
 */
int load_intervals_begin(struct load *l);

/* Return when to call load_intervals_tick() next, CLOCK_MONOTONIC. */
uint64_t load_intervals_next(const struct load *l);

/* Report the interval and the second that are over now. @done: all targets are done */
int load_intervals_tick(struct load *l, bool done);

/* Return true if rows are printed while the load runs: then show no progress line. */
bool load_intervals_live(const struct load *l);

/* Return the rows since the last call as a JSON array. */
json_object *load_intervals_json(struct load *l);

/**
 * load_intervals_rates() - get the rate of a target in each second
 * @target: its index in @l->targets
 * @from_ns, @to_ns: CLOCK_MONOTONIC; only seconds in between count
 * @at: set to an array of the times at which the seconds ended
 * @rate: set to an array of the I/Os per second in them
 * Return: length of both arrays, which the caller frees; or -ENOMEM.
 */
long load_intervals_rates(const struct load *l, size_t target, uint64_t from_ns, uint64_t to_ns,
			  uint64_t **at, double **rate);

/* Return true if a file could not be written: then the load ends, and no other one follows. */
bool load_intervals_failed(const struct load *l);

/* Return when measuring began, CLOCK_MONOTONIC. All times in results count from there. */
uint64_t load_intervals_zero(const struct load *l);

/* Close the files and free the rest. Return: 0, or -errno, reported, if a file is not complete. */
int load_intervals_end(struct load *l);

#endif
