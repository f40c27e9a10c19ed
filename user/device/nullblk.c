// SPDX-License-Identifier: GPL-2.0
/* Make and remove null_blk devices through configfs. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include "device/device.h"
#include "device/module.h"
#include "device/nullblk.h"

#define CONFIGFS	"/sys/kernel/config"

bool nullblk_loaded(void)
{
	return !access("/sys/module/null_blk", F_OK);
}

int nullblk_load(char *why, size_t len)
{
	char said[200] = "";

	if (geteuid()) {
		snprintf(why, len, "making a null_blk device needs root");
		return -EPERM;
	}
	/* Without nr_devices=0 the module makes a nullb0 that nobody asked for. */
	if (!nullblk_loaded() && load_module("null_blk", "nr_devices=0", said, sizeof(said))) {
		snprintf(why, len, "%s", *said ? said : "null_blk cannot be loaded");
		return -ENOENT;
	}
	if (access(CONFIGFS "/nullb", F_OK) &&
	    mount("configfs", CONFIGFS, "configfs", 0, NULL) && errno != EBUSY) {
		snprintf(why, len, CONFIGFS ": cannot mount: %s", strerror(errno));
		return -errno;
	}
	if (access(CONFIGFS "/nullb", F_OK)) {
		snprintf(why, len, "this null_blk has no configfs");
		return -ENOENT;
	}
	return 0;
}

static int configure(const char *dir, const struct nullblk *what)
{
	const struct {
		const char *name;
		unsigned int value;
	} attrs[] = {
		{ "size", what->size_mb ?: NULLBLK_SIZE_MB }, { "blocksize", 512 },
		{ "queue_mode", 2 },
		{ "irqmode", 0 }, { "memory_backed", what->memory },
		{ "submit_queues", what->queues }, { "hw_queue_depth", what->depth },
		{ "power", 1 },
	};
	char value[16];
	size_t i;
	int ret;

	for (i = 0; i < sizeof(attrs) / sizeof(*attrs); i++) {
		snprintf(value, sizeof(value), "%u", attrs[i].value);
		ret = sys_write(dir, attrs[i].name, value);
		if (ret)
			return ret;
	}
	return 0;
}

static void item_dir(const char *item, char *dir, size_t len)
{
	snprintf(dir, len, CONFIGFS "/nullb/%s", item);
}

bool nullblk_there(const char *item)
{
	char dir[128];

	item_dir(item, dir, sizeof(dir));
	return !access(dir, F_OK);
}

int nullblk_free(const char *item)
{
	char dir[128];

	item_dir(item, dir, sizeof(dir));
	if (access(dir, F_OK))
		return 0;
	sys_write(dir, "power", "0");
	return rmdir(dir) ? -errno : 0;
}

int nullblk_make(const char *item, const struct nullblk *what, char *name, char *why, size_t len)
{
	char dir[128], sys[128];
	int ret;

	item_dir(item, dir, sizeof(dir));
	if (mkdir(dir, 0755)) {
		snprintf(why, len, "%s: cannot make: %s", dir, strerror(errno));
		return -errno;
	}
	ret = configure(dir, what);
	if (ret) {
		nullblk_free(item);
		snprintf(why, len, "cannot set up a null_blk device: %s", strerror(-ret));
		return ret;
	}
	/* Newer kernels name the disk after the item, older ones by index. */
	snprintf(name, DEV_NAME, "%s", item);
	snprintf(sys, sizeof(sys), "/sys/block/%s", item);
	if (access(sys, F_OK))
		snprintf(name, DEV_NAME, "nullb%u", (unsigned int)sys_num(dir, "index"));
	return 0;
}
