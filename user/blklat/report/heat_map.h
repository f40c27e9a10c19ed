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

/* Return 0, or -EINVAL, reported, if no device has the samples for a heat map. */
int heat_map_check(const struct plot_set *set);

/* Print a heat map of each device. Return: 0 or -ENOMEM, not reported. */
int heat_map_print(const struct plot_set *set, FILE *f);

/* Return the heat maps of the devices as a list. */
json_object *heat_map_json(const struct plot_set *set);

#endif
