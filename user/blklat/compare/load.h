/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_LOAD_H
#define COMPARE_LOAD_H

#include "blklat/compare/compare.h"

/**
 * compare_load_parse() - split the load into words and find the program that runs it
 * @c: the comparison with its devices; @load must be zeroed. compare_load_free() frees it, also
 *	after a failure.
 * @rest: the command after --, or NULL for a load of blkgen
 * Return: 0, -EUSAGE or -errno, reported.
 */
int compare_load_parse(struct compare *c, char **rest);

/**
 * compare_load_run() - run the load once on a device
 * @c: the comparison, after compare_load_parse()
 * @v: the turn
 * @tick: called about ten times a second during the run; may be NULL
 * @s: elapsed_ns, ios, bytes, cpu_ns and total (the latency) are set; the caller must have
 *	initialised total
 *
 * A command does not report latencies: then total stays empty.
 *
 * Return: 0; -EINTR after a signal, not reported; -ECHILD if the load failed, with its exit status
 * in @c->status; -EIO if it did no I/O or I/Os failed; -EUSAGE if it names a device itself; or
 * another -errno. All but -EINTR are reported.
 */
int compare_load_run(struct compare *c, const struct compare_visit *v,
		     void (*tick)(struct compare *c), struct result_sample *s);

/**
 * compare_load_free() - free the words of a load
 * @l: the load; not zeroed
 */
void compare_load_free(struct compare_load *l);

/**
 * compare_load_json() - make the JSON object "compared load"
 * @c: the comparison
 *
 * The object has the load and what is the same for all devices.
 *
 * Return: the object, owned by the caller.
 */
json_object *compare_load_json(const struct compare *c);

#endif
