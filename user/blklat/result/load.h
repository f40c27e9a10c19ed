/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_RESULT_LOAD_H
#define BLKLAT_RESULT_LOAD_H

#include <json-c/json.h>
#include "blklat/result/result.h"

/* The files that read a result from a JSON document share these. */

/* Load a latency into an empty histogram with BLKLAT_HIST_BITS and BLKLAT_HIST_BUCKETS. */
void result_load_hist(struct json_object *o, struct hist *h);

/*
 * Load the total of a group. Old files have no buckets there, but all else. Return: 0 or -ENOMEM.
 */
int result_load_total(struct json_object *o, struct result_group *g);

/*
 * Load what a device is in its stack, its spans and the cost of tracing. Its facts and stages are
 * loaded. Return: 0 or -ENOMEM.
 */
int result_load_stack(struct json_object *o, struct result_dev *d);

#endif
