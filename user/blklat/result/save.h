/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_RESULT_SAVE_H
#define BLKLAT_RESULT_SAVE_H

#include <json-c/json.h>
#include "blklat/result/result.h"

/* The files that write a result into a JSON document share these. */

/**
 * result_legs_json() - make the array "legs" of a device
 * @d: the device; each leg must have its @total
 *
 * Return: the array, owned by the caller.
 */
struct json_object *result_legs_json(const struct result_dev *d);

/**
 * result_stack_json() - write what a device is in its stack, its spans and the cost of tracing
 * @o: the device's element of "devices"; gets the members
 * @d: the device
 */
void result_stack_json(struct json_object *o, const struct result_dev *d);

#endif
