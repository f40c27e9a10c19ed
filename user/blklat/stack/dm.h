/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_DM_H
#define BLKLAT_STACK_DM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Make and remove dm devices by libdevmapper. */

/**
 * dm_make() - make a dm device of one target
 * @name: name of the device
 * @uuid: its uuid
 * @target: type of the target
 * @sectors: size in sectors of 512 bytes
 * @params: parameters of the target; libdevmapper wipes its copies, as they may have keys
 * @dev: set to the number of the device
 *
 * Return: 0 or -errno, not reported.
 */
int dm_make(const char *name, const char *uuid, const char *target, uint64_t sectors,
	    const char *params, dev_t *dev);

/**
 * dm_remove() - remove a dm device if it is one of ours
 * @name: name of the device
 * @uuid: the begin of its uuid; a device with another uuid is left alone
 *
 * If the device is in use, this waits a while for its last user.
 *
 * Return: 1 if the device was removed, 0 if there is none of ours, or -errno, not reported.
 */
int dm_remove(const char *name, const char *uuid);

/**
 * dm_each() - call a function for each dm device whose name begins with a prefix
 * @prefix: the prefix
 * @fn: the function; a value below 0 from it ends the walk. NULL only counts the devices.
 * @arg: passed to @fn
 *
 * Return: number of devices; -errno, not reported; or the value below 0 from @fn.
 */
int dm_each(const char *prefix, int (*fn)(const char *name, void *arg), void *arg);

/**
 * dm_number() - find the number of a dm device
 * @name: name of the device
 *
 * Return: the number; 0 if there is no such device or libdevmapper fails.
 */
dev_t dm_number(const char *name);

/**
 * dm_replace() - replace a device below a dm device, also while this is in use
 * @name: name of the dm device
 * @from: number of the device in its table
 * @to: number of the device that takes its place
 *
 * The kernel suspends the dm device for a moment.
 *
 * Return: 0 or -errno, not reported.
 */
int dm_replace(const char *name, dev_t from, dev_t to);

#endif
