/* SPDX-License-Identifier: GPL-2.0 */
/* Stop loads, and give up on devices that do not complete their I/Os. */
#ifndef BLKGEN_LOAD_HANG_H
#define BLKGEN_LOAD_HANG_H

#include <stdio.h>
#include "blkgen/load/target.h"

/* Stop submitting I/O. load_wait() then waits for the I/Os in flight. */
void load_stop(struct load *l);

/**
 * load_look() - give up on stopped targets whose last I/Os do not complete
 *
 * If a stopped target makes no progress for --drain, mark it as hung and no longer running. A child
 * process then keeps the session open until the device completes the I/Os.
 * Return: number of targets that still run.
 */
int load_look(struct load *l);
/* Return when to call load_look() next, CLOCK_MONOTONIC: @at or earlier. */
uint64_t load_look_at(const struct load *l, uint64_t at);
/*
 * Stop the targets that run, before the sessions are closed. A child process takes over each
 * session with I/Os in flight: closing it would otherwise keep this process from ending.
 */
void load_leave(struct load *l);
/* Print a line for each device that did not complete all I/Os. */
void load_outstanding_print(const struct load *l, FILE *f);
/* Return the "outstanding" member of a target. */
json_object *load_outstanding_json(const struct load_target *t);

#endif
