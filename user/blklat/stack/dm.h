/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_DM_H
#define BLKLAT_STACK_DM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Make and remove dm devices by libdevmapper. If not documented otherwise, functions return 0 or
 * -errno, not reported.
 */

/* Make a dm device of one target. @dev: set to its number */
int dm_make(const char *name, const char *uuid, const char *target, uint64_t sectors,
	    const char *params, dev_t *dev);

/*
 * Remove the device of this name, if its uuid begins with @uuid; wait a while for its last user.
 * Return: 1 if the device was removed, 0 if there is no such device, or -errno.
 */
int dm_remove(const char *name, const char *uuid);

/*
 * Call @fn, which may be NULL, for each dm device whose name begins with @prefix. A value below 0
 * from @fn ends the walk. Return: number of devices, -errno, or the value below 0 from @fn.
 */
int dm_each(const char *prefix, int (*fn)(const char *name, void *arg), void *arg);

/* Return the number of the device of this name; 0 if there is none. */
dev_t dm_number(const char *name);

/* Replace device @from by @to in the table of @name, also while @name is in use. */
int dm_replace(const char *name, dev_t from, dev_t to);

#endif
