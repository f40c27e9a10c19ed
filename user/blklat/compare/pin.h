/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_PIN_H
#define COMPARE_PIN_H

#include "blklat/compare/compare.h"

/**
 * compare_pin() - refuse devices that differ where they must not, then set the schedulers
 *
 * Without --scheduler the schedulers are only checked.
 *
 * Return: 0, or -errno, reported with a way to make the devices alike.
 */
int compare_pin(struct compare *c);
/* Restore the schedulers that compare_pin() changed. Return: 0 or -errno, reported. */
int compare_unpin(struct compare *c);
/* Return what is the same for all devices, as the JSON object "pinned". */
json_object *compare_pin_json(const struct compare *c);

#endif
