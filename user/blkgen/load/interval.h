/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_INTERVAL_H
#define BLKGEN_LOAD_INTERVAL_H

#include <json-c/json.h>
#include <stdint.h>

struct load;
struct load_intervals;

/*
 * What a load does while it runs: rows for the table of --interval, for --csv,
 * --log and JSON, and a rate for each second, in which cliffs are looked for.
 * load_wait() is the caller. All return 0 or -errno, reported.
 */

/* The targets are about to start. Those of a former load are forgotten, the files go on. */
int load_intervals_begin(struct load *l);

/* When load_intervals_tick() wants to be called next, CLOCK_MONOTONIC */
uint64_t load_intervals_next(const struct load *l);

/* Look at what there is to look at now. @done: all targets are: the last interval ends. */
int load_intervals_tick(struct load *l, bool done);

/* Whether rows are printed: then there is no progress line. */
bool load_intervals_live(const struct load *l);

/* Their rows since the last call, as an array. */
json_object *load_intervals_json(struct load *l);

/**
 * load_intervals_rates() - how a target's rate went
 * @from_ns, @to_ns: of CLOCK_MONOTONIC
 * @at: gets an array of when each second ended; @rate: of its I/Os per second
 * Return: how many, both to be freed; or -ENOMEM.
 */
long load_intervals_rates(const struct load *l, size_t target, uint64_t from_ns, uint64_t to_ns,
			  uint64_t **at, double **rate);

/* When measuring began, CLOCK_MONOTONIC: 0 of all times in results */
uint64_t load_intervals_zero(const struct load *l);

/* Close the files. Return: 0 or -errno, reported, if they are not complete. */
int load_intervals_end(struct load *l);

#endif
