/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_PER_H
#define BLKGEN_LOAD_PER_H

#include "blkgen/load/result.h"

/* Report results in more detail than by device and op. */

enum { LOAD_PER_JOB, LOAD_PER_STREAM };

/**
 * load_per_print() - print the tables of --per, unless stdout is for data
 * @l: its sessions are still open
 *
 * Return: 0 or -errno; reported, except an -ENOMEM while a table is printed.
 */
int load_per_print(struct load *l);

/**
 * load_streams_json() - add the member "streams" of a target, if its load has streams
 * @l: has the features of the module
 * @t: the target, whose session is still open
 * @o: object of the target, which gets the member
 *
 * If a stream cannot be read, this reports it, and the member ends before this stream.
 */
void load_streams_json(const struct load *l, const struct load_target *t, json_object *o);

/**
 * load_hist_print() - print the tables of --hist, unless stdout is for data
 * @l: has the options and the targets
 * @rs: results of its targets
 *
 * Return: 0 or -ENOMEM, reported.
 */
int load_hist_print(const struct load *l, const struct load_results *rs);

#endif
