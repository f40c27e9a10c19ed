/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_LOAD_H
#define COMPARE_LOAD_H

#include "blklat/compare/compare.h"

/**
 * compare_load_parse() - split the load into words and find the program that runs it
 * @rest: the command after --, or NULL for a load of blkgen
 * Return: 0, -EUSAGE or -errno, reported.
 */
int compare_load_parse(struct compare *c, char **rest);

/**
 * compare_load_run() - run the load once on a device
 * @tick: called about ten times a second during the run; may be NULL
 * @s: elapsed_ns, ios, bytes, cpu_ns and total (the latency) are set; the caller must have
 *	initialised total
 *
 * A command does not report latencies: then total stays empty.
 *
 * Return: 0; -EINTR after a signal; -ECHILD if the load failed, with its exit status in
 * @c->status; or -errno. Failures are reported.
 */
int compare_load_run(struct compare *c, const struct compare_visit *v,
		     void (*tick)(struct compare *c), struct result_sample *s);
/* Free the words of a load. */
void compare_load_free(struct compare_load *l);
/* Return the load and what is the same for all devices, as the JSON object "compared load". */
json_object *compare_load_json(const struct compare *c);

#endif
