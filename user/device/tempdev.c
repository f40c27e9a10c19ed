// SPDX-License-Identifier: GPL-2.0
/* Make temporary null_blk devices, which a keeper process removes. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "core/log.h"
#include "device/keeper.h"
#include "device/module.h"
#include "device/nullblk.h"
#include "device/tempdev.h"

/* This process shares this memory with the keeper, which makes the device and removes it. */
struct tempdev_work {
	unsigned int queues, depth;
	bool loaded;		/* the keeper loaded null_blk, and so unloads it */
	char item[32];		/* name in configfs; "": no device was made */
	int error;
	char name[DEV_NAME];
	char text[300];
};

static int fail(struct tempdev_work *w, int error, const char *fmt, ...) __printf(3, 4);
static int fail(struct tempdev_work *w, int error, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(w->text, sizeof(w->text), fmt, ap);
	va_end(ap);
	w->error = error;
	return error;
}

/* begin() and end() run in the keeper. */
static void begin(void *arg)
{
	struct tempdev_work *w = arg;
	const struct nullblk what = { .queues = w->queues, .depth = w->depth };
	char why[sizeof(w->text) - 64], item[sizeof(w->item)];
	int ret;

	w->loaded = !nullblk_loaded();
	ret = nullblk_load(why, sizeof(why));
	if (ret) {
		w->loaded &= nullblk_loaded();
		fail(w, ret, "cannot make a temporary device, so name a device: %s", why);
		return;
	}
	snprintf(item, sizeof(item), "nullb_blkgen%d", getpid());
	ret = nullblk_make(item, &what, w->name, why, sizeof(why));
	if (ret) {
		fail(w, ret, "%s", why);
		return;
	}
	memcpy(w->item, item, sizeof(item));
	w->error = 0;
}

static int end(void *arg)
{
	struct tempdev_work *w = arg;

	if (*w->item)
		nullblk_free(w->item);
	/* If others have begun to use the module, it stays. */
	if (w->loaded)
		unload_module("null_blk");
	return 0;
}

static int make(struct tempdev *t, struct tempdev_work *w)
{
	const struct keeper_task task = { .begin = begin, .end = end, .arg = w };
	int ret = keeper_start(&t->keeper, &task);

	if (ret)
		return ret;
	if (!w->error) {
		snprintf(t->name, sizeof(t->name), "%s", w->name);
		return 0;
	}
	tempdev_destroy(t);
	return err(w->error, "%s", w->text);
}

int tempdev_create(struct tempdev *t, unsigned int queues, unsigned int depth)
{
	struct tempdev_work *w = mmap(NULL, sizeof(*w), PROT_READ | PROT_WRITE,
				      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int ret;

	if (w == MAP_FAILED)
		return err(-ENOMEM, "out of memory");
	w->queues = queues;
	w->depth = depth;
	/* If the keeper dies before begin() sets the result, this error is the result. */
	fail(w, -EAGAIN, "the process that keeps the temporary device has ended");
	ret = make(t, w);
	/* The keeper has its own mapping of this memory. */
	munmap(w, sizeof(*w));
	return ret;
}

void tempdev_destroy(struct tempdev *t)
{
	keeper_end(&t->keeper);
}
