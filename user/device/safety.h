/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_SAFETY_H
#define BLKLAT_SAFETY_H

#include "device/device.h"

/**
 * device_in_use() - refuse a device that is in use
 * @d: the device
 *
 * A device is in use if it has the root file system (through partitions, dm, md and loop), is
 * mounted, is swap, is held by dm, md or the like, is below a loop device, or is exported by the
 * kernel's NVMe target. The use of any of its partitions counts too. Nothing overrides this.
 *
 * Return: 0 or -EBUSY, reported with what to do about it.
 */
int device_in_use(const struct device *d);

/**
 * device_claim() - open a device for exclusive use
 * @d: the device
 * @write: open with O_RDWR instead of O_RDONLY
 * @force_signature: allow writes even if the device has a file system, RAID member, partition table
 *	or other signature that libblkid knows
 * @hint: what the user can do about such a signature, the end of a message
 *
 * This calls device_in_use() first. The O_EXCL open then keeps the result true: nobody can mount
 * the device or build on it.
 *
 * Return: file descriptor (O_CLOEXEC) or -errno, reported.
 */
int device_claim(const struct device *d, bool write, bool force_signature, const char *hint);

#endif
