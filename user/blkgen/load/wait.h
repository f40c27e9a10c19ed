/* SPDX-License-Identifier: GPL-2.0 */
/* Start a load, and wait for its end. */
#ifndef BLKGEN_LOAD_WAIT_H
#define BLKGEN_LOAD_WAIT_H

#include <stdbool.h>
#include <stdint.h>

struct load;

/**
 * load_catch_signals() - catch the signals that end the command
 * @l: its sigfd is set; load_end() closes it
 *
 * From then on such a signal ends the load, and its result is still reported.
 *
 * Return: 0 or -errno, reported.
 */
int load_catch_signals(struct load *l);

/**
 * load_interrupted() - tell if no other load may start
 * @l: its signals that have come are read first, and the first one stops its targets
 *
 * Return: true if a signal that ends the command has come, also outside of load_execute(), or a
 * device hangs, or a file of the intervals could not be written.
 */
bool load_interrupted(struct load *l);

/**
 * load_start() - start all targets; the first step of load_execute()
 * @l: set up by load_prepare()
 *
 * After a failure some targets may run: load_release() ends them.
 *
 * Return: 0 or -errno; reported, but see load_intervals_begin().
 */
int load_start(struct load *l);

/**
 * load_wait() - show progress until all targets are done
 * @l: started by load_start()
 * @until_ns: time to stop waiting, ns of CLOCK_MONOTONIC; 0: no limit
 *
 * A first signal stops the targets, and waiting goes on. A second one ends it with -EINTR.
 *
 * Return: 0 when all targets are done or given up; 1 when @until_ns is reached; or -errno,
 * reported.
 */
int load_wait(struct load *l, uint64_t until_ns);

#endif
