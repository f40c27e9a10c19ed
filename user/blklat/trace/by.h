/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_BY_H
#define BLKLAT_TRACE_BY_H

#include "blklat/collect/by.h"
#include "blklat/result/result.h"

/**
 * trace_by_collect() - find the largest groups of a device's I/Os and merge the other groups
 * @by: all groups; no I/O may be charged to them any more
 * @dev: index of the device
 * @key: the key by which the I/Os are grouped
 * @d: result of the device, which gets the groups
 * Return: 0 or -ENOMEM, not reported.
 */
int trace_by_collect(const struct by *by, unsigned int dev, enum by_key key, struct result_dev *d);

#endif
