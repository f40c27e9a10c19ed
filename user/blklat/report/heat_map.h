/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_HEAT_MAP_H
#define REPORT_HEAT_MAP_H

#include <stdio.h>
#include "blklat/plot/plot.h"
#include "output/json.h"

/**
 * heat_map_find_stage() - let the heat maps of some devices show a stage
 * @set: the devices; @set->stage is set
 * @name: label of the stage as in tables, or its name if only one layer has such a stage
 *
 * Return: 0, -EINVAL if there is no such stage, or -ENOMEM; reported.
 */
int heat_map_find_stage(struct plot_set *set, const char *name);

/**
 * heat_map_check() - check that at least one heat map can be made
 * @set: the devices
 *
 * Return: 0, or -EINVAL, reported, if no device has the samples for a heat map.
 */
int heat_map_check(const struct plot_set *set);

/**
 * heat_map_print() - print a heat map of each device that has the samples
 * @set: the devices
 * @f: where to print; the maps are at most as wide as its terminal
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int heat_map_print(const struct plot_set *set, FILE *f);

/**
 * heat_map_json() - make an array of the JSON objects "heat map"
 * @set: the devices; one without the samples has no heat map
 *
 * Return: the array, owned by the caller.
 */
json_object *heat_map_json(const struct plot_set *set);

#endif
