/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_BY_H
#define BLKLAT_TRACE_BY_H

#include "blklat/collect/by.h"
#include "report/breakdown.h"

/**
 * trace_by_collect() - the largest groups of a device's I/Os, and the others together
 * @by: all groups; no I/O is charged any more
 * @dev: index of the device
 * @key: of the groups
 * @b: result of the device, which gets them
 * Return: 0 or -ENOMEM.
 */
int trace_by_collect(const struct by *by, unsigned int dev, enum by_key key, struct breakdown *b);
void trace_by_free(struct breakdown *b);

#endif
