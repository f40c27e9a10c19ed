/* SPDX-License-Identifier: GPL-2.0 */
/* Start a load, and wait for its end. */
#ifndef BLKGEN_LOAD_WAIT_H
#define BLKGEN_LOAD_WAIT_H

#include "blkgen/load/target.h"

/* Functions that return int return 0 or -errno, reported, unless their comment says otherwise. */

/*
 * Catch the signals that end the command. From then on such a signal ends the load, and its result
 * is still reported.
 */
int load_catch_signals(struct load *l);

/*
 * Return true if no other load may start: a signal that ends the command has come, also outside of
 * load_execute(), or a device hangs, or a file of the intervals could not be written.
 */
bool load_interrupted(struct load *l);

/* Start all targets. load_execute() begins with this. */
int load_start(struct load *l);

/**
 * load_wait() - show progress until all targets are done
 * @until_ns: CLOCK_MONOTONIC at which to stop waiting; 0: no limit
 * Return: 0 when all targets are done, 1 when @until_ns is reached, or -errno, reported.
 */
int load_wait(struct load *l, uint64_t until_ns);

#endif
