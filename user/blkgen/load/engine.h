/* SPDX-License-Identifier: GPL-2.0 */
/* Choose how I/O is submitted, and from which CPUs. */
#ifndef BLKGEN_LOAD_ENGINE_H
#define BLKGEN_LOAD_ENGINE_H

#include "blkgen/load/target.h"

/* Return the engine's name for results. For --engine buffered, the name mentions the page cache. */
const char *load_engine_label(const struct load_cfg *c);

/* These are parts of load_check_options() and load_check_range(), and return the same values. */
int load_check_engine(const struct load_cfg *c);
int load_check_engine_device(const struct load_cfg *c, const struct device *d);

/*
 * Give the jobs the CPUs of --cpus in turn, in @t->setup. The first job takes the CPU with index
 * first_cpu, because the earlier jobs of a job file take the CPUs before it.
 * Return: 0 or -ENOMEM, reported.
 */
int load_place_jobs(struct load_target *t);

#endif
