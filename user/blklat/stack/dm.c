// SPDX-License-Identifier: GPL-2.0
/* Make and remove dm devices. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <libdevmapper.h>
#include "blklat/stack/dm.h"
#include "device/topo.h"

static struct dm_task *new_task(int type, const char *name)
{
	struct dm_task *task = topo_dm_task(type);

	if (task && name && !dm_task_set_name(task, name)) {
		dm_task_destroy(task);
		return NULL;
	}
	return task;
}

/* Run a task, and wait until udev, if it runs, has handled the device. */
static int run_and_settle(struct dm_task *task)
{
	/* The system need not look for content on our devices. */
	const uint16_t flags = DM_UDEV_DISABLE_SUBSYSTEM_RULES_FLAG |
			       DM_UDEV_DISABLE_DISK_RULES_FLAG | DM_UDEV_DISABLE_OTHER_RULES_FLAG;
	uint32_t cookie = 0;
	int ret = 0;

	if (!dm_task_set_cookie(task, &cookie, flags))
		return -EIO;
	if (!dm_task_run(task))
		ret = -(dm_task_get_errno(task) ?: EIO);
	dm_udev_wait(cookie);
	dm_task_update_nodes();
	return ret;
}

/* Read a device's state, and its uuid if @uuid is given. Return: 0, -ENODEV (none) or -errno. */
static int get_info(const char *name, struct dm_info *info, char *uuid, size_t len)
{
	struct dm_task *task = new_task(DM_DEVICE_INFO, name);
	const char *text;
	int ret = -EIO;

	if (!task)
		return -ENOMEM;
	if (dm_task_run(task) && dm_task_get_info(task, info)) {
		ret = info->exists ? 0 : -ENODEV;
		text = dm_task_get_uuid(task);
		if (uuid)
			snprintf(uuid, len, "%s", text ? text : "");
	}
	dm_task_destroy(task);
	return ret;
}

dev_t dm_number(const char *name)
{
	struct dm_info info;

	return get_info(name, &info, NULL, 0) ? 0 : makedev(info.major, info.minor);
}

int dm_make(const char *name, const char *uuid, const char *target, uint64_t sectors,
	    const char *params, dev_t *dev)
{
	struct dm_task *task = new_task(DM_DEVICE_CREATE, name);
	int ret;

	if (!task)
		return -ENOMEM;
	/* Tables have keys: let the library wipe its copies. */
	if (!dm_task_set_uuid(task, uuid) || !dm_task_secure_data(task) ||
	    !dm_task_add_target(task, 0, sectors, target, params))
		ret = -ENOMEM;
	else
		ret = run_and_settle(task);
	dm_task_destroy(task);
	if (ret)
		return ret;
	*dev = dm_number(name);
	return *dev ? 0 : -ENODEV;
}

int dm_remove(const char *name, const char *uuid)
{
	struct dm_task *task;
	struct dm_info info;
	char has[160];
	int ret;

	ret = get_info(name, &info, has, sizeof(has));
	if (ret == -ENODEV || (!ret && strncmp(has, uuid, strlen(uuid))))
		return 0;
	if (ret)
		return ret;
	task = new_task(DM_DEVICE_REMOVE, name);
	if (!task)
		return -ENOMEM;
	dm_task_retry_remove(task);
	ret = run_and_settle(task);
	dm_task_destroy(task);
	return ret ?: 1;
}

int dm_each(const char *prefix, int (*fn)(const char *name, void *arg), void *arg)
{
	struct dm_task *task = new_task(DM_DEVICE_LIST, NULL);
	struct dm_names *names;
	int n = -EIO, ret = 0;

	if (!task)
		return -ENOMEM;
	names = dm_task_run(task) ? dm_task_get_names(task) : NULL;
	if (names)
		n = 0;
	while (names && names->dev) {
		if (!strncmp(names->name, prefix, strlen(prefix))) {
			n++;
			ret = fn ? fn(names->name, arg) : 0;
		}
		if (ret < 0 || !names->next)
			break;
		names = (struct dm_names *)((char *)names + names->next);
	}
	dm_task_destroy(task);
	return ret < 0 ? ret : n;
}

/* Replace each word @from of @params by @to. Return: a text to free with free(), or NULL. */
static char *replace_words(const char *params, const char *from, const char *to)
{
	char *out = calloc(1, strlen(params) * 4 + 1), *copy = strdup(params), *save, *word;

	if (!out || !copy || strlen(to) > 4 * strlen(from)) {
		free(out);
		free(copy);
		return NULL;
	}
	for (word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		if (*out)
			strcat(out, " ");
		strcat(out, strcmp(word, from) ? word : to);
	}
	free(copy);
	return out;
}

/* Copy the table of @table to @load, with device @to in the place of @from. */
static int copy_table(struct dm_task *table, struct dm_task *load, dev_t from, dev_t to)
{
	char was[32], is[32], *type, *params, *changed;
	uint64_t start, length;
	void *next = NULL;
	int ret = 0;

	snprintf(was, sizeof(was), "%u:%u", major(from), minor(from));
	snprintf(is, sizeof(is), "%u:%u", major(to), minor(to));
	do {
		next = dm_get_next_target(table, next, &start, &length, &type, &params);
		if (!type)
			return -ENODEV;
		changed = replace_words(params, was, is);
		if (!changed || !dm_task_add_target(load, start, length, type, changed))
			ret = -ENOMEM;
		free(changed);
	} while (next && !ret);
	return ret;
}

int dm_replace(const char *name, dev_t from, dev_t to)
{
	struct dm_task *table = new_task(DM_DEVICE_TABLE, name);
	struct dm_task *load = new_task(DM_DEVICE_RELOAD, name);
	struct dm_task *resume = new_task(DM_DEVICE_RESUME, name);
	int ret = -ENOMEM;

	if (table && load && resume)
		ret = dm_task_run(table) ? copy_table(table, load, from, to) : -EIO;
	if (!ret && !dm_task_run(load))
		ret = -(dm_task_get_errno(load) ?: EIO);
	/* To swap the tables, the kernel suspends an active device for a moment. */
	if (!ret)
		ret = run_and_settle(resume);
	if (table)
		dm_task_destroy(table);
	if (load)
		dm_task_destroy(load);
	if (resume)
		dm_task_destroy(resume);
	return ret;
}
