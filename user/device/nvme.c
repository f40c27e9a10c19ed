// SPDX-License-Identifier: GPL-2.0
/* Ask the NVMe device itself. Only this file uses libnvme. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libnvme.h>
#include "device/nvme_log.h"

static int identify_ns(const struct device *d, struct nvme_id_ns *ns)
{
	int fd = open(d->path, O_RDONLY | O_CLOEXEC);
	__u32 nsid;
	int ret;

	if (fd < 0)
		return -errno;
	ret = nvme_get_nsid(fd, &nsid) ? -errno : 0;
	/* nvme_identify_ns() may also return an NVMe status, above 0. */
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

/* Convert a result of libnvme to -errno, or an NVMe status above 0. */
static int result(int ret)
{
	return ret < 0 ? -errno : ret;
}

int device_nvme_identify(int fd, uint32_t nsid, struct nvmelog_source *s)
{
	struct nvme_id_ctrl *ctrl = aligned_alloc(4096, 4096);
	struct nvme_id_ns *ns = aligned_alloc(4096, 4096);
	int ret = -ENOMEM;

	_Static_assert(sizeof(*ctrl) <= 4096 && sizeof(*ns) <= 4096, "a page each");
	if (!ctrl || !ns)
		goto out;
	ret = result(nvme_identify_ctrl(fd, ctrl));
	if (ret)
		goto out;
	s->vendor = le16toh(ctrl->vid);
	s->fdp = le32toh(ctrl->ctratt) & 1 << 19;
	s->lists_pages = ctrl->lpa & 1 << 5;
	/* Endurance groups are optional: go on without the group if identify fails. */
	if (s->fdp && nsid && !nvme_identify_ns(fd, nsid, ns))
		s->group = le16toh(ns->endgid);
out:
	free(ctrl);
	free(ns);
	return ret;
}

int device_nvme_log(int fd, unsigned int lid, unsigned int specific, void *data, size_t len)
{
	struct nvme_get_log_args args = {
		.args_size = sizeof(args),
		.fd = fd,
		.lid = lid,
		.lsi = specific,
		.nsid = specific ? NVME_NSID_NONE : NVME_NSID_ALL,
		.csi = NVME_CSI_NVM,
		.log = data,
		.len = len,
	};

	return result(nvme_get_log(&args));
}
