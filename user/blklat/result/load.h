/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_RESULT_LOAD_H
#define BLKLAT_RESULT_LOAD_H

#include <json-c/json.h>
#include "blklat/result/result.h"

/* The files that read a result from a JSON document share these. */

/**
 * result_load_hist() - load a latency into a histogram
 * @o: the JSON object "latency", checked by result_check(); NULL: none
 * @h: empty, with BLKLAT_HIST_BITS and BLKLAT_HIST_BUCKETS; or zeroed if @o has no buckets
 */
void result_load_hist(struct json_object *o, struct hist *h);

/**
 * result_load_total() - load the total of a group, and its percentiles
 * @o: the JSON object "latency", checked by result_check()
 * @g: the group, whose total is zeroed; result_dev_free() frees it
 *
 * Old files have no buckets there, but all else. Then the histogram has no buckets either.
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int result_load_total(struct json_object *o, struct result_group *g);

/**
 * result_load_stack() - load what a device is in its stack, its spans and the cost of tracing
 * @o: the device's element of "devices", checked by result_check()
 * @d: the device; its facts and stages are loaded
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int result_load_stack(struct json_object *o, struct result_dev *d);

#endif
