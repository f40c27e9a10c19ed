/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_RESULT_SAVE_H
#define BLKLAT_RESULT_SAVE_H

#include <json-c/json.h>
#include "blklat/result/result.h"

/* The files that write a result into a JSON document share these. */

/* Return the array "legs" of a device. */
struct json_object *result_legs_json(const struct result_dev *d);

/* Put into an element of "devices" what the device is in its stack, its spans and the cost. */
void result_stack_json(struct json_object *o, const struct result_dev *d);

#endif
