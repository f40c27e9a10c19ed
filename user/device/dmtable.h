/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_DMTABLE_H
#define BLKLAT_DMTABLE_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Parse the texts of device-mapper tables, as the kernel writes them: one line of parameters per
 * target, with devices as "8:16". These functions work on text only.
 */

#define DM_ROLE 48

/**
 * struct dm_ref - a device that a target's parameters name
 * @dev: number of the device
 * @leg: number of the leg or path, -1 if the device is neither, or has no number
 * @role: "leg 0", "path 1", "metadata 0", "log", "cow"...; "" if the target
 *	has no different roles for its devices
 */
struct dm_ref {
	dev_t dev;
	int leg;
	char role[DM_ROLE];
};

/**
 * dm_table_refs() - call @fn for each device that @params names, in their order
 * @type: type of the target ("striped")
 * @params: parameters of the target
 * @fn: called with each device
 * @arg: handed to @fn
 * Return: number of calls.
 */
size_t dm_table_refs(const char *type, const char *params,
		     void (*fn)(const struct dm_ref *ref, void *arg), void *arg);

/**
 * dm_table_hide_keys() - overwrite encryption keys with zeros
 * @type: type of the target
 * @params: changed in place. Names of keys in the kernel's key ring stay.
 */
void dm_table_hide_keys(const char *type, char *params);

/**
 * dm_table_detail() - describe a target in a few words
 * @type: type of the target
 * @params: parameters of the target
 * @buf: set to the text
 * @len: bytes of @buf
 * Return: @buf: "2 stripes of 64KiB", "read 10ms, write 20ms"; "" for unknown types.
 */
char *dm_table_detail(const char *type, const char *params, char *buf, size_t len);

/**
 * dm_status_leg() - find the state of one device in a target's status
 * @type: type of the target
 * @status: the target's line of DM_DEVICE_STATUS, or NULL
 * @ref: the device
 * Return: "active" or "failed" for a multipath path, "rebuilding" or "failed"
 * for a raid leg; NULL if the leg is in sync, or the status does not say.
 */
const char *dm_status_leg(const char *type, const char *status, const struct dm_ref *ref);

#endif
