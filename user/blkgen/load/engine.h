/* SPDX-License-Identifier: GPL-2.0 */
/* Choose how I/O is submitted, and from which CPUs. */
#ifndef BLKGEN_LOAD_ENGINE_H
#define BLKGEN_LOAD_ENGINE_H

#include "blkgen/load/cfg.h"
#include "device/device.h"

struct load_target;

/**
 * load_engine_label() - name the engine for results
 * @c: options of the load
 *
 * Return: the name, a constant text. For --engine buffered, it mentions the page cache.
 */
const char *load_engine_label(const struct load_cfg *c);

/**
 * load_check_engine() - check --engine and --cpus; a part of load_check_options()
 * @c: options of the load
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int load_check_engine(const struct load_cfg *c);

/**
 * load_check_engine_device() - check --engine against a device; a part of load_check_range()
 * @c: options of the load
 * @d: the device, with the members that device_facts() fills in
 *
 * Return: 0, or -EOPNOTSUPP if --engine polled was given and cannot poll these I/Os; reported.
 */
int load_check_engine_device(const struct load_cfg *c, const struct device *d);

/**
 * load_place_jobs() - give the jobs the CPUs of --cpus in turn
 * @t: its setup gets the array of CPUs, which load_release() frees; unchanged without --cpus
 *
 * The first job takes the CPU with index first_cpu, because the earlier jobs of a job file take the
 * CPUs before it.
 *
 * Return: 0 or -ENOMEM, reported.
 */
int load_place_jobs(struct load_target *t);

#endif
