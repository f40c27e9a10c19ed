/* SPDX-License-Identifier: GPL-2.0 */
/* Choose the offsets and sizes of I/Os. */
#ifndef BLKGEN_LOAD_WHERE_H
#define BLKGEN_LOAD_WHERE_H

#include <stdio.h>
#include <json-c/json.h>
#include "blkgen/load/cfg.h"
#include "device/device.h"

/**
 * load_length() - find the length of the range on a device
 * @c: options of the load
 * @d: the device, with its size
 *
 * Return: bytes; 0 if --size is not given and --offset is not below the device's end. With --size,
 * the range may end past the device's end: load_check_range() refuses that.
 */
uint64_t load_length(const struct load_cfg *c, const struct device *d);

/**
 * load_where_check() - check offsets and sizes without looking at a device
 * @c: options of the load
 *
 * Return: 0 or -EUSAGE, reported.
 */
int load_where_check(const struct load_cfg *c);

/**
 * load_where_check_range() - check offsets and sizes against a device
 * @c: options of the load
 * @d: the device, for messages
 * @size: bytes of the range, from load_length()
 * @lbs: logical block size of the device, bytes
 *
 * Return: 0; -EINVAL if an option is not a multiple of @lbs; -ENOSPC if the range has no room for
 * all jobs or streams; reported.
 */
int load_where_check_range(const struct load_cfg *c, const struct device *d, uint64_t size,
			   unsigned int lbs);

/**
 * load_where_fill() - fill in the pattern, sizes, zones and streams of a setup
 * @c: options of the load, which load_check_range() has checked
 * @d: the device, with its size
 * @s: gets the members; call load_where_done() after kctl_setup(), and also after a failure
 *
 * Return: 0; -ENOSPC if no I/O begins in a part of --dist zones; or -ENOMEM; reported.
 */
int load_where_fill(const struct load_cfg *c, const struct device *d, struct blkgen_setup *s);

/**
 * load_where_done() - free the arrays that load_where_fill() has made
 * @s: the setup, after the module has copied the arrays
 */
void load_where_done(struct blkgen_setup *s);

/**
 * load_where_json() - add sizes, alignment and distribution to the "options" member of the JSON
 * @o: gets the members
 * @c: options of the load
 */
void load_where_json(json_object *o, const struct load_cfg *c);

/**
 * load_where_print() - print the text that follows the pattern in the header
 * @c: options of the load
 * @f: where to print; the text has no line end
 */
void load_where_print(const struct load_cfg *c, FILE *f);

#endif
