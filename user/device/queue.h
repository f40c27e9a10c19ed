/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_QUEUE_H
#define BLKLAT_QUEUE_H

#include "device/device.h"
#include "device/keeper.h"

/* Change settings of a disk's request queue in sysfs, and set them back. */

enum queue_attr {
	QUEUE_SCHEDULER,
	QUEUE_RQ_AFFINITY,
	NR_QUEUE_ATTRS
};

/* "scheduler", "rq_affinity"; these are also the names in sysfs. */
extern const char *const queue_attr_names[];

/**
 * queue_check() - check that a disk can have this setting
 * @d: a disk, or a partition of it
 * @attr: the setting
 * @value: the value to check
 *
 * If the scheduler is a module, this loads it, as setting the scheduler would do.
 * Return: 0 or -errno, reported with the values to choose from.
 */
int queue_check(const struct device *d, enum queue_attr attr, const char *value);

/**
 * queue_set() - set a value and check that it is set
 * @d: a disk, or a partition of it
 * @attr: the setting
 * @value: the value; it must have passed queue_check()
 *
 * Return: 0 (also if it was set before), -EIO if the disk has another value afterwards, or another
 * -errno; reported.
 */
int queue_set(const struct device *d, enum queue_attr attr, const char *value);

/* These are the saved queue settings of some disks, and the keeper that sets them back. */
struct queue_keep {
	struct keeper keeper;
	struct queue_state *states;
	size_t n;
};

/**
 * queue_keep() - let a keeper set the queues back when this process ends, however it ends
 * @k: end it with queue_keep_end(), also after a failure
 * @devs: the devices, needed only during the call
 * @n: number of devices
 *
 * This saves the scheduler, the settings that depend on it (nr_requests, async_depth, wbt_lat_usec
 * and the scheduler's own settings), and rq_affinity.
 * Return: 0 or -errno, reported.
 */
int queue_keep(struct queue_keep *k, const struct device *const *devs, size_t n);

/**
 * queue_keep_end() - set the queues back now
 * @k: the saved settings
 * @leave: do not wait until the queues are set back, because a device does not complete its I/Os
 * Return: 0 or -EIO, reported.
 */
int queue_keep_end(struct queue_keep *k, bool leave);

#endif
