/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_PER_H
#define BLKGEN_LOAD_PER_H

#include "blkgen/load/load.h"

/* Results in more detail than by device and op. */

enum { LOAD_PER_JOB, LOAD_PER_STREAM };
extern const char *const load_per_names[];

/* The tables of --per. Return: 0 or -errno, reported. */
int load_per_print(struct load *l);

/* The "streams" member of a device; nothing if the load has none. */
void load_streams_json(const struct load *l, const struct load_target *t, json_object *o);

/* The tables of --hist. Return: 0 or -errno. */
int load_hist_print(const struct load *l, const struct load_results *rs);

#endif
