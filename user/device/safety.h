/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_SAFETY_H
#define BLKLAT_SAFETY_H

#include "device/device.h"

/**
 * device_in_use() - refuse a device that somebody needs
 *
 * Refused: the root file system is on it (through partitions, dm and md),
 * mounted, swap, held by dm, md or the like; any partition of it counts too.
 * Nothing overrides this.
 *
 * Return: 0 or -EBUSY, reported with what to do about it.
 */
int device_in_use(const struct device *d);

/**
 * device_claim() - open a device for oneself alone
 * @write: O_RDWR instead of O_RDONLY
 * @force_signature: write although there is a file system, RAID member,
 *	partition table or other signature that libblkid knows
 *
 * Does device_in_use() first. The O_EXCL open holds what was checked: nobody
 * can mount the device or build on it afterwards.
 *
 * Return: file descriptor (O_CLOEXEC) or -errno, reported.
 */
int device_claim(const struct device *d, bool write, bool force_signature);

#endif
