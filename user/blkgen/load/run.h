/* SPDX-License-Identifier: GPL-2.0 */
/* Run one load, after which others may follow. */
#ifndef BLKGEN_LOAD_RUN_H
#define BLKGEN_LOAD_RUN_H

#include "blkgen/load/target.h"

/* Functions that return int return 0 or -errno, reported, unless their comment says otherwise. */

/*
 * Catch the signals that end the command. From then on such a signal ends the load, and its result
 * is still reported.
 */
int load_catch_signals(struct load *l);

/*
 * Return true if such a signal has come, also outside of load_execute(), if a device hangs, or if a
 * file of the intervals cannot be written.
 */
bool load_interrupted(struct load *l);

/* Read what the module can do into @l->feat. */
int load_features(struct load *l);

/* Check that no one else uses the device, and that the device can take this load. */
int load_check_device(const struct load_target *t);

/* Claim the devices of all targets, and set up their sessions. */
int load_prepare(struct load *l);

/*
 * Start all targets, show progress, wait until all are done, and verify. A signal ends the targets
 * and is no error.
 */
int load_execute(struct load *l);

/* Start all targets. This is the first part of load_execute(). */
int load_start(struct load *l);

/**
 * load_wait() - show progress until all targets are done
 * @until_ns: CLOCK_MONOTONIC at which to stop waiting; 0: no limit
 * Return: 0 when all targets are done, 1 when @until_ns is reached, or -errno, reported.
 */
int load_wait(struct load *l, uint64_t until_ns);

#endif
