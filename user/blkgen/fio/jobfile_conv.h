/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_JOBFILE_CONV_H
#define BLKGEN_JOBFILE_CONV_H

#include "blkgen/fio/jobfile_value.h"

/*
 * job_find_*() find facts and the devices. job_conv_*() add the options of a key and of the keys
 * that belong to it. They return as the functions of jobfile_value.h do.
 */

int job_find_rw(struct conv *c);
int job_find_engine(struct conv *c);
int job_find_devices(struct conv *c);
int job_conv_rw(struct conv *c, const struct job_setting *s);
int job_conv_mix(struct conv *c, const struct job_setting *s);
int job_conv_engine(struct conv *c, const struct job_setting *s);
int job_conv_batch(struct conv *c, const struct job_setting *s);
int job_conv_bs(struct conv *c, const struct job_setting *s);
int job_conv_offset(struct conv *c, const struct job_setting *s);
int job_conv_size(struct conv *c, const struct job_setting *s);
int job_conv_zones(struct conv *c, const struct job_setting *s);
int job_conv_dist(struct conv *c, const struct job_setting *s);
int job_conv_limits(struct conv *c, const struct job_setting *s);
int job_conv_ramp(struct conv *c, const struct job_setting *s);
int job_conv_rate(struct conv *c, const struct job_setting *s);
int job_conv_think(struct conv *c, const struct job_setting *s);
int job_conv_jobs(struct conv *c, const struct job_setting *s);
int job_conv_cpus(struct conv *c, const struct job_setting *s);
int job_conv_seed(struct conv *c, const struct job_setting *s);
int job_conv_flush(struct conv *c, const struct job_setting *s);
int job_conv_sync(struct conv *c, const struct job_setting *s);
int job_conv_verify(struct conv *c, const struct job_setting *s);
int job_conv_errors(struct conv *c, const struct job_setting *s);

#endif
