/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_BY_H
#define BLKLAT_TRACE_BY_H

#include "blklat/collect/by.h"
#include "blklat/result/breakdown.h"

/**
 * trace_by_collect() - find the largest groups of a device's I/Os and merge the other groups
 * @by: all groups; no I/O may be charged to them any more
 * @dev: index of the device
 * @key: the key by which the I/Os are grouped
 * @b: result of the device; gets a row for each group. Call trace_by_free() in each case.
 * Return: 0 or -ENOMEM, not reported.
 */
int trace_by_collect(const struct by *by, unsigned int dev, enum by_key key, struct breakdown *b);
/**
 * trace_by_free() - free the rows for the groups
 * @b: result of the device, which may be zeroed; do not use its groups any more
 */
void trace_by_free(struct breakdown *b);

#endif
