// SPDX-License-Identifier: GPL-2.0
/* Help to build a layer: make null_blk devices, measure the legs, find the new device. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
#include "core/log.h"
#include "device/nullblk.h"
#include "blklat/stack/build.h"

#define DEPTH		256u	/* requests per queue of temporary legs */
#define MAX_QUEUES	64
#define MIB		(1024 * 1024)

int build_null_blk(struct journal *j, unsigned int seq, unsigned int nr, uint64_t size, bool memory,
		   struct device *d)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	const struct nullblk what = {
		.queues = cpus < 1 ? 1 : cpus > MAX_QUEUES ? MAX_QUEUES : cpus,
		.depth = DEPTH, .memory = memory, .size_mb = size / MIB,
	};
	char item[40], name[DEV_NAME], why[200], dir[600];
	int ret;

	snprintf(item, sizeof(item), "nullb_blklat%s_%u%c%u", j->id, seq, memory ? 'm' : 'd', nr);
	ret = journal_write(j, "nullb %s", item);
	if (ret)
		return ret;
	ret = nullblk_make(item, &what, name, why, sizeof(why));
	if (ret)
		return err(ret, "%s", why);
	ret = device_resolve(name, d);
	if (ret)
		return ret;
	/* The layer is what we measure: keep the system's preferred scheduler out of it. */
	snprintf(dir, sizeof(dir), "%s/queue", d->disk_sys);
	sys_write(dir, "scheduler", "none");
	device_facts(d);
	return 0;
}

int build_result(struct stack_build *b, dev_t dev)
{
	if (!dev || device_from_dev(dev, &b->out))
		return err(-ENODEV, "%s: was made, but its device cannot be found",
			   b->type->about.name);
	if (access(b->out.path, F_OK))
		return err(-ENOENT, "%s: was made, but there is no %s", b->type->about.name,
			   b->out.path);
	device_facts(&b->out);
	return 0;
}

uint64_t build_smallest(const struct stack_build *b)
{
	uint64_t size = b->legs[0].size;
	size_t i;

	for (i = 1; i < b->nlegs; i++)
		if (b->legs[i].size < size)
			size = b->legs[i].size;
	return size;
}
