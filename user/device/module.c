// SPDX-License-Identifier: GPL-2.0
/* Load and unload kernel modules. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "core/child.h"
#include "device/module.h"

/* Try this many times: a module that was traced stays in use for a moment after tracing. */
#define UNLOAD_TRIES	5
#define UNLOAD_PAUSE	200000000

int unload_module(const char *name)
{
	const char *const argv[] = { "modprobe", "-q", "-r", name, NULL };
	struct child_opts opts = { .argv = argv, .in = CHILD_OURS, .sbin = true };
	const struct timespec pause = { .tv_nsec = UNLOAD_PAUSE };
	char said[200];
	int ret = 0;

	for (int i = 0; i < UNLOAD_TRIES; i++) {
		ret = child_hear(&opts, said, sizeof(said));
		if (ret <= 0)
			break;
		nanosleep(&pause, NULL);
	}
	return ret > 0 ? -EBUSY : ret;
}

int load_module(const char *name, const char *param, char *why, size_t len)
{
	/* BLKGEN_KO names a module that is built and not installed. */
	const char *ko = strcmp(name, "blkgen") ? NULL : getenv("BLKGEN_KO");
	const char *const insmod[] = { "insmod", ko, NULL };
	const char *const modprobe[] = { "modprobe", name, param, NULL };
	struct child_opts opts = { .argv = ko ? insmod : modprobe, .in = CHILD_OURS, .sbin = true };
	int ret = child_hear(&opts, why, len);

	if (ret == -ENOENT)
		snprintf(why, len, "%s is not installed", opts.argv[0]);
	else if (ret < 0)
		snprintf(why, len, "%s: %s", opts.argv[0], strerror(-ret));
	why[strcspn(why, "\n")] = '\0';
	return ret ? -ENOENT : 0;
}
