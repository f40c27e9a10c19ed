// SPDX-License-Identifier: GPL-2.0
/* What only the NVMe device itself can say. The one file that knows libnvme. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libnvme.h>
#include "device/device.h"

static int identify_ns(const struct device *d, struct nvme_id_ns *ns)
{
	int fd = open(d->path, O_RDONLY | O_CLOEXEC);
	__u32 nsid;
	int ret;

	if (fd < 0)
		return -errno;
	ret = nvme_get_nsid(fd, &nsid) ? -errno : 0;
	/* Above 0 is an NVMe status. */
	if (!ret && nvme_identify_ns(fd, nsid, ns))
		ret = -EIO;
	close(fd);
	return ret;
}

int device_nvme_facts(struct device *d)
{
	struct nvme_id_ns *ns;
	struct nvme_lbaf *f;
	unsigned int index;
	int n, ret;

	ns = aligned_alloc(4096, sizeof(*ns) > 4096 ? 8192 : 4096);
	if (!ns)
		return -ENOMEM;
	ret = identify_ns(d, ns);
	if (ret)
		goto out;
	/* Bits 6:5 are the upper bits of the index since NVMe 2.0. */
	index = (ns->flbas & 0xf) | (ns->flbas >> 1 & 0x30);
	f = &ns->lbaf[index];
	if (index >= sizeof(ns->lbaf) / sizeof(*ns->lbaf) || f->ds < 9 || f->ds > 31)
		goto out;
	n = snprintf(d->lba_format, sizeof(d->lba_format), "%u", 1u << f->ds);
	if (f->ms)
		n += snprintf(d->lba_format + n, sizeof(d->lba_format) - n, " + %u metadata%s",
			      le16toh(f->ms), ns->flbas & 0x10 ? " (extended)" : "");
	snprintf(d->lba_format + n, sizeof(d->lba_format) - n, ", format %u of %u", index,
		 ns->nlbaf + 1u);
out:
	free(ns);
	return ret;
}
