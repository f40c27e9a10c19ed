/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_JOBS_H
#define BLKGEN_LOAD_JOBS_H

#include "blkgen/fio/jobfile.h"
#include "blkgen/series/series.h"

/**
 * load_jobs() - the steps of --job: a step for each group of the file's jobs
 * @l: its devices are those that the jobs name
 * @jf: filled in; jobfile_free() it after the series, whatever is returned
 * Return: 0, -EUSAGE or -errno, reported.
 */
int load_jobs(struct load *l, struct load_series *s, struct opt_args *args, struct jobfile *jf);

#endif
