/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_PIN_H
#define COMPARE_PIN_H

#include "blklat/compare/compare.h"

/**
 * compare_pin() - refuse devices that differ where they must not, then set the schedulers
 * @c: the comparison; @leaves and @queues are set. Call compare_unpin() also after a failure.
 *
 * Without --scheduler the schedulers are only checked.
 *
 * Return: 0, or -errno, reported with a way to make the devices alike.
 */
int compare_pin(struct compare *c);

/**
 * compare_unpin() - restore the schedulers that compare_pin() changed
 * @c: the comparison; without changed schedulers nothing is done
 *
 * If a load was left behind, this does not wait: a process restores them when the I/O ends.
 *
 * Return: 0 or -EIO, reported.
 */
int compare_unpin(struct compare *c);

/**
 * compare_pin_json() - make the JSON object "pinned", which has what is the same for all devices
 * @c: the comparison, after compare_pin()
 *
 * Return: the object, owned by the caller.
 */
json_object *compare_pin_json(const struct compare *c);

#endif
