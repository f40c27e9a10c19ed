/* SPDX-License-Identifier: GPL-2.0 */
/* Stop loads, and give up on devices that do not complete their I/Os. */
#ifndef BLKGEN_LOAD_HANG_H
#define BLKGEN_LOAD_HANG_H

#include <stdint.h>
#include <stdio.h>
#include <json-c/json.h>

struct load;
struct load_target;

/**
 * load_stop() - stop submitting I/O
 * @l: its targets that run are stopped
 *
 * This does not wait: call load_wait() to wait for the I/Os in flight.
 */
void load_stop(struct load *l);

/**
 * load_look() - give up on stopped targets whose last I/Os do not complete
 * @l: the status of its running targets was just read
 *
 * If a stopped target makes no progress for --drain, mark it as hung and no longer running, and
 * count its I/Os in flight in @l->errors. A child process then keeps the session open until the
 * device completes the I/Os.
 *
 * Return: number of targets that still run.
 */
int load_look(struct load *l);

/**
 * load_look_at() - find when to call load_look() next
 * @l: its targets run
 * @at: the latest time for the call, ns of CLOCK_MONOTONIC
 *
 * Return: @at, or the earlier time at which --time or --drain of a running target is over.
 */
uint64_t load_look_at(const struct load *l, uint64_t at);

/**
 * load_leave() - stop the targets that run, before the sessions are closed
 * @l: none of its targets runs afterwards
 *
 * A child process takes over each session that still has I/Os in flight after 200 ms: closing it
 * would otherwise keep this process from ending. If there is one, warn and set @l->hung.
 */
void load_leave(struct load *l);

/**
 * load_outstanding_print() - print a line for each target that was given up
 * @l: its targets are done, or were given up
 * @f: where to print
 */
void load_outstanding_print(const struct load *l, FILE *f);

/**
 * load_outstanding_json() - make the "outstanding" member of a target
 * @t: the target
 *
 * Return: a new object, which the caller frees; its numbers are 0 if @t was not given up.
 */
json_object *load_outstanding_json(const struct load_target *t);

#endif
