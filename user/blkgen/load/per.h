/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_PER_H
#define BLKGEN_LOAD_PER_H

#include "blkgen/load/result.h"
#include "blkgen/load/target.h"

/* Report results in more detail than by device and op. */

enum { LOAD_PER_JOB, LOAD_PER_STREAM };

/* Print the tables of --per, unless stdout is for data. Return: 0 or -errno, reported. */
int load_per_print(struct load *l);

/* Add the member "streams" of a target to @o, if the load has --streams. */
void load_streams_json(const struct load *l, const struct load_target *t, json_object *o);

/* Print the tables of --hist, unless stdout is for data. Return: 0 or -errno. */
int load_hist_print(const struct load *l, const struct load_results *rs);

#endif
