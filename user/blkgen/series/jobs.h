/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_JOBS_H
#define BLKGEN_LOAD_JOBS_H

#include "blkgen/fio/jobfile.h"
#include "blkgen/series/series.h"

/**
 * load_jobs() - make the steps of --job: one step for each group of the file's jobs
 * @l: gets the devices that the jobs name
 * @s: gets the steps
 * @args: devices for jobs that name none
 * @jf: filled in; call jobfile_free() after the series, also after an error
 *
 * Return: 0, -EUSAGE or -errno, reported.
 */
int load_jobs(struct load *l, struct load_series *s, struct opt_args *args, struct jobfile *jf);

#endif
