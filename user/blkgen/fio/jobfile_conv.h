/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_JOBFILE_CONV_H
#define BLKGEN_JOBFILE_CONV_H

#include "blkgen/fio/jobfile_value.h"

/*
 * job_find_*() find facts and the devices. job_conv_*() add the options of a key and of the keys
 * that belong to it. All facts in struct conv must be known before job_conv_*() are called.
 */

/**
 * job_find_rw() - find the pattern and the ops of a job
 * @c: the conversion; sets @rw, @ops and @random, for reads if the file lacks the key rw
 *
 * Return: 0 or -EUSAGE, reported.
 */
int job_find_rw(struct conv *c);

/**
 * job_find_engine() - find what fio's engine does
 * @c: the conversion; sets @engine, @queued and @waits, for psync if the file lacks ioengine
 *
 * Return: 0 or -EUSAGE, reported.
 */
int job_find_engine(struct conv *c);

/**
 * job_find_devices() - find the devices of a job
 * @c: the conversion, whose @job gets the devices
 *
 * They are in filename, a list separated by colons where "\:" is a colon in a name. Without
 * filename, the section's name counts. The devices of the command line take the place of a file.
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_find_devices(struct conv *c);

/**
 * job_conv_rw() - add --rw, and --apart for sequential reads and writes
 * @c: the conversion, whose @job gets the options
 * @s: setting of rw
 *
 * Return: 0 or -ENOMEM, reported.
 */
int job_conv_rw(struct conv *c, const struct job_setting *s);

/**
 * job_conv_mix() - add --mix, if the job has reads and writes
 * @c: the conversion, whose @job gets the options
 * @s: setting of rwmixread
 *
 * The last one of rwmixread and rwmixwrite counts.
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_conv_mix(struct conv *c, const struct job_setting *s);

/**
 * job_conv_engine() - add --engine and --qd: how I/Os reach the kernel, and how many are in flight
 * @c: the conversion, whose @job gets the options
 * @s: setting of ioengine
 *
 * These depend on direct, buffered, hipri and iodepth, too.
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_conv_engine(struct conv *c, const struct job_setting *s);

/**
 * job_conv_batch() - add --batch, which is 32 at most
 * @c: the conversion, whose @job gets the options
 * @s: setting of iodepth_batch
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_conv_batch(struct conv *c, const struct job_setting *s);

/**
 * job_conv_bs() - add --bs or --bssplit, and --align
 * @c: the conversion, whose @job gets the options
 * @s: setting of bs
 *
 * bsrange and bssplit may have the block sizes, too. --align says at which offsets I/Os may begin:
 * at multiples of ba, or else of the smallest of several sizes. Only random I/O gets it.
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_conv_bs(struct conv *c, const struct job_setting *s);

/**
 * job_conv_offset() - add --offset, unless it is 0
 * @c: the conversion, whose @job gets the options
 * @s: setting of offset
 *
 * Each clone begins offset_increment bytes after the one before.
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_conv_offset(struct conv *c, const struct job_setting *s);

/**
 * job_conv_size() - add --size, unless the job has the whole device or zones
 * @c: the conversion, whose @job gets the options
 * @s: setting of size
 *
 * fio's size is divided among the devices of the job.
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_conv_size(struct conv *c, const struct job_setting *s);

/**
 * job_conv_zones() - add --streams, --zone-size and --zone-skip
 * @c: the conversion, whose @job gets the options
 * @s: setting of zonemode
 *
 * zonesize, zonerange and zoneskip have the values. blkgen refuses zones unless the job does
 * sequential I/O of one op on one device.
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_conv_zones(struct conv *c, const struct job_setting *s);

/**
 * job_conv_dist() - add --dist, if I/Os are random and may repeat an offset
 * @c: the conversion, whose @job gets the options
 * @s: setting of random_distribution
 *
 * Its value is "name:parameter". If the parameter is missing, take fio's default.
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_conv_dist(struct conv *c, const struct job_setting *s);

/**
 * job_conv_limits() - add --time, and --ios, --bytes or --pass: the limits at which the job ends
 * @c: the conversion, whose @job gets the options
 * @s: setting of runtime
 *
 * time_based, number_ios, io_size, size and loops belong to it.
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_conv_limits(struct conv *c, const struct job_setting *s);

/**
 * job_conv_ramp() - add --ramp, unless it is 0; blkgen needs time_based for it
 * @c: the conversion, whose @job gets the options
 * @s: setting of ramp_time
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_conv_ramp(struct conv *c, const struct job_setting *s);

/**
 * job_conv_rate() - add --rate and --arrival, if the job has a rate
 * @c: the conversion, whose @job gets the options
 * @s: setting of rate
 *
 * The rate may also be in rate_iops; rate_process becomes --arrival.
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_conv_rate(struct conv *c, const struct job_setting *s);

/**
 * job_conv_think() - add --think, unless it is 0: the pause after each I/O
 * @c: the conversion, whose @job gets the options
 * @s: setting of thinktime
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_conv_think(struct conv *c, const struct job_setting *s);

/**
 * job_conv_jobs() - add --jobs: the number of kernel threads of the job
 * @c: the conversion, whose @job gets the options
 * @s: setting of numjobs
 *
 * Return: 0 or -ENOMEM, reported.
 */
int job_conv_jobs(struct conv *c, const struct job_setting *s);

/**
 * job_conv_cpus() - add --cpus, if the file has CPUs
 * @c: the conversion, whose @job gets the options
 * @s: setting of cpus_allowed
 *
 * The list of cpus_allowed, "0-3,8", counts, or else the 64 bits of cpumask.
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_conv_cpus(struct conv *c, const struct job_setting *s);

/**
 * job_conv_seed() - add --seed
 * @c: the conversion, whose @job gets the options
 * @s: setting of randseed
 *
 * In fio each thread has a seed of its own. With randrepeat=0 and without randseed, it is a random
 * number. Jobs with verify all have the same seed, because the data to verify depends on it.
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_conv_seed(struct conv *c, const struct job_setting *s);

/**
 * job_conv_flush() - add --flush, if the job writes
 * @c: the conversion, whose @job gets the options
 * @s: setting of fsync
 *
 * fdatasync is the same for a device.
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_conv_flush(struct conv *c, const struct job_setting *s);

/**
 * job_conv_sync() - add --fua and --flush 1 for synchronous writes
 * @c: the conversion, whose @job gets the options
 * @s: setting of sync
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_conv_sync(struct conv *c, const struct job_setting *s);

/**
 * job_conv_verify() - add --verify, if the job verifies data
 * @c: the conversion, whose @job gets the options
 * @s: setting of verify
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_conv_verify(struct conv *c, const struct job_setting *s);

/**
 * job_conv_errors() - add --errors: stop at an error, or continue after all errors
 * @c: the conversion, whose @job gets the options
 * @s: setting of continue_on_error
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int job_conv_errors(struct conv *c, const struct job_setting *s);

#endif
