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
 * load_intervals_begin(), and load_wait() calls load_intervals_tick().
 */

/**
 * load_intervals_begin() - prepare the intervals of a load, right before its targets start
 * @l: its targets are set up; it gets @l->intervals, which load_intervals_end() frees
 *
 * Targets of an earlier load are forgotten, but the files are continued.
 *
 * Return: 0 or -errno; reported, except an -EIO for the head of the log.
 */
int load_intervals_begin(struct load *l);

/**
 * load_intervals_next() - find when to call load_intervals_tick() next
 * @l: load_intervals_begin() was called for it
 *
 * Return: ns of CLOCK_MONOTONIC.
 */
uint64_t load_intervals_next(const struct load *l);

/**
 * load_intervals_tick() - report the interval and the second that are over now
 * @l: the status of its running targets was just read
 * @done: all targets are done: the interval ends now, even if it is short
 *
 * If a file cannot be written, this stops the load and returns 0: see load_intervals_failed().
 *
 * Return: 0 or -errno, reported.
 */
int load_intervals_tick(struct load *l, bool done);

/**
 * load_intervals_live() - tell if rows are printed while the load runs
 * @l: its options say if there are rows, and if stdout is for data
 *
 * Return: true if they are: then show no progress line.
 */
bool load_intervals_live(const struct load *l);

/**
 * load_intervals_json() - take the rows since the last call
 * @l: running or done; without --json it collects no rows
 *
 * Return: a JSON array of the rows, which the caller frees.
 */
json_object *load_intervals_json(struct load *l);

/**
 * load_intervals_rates() - get the rate of a target in each second
 * @l: running or done
 * @target: index of the target in @l->targets
 * @from_ns: seconds that begin earlier do not count, ns of CLOCK_MONOTONIC
 * @to_ns: seconds that end later do not count, ns of CLOCK_MONOTONIC
 * @at: set to an array of the times at which the seconds ended, ns of CLOCK_MONOTONIC
 * @rate: set to an array of the I/Os per second in these seconds, without flushes
 *
 * Return: length of both arrays, which the caller frees; or -ENOMEM, not reported: then there is
 * nothing to free.
 */
long load_intervals_rates(const struct load *l, size_t target, uint64_t from_ns, uint64_t to_ns,
			  uint64_t **at, double **rate);

/**
 * load_intervals_failed() - tell if a file of the intervals could not be written
 * @l: running or done
 *
 * Return: true if so: then the load ends, and no other one follows.
 */
bool load_intervals_failed(const struct load *l);

/**
 * load_intervals_zero() - find when measuring began
 * @l: running or done
 *
 * All times in results count from there. It is the end of the shortest --ramp of the targets.
 *
 * Return: ns of CLOCK_MONOTONIC; 0 before the first load_intervals_begin().
 */
uint64_t load_intervals_zero(const struct load *l);

/**
 * load_intervals_end() - close the files of the intervals, and free the rest
 * @l: runs no more; load_intervals_begin() need not have been called
 *
 * Return: 0, or -EIO if a file is not complete, reported.
 */
int load_intervals_end(struct load *l);

#endif
