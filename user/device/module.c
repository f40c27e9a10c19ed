// SPDX-License-Identifier: GPL-2.0
/* Load kernel modules. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/child.h"
#include "device/module.h"

int load_module(const char *name, const char *param, char *why, size_t len)
{
	/* BLKGEN_KO: a module that is built and not installed. */
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
