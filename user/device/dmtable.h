/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_DMTABLE_H
#define BLKLAT_DMTABLE_H

#include <stddef.h>
#include <sys/types.h>

/*
 * The texts of device-mapper tables, as the kernel writes them: one line of
 * parameters per target, devices in it as "8:16". Pure text work.
 */

#define DM_ROLE 48

/**
 * struct dm_ref - a device that a target's parameters name
 * @dev: its number
 * @leg: number of the leg or path, -1 when it is none or has no number
 * @role: "leg 0", "path 1", "metadata 0", "log", "cow"...; "" when the target
 *	has nothing to tell its devices apart by
 */
struct dm_ref {
	dev_t dev;
	int leg;
	char role[DM_ROLE];
};

/**
 * dm_table_refs() - call @fn for each device that @params names, in their order
 * @type: of the target ("striped")
 * Return: how often it was called.
 */
size_t dm_table_refs(const char *type, const char *params,
		     void (*fn)(const struct dm_ref *ref, void *arg), void *arg);

/**
 * dm_table_hide_keys() - overwrite keys that encrypt data with zeros
 * @params: changed in place. Names of keys in the kernel's key ring stay.
 */
void dm_table_hide_keys(const char *type, char *params);

/**
 * dm_table_detail() - what matters of a target in a few words
 * Return: @buf: "2 stripes of 64KiB", "read 10ms, write 20ms"; "" for unknown types.
 */
char *dm_table_detail(const char *type, const char *params, char *buf, size_t len);

/**
 * dm_status_leg() - what a target's status says of one of its devices
 * @status: the target's line of DM_DEVICE_STATUS
 * Return: "active" or "failed" of a multipath path, "rebuilding" or "failed"
 * of a raid leg, NULL when there is nothing to say.
 */
const char *dm_status_leg(const char *type, const char *status, const struct dm_ref *ref);

#endif
