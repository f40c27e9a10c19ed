/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TEMPDEV_H
#define BLKLAT_TEMPDEV_H

#include "device/device.h"
#include "device/keeper.h"

/*
 * A null_blk device of our own: it completes I/O at once and stores nothing,
 * so a load on it measures the block layer itself.
 */
struct tempdev {
	struct keeper keeper;
	char name[DEV_NAME];
};

/**
 * tempdev_create() - make the device, loading null_blk when needed
 * @queues: hardware queues
 * @depth: requests per queue
 *
 * A process of its own holds the device and removes it when this process ends,
 * also by kill -9.
 *
 * Return: 0 or -errno, reported.
 */
int tempdev_create(struct tempdev *t, unsigned int queues, unsigned int depth);
/* Remove it and wait until it is gone. Close everything that uses it first. */
void tempdev_destroy(struct tempdev *t);

#endif
