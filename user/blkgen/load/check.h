/* SPDX-License-Identifier: GPL-2.0 */
/* Refuse loads that are not possible before they are tried. */
#ifndef BLKGEN_LOAD_CHECK_H
#define BLKGEN_LOAD_CHECK_H

#include "blkgen/load/cfg.h"
#include "blkgen/load/kctl.h"
#include "device/device.h"

/* The messages of these functions say what to change. */

/**
 * load_check_options() - check the options without looking at a device
 * @c: options of the load
 * @dev: name of the device, for messages; NULL: the temporary device, which has no data to keep
 *
 * Return: 0, -EUSAGE or -ENOMEM, reported.
 */
int load_check_options(const struct load_cfg *c, const char *dev);

/**
 * load_check_limits() - check the options against the limits of the module
 * @c: options of the load
 * @feat: from kctl_features()
 *
 * Return: 0 or -EUSAGE, reported.
 */
int load_check_limits(const struct load_cfg *c, const struct blkgen_features *feat);

/**
 * load_check_range() - check the options against the size and the features of a device
 * @c: options of the load
 * @d: the device, with the members that device_facts() fills in
 *
 * Return: 0; -ENXIO if the range ends past the end of the device, or the device has no size;
 * -EINVAL if an option is not a multiple of the logical block size; -ENOSPC if the range has no
 * room for all jobs or streams; -EOPNOTSUPP if the device cannot do the ops or cannot be polled;
 * reported.
 */
int load_check_range(const struct load_cfg *c, const struct device *d);

#endif
