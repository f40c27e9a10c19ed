/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_DM_H
#define BLKLAT_STACK_DM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* dm devices by libdevmapper. Return: 0 or -errno, not reported, if not said otherwise. */

/* Make one of one target. @dev: set to its number */
int dm_make(const char *name, const char *uuid, const char *target, uint64_t sectors,
	    const char *params, dev_t *dev);

/*
 * Remove it if there is one of this name whose uuid begins with @uuid; waits a while for the last
 * user. Return: 1 if it was removed, 0 if it is not there, or -errno.
 */
int dm_remove(const char *name, const char *uuid);

/*
 * Call @fn, if given, for each dm device whose name begins with @prefix; below 0 it ends it.
 * Return: how many, or -errno, or what @fn returned.
 */
int dm_each(const char *prefix, int (*fn)(const char *name, void *arg), void *arg);

/* The number of the device of this name. 0: none. */
dev_t dm_number(const char *name);

/* In the table of @name, in use or not, put device @to in the place of @from. */
int dm_replace(const char *name, dev_t from, dev_t to);

#endif
