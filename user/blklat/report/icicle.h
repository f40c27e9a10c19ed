/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_ICICLE_H
#define REPORT_ICICLE_H

#include <stdio.h>
#include "blklat/plot/plot.h"
#include "output/json.h"

/**
 * icicles_print() - print how the mean time of an I/O is nested in the layers of each device
 * @set: the devices. With @set->cmp, their differences to its baseline are drawn too.
 * @f: where to print; the widest icicle is as wide as its terminal
 *
 * Devices have one icicle of all I/Os, and one of those from the p99 on if these are known.
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int icicles_print(const struct plot_set *set, FILE *f);

/**
 * icicles_json() - make an array of the JSON objects "icicle"
 * @set: the devices, as for icicles_print()
 *
 * Return: the array, owned by the caller.
 */
json_object *icicles_json(const struct plot_set *set);

#endif
