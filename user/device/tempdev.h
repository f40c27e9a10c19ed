/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TEMPDEV_H
#define BLKLAT_TEMPDEV_H

#include "device/device.h"
#include "device/keeper.h"

/*
 * This is a temporary null_blk device. It completes I/O at once and stores nothing, so a load on it
 * measures the block layer itself.
 */
struct tempdev {
	struct keeper keeper;
	char name[DEV_NAME];
};

/**
 * tempdev_create() - make the device, and load null_blk if needed
 * @t: set on success
 * @queues: hardware queues
 * @depth: requests per queue
 *
 * A keeper process makes the device, and removes it when this process ends, also by kill -9.
 *
 * Return: 0 or -errno, reported.
 */
int tempdev_create(struct tempdev *t, unsigned int queues, unsigned int depth);

/**
 * tempdev_destroy() - remove the device and wait until it is gone
 * @t: from tempdev_create(); the caller closes all users of the device first
 */
void tempdev_destroy(struct tempdev *t);

#endif
