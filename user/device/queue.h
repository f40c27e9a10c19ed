/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_QUEUE_H
#define BLKLAT_QUEUE_H

#include "device/device.h"
#include "device/keeper.h"

/* Settings of a disk's request queue in sysfs, and setting them back. */

enum queue_attr {
	QUEUE_SCHEDULER,
	QUEUE_RQ_AFFINITY,
	NR_QUEUE_ATTRS
};

/* "scheduler", "rq_affinity"; also their names in sysfs */
extern const char *const queue_attr_names[];

/**
 * queue_check() - whether a disk can have this setting
 * @d: a partition stands for its disk
 *
 * A scheduler that is a module is loaded, as setting it would do.
 * Return: 0 or -errno, reported with what there is to choose from.
 */
int queue_check(const struct device *d, enum queue_attr attr, const char *value);

/* Set it and see that it is set. Return: 0 or -errno, reported. */
int queue_set(const struct device *d, enum queue_attr attr, const char *value);

/* What the queues of some disks were set to. */
struct queue_keep {
	struct keeper keeper;
	struct queue_state *states;
	size_t n;
};

/**
 * queue_keep() - have the queues set back when this process ends, however it ends
 * @devs: @n of them, looked at during the call only
 *
 * The scheduler, what depends on it (nr_requests, wbt_lat_usec and the
 * scheduler's own settings) and rq_affinity.
 * Return: 0 or -errno, reported.
 */
int queue_keep(struct queue_keep *k, const struct device *const *devs, size_t n);

/**
 * queue_keep_end() - set them back now
 * @leave: and do not wait for it: a device does not give I/Os back
 * Return: 0 or -EIO, reported.
 */
int queue_keep_end(struct queue_keep *k, bool leave);

#endif
