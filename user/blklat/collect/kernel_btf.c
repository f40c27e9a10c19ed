// SPDX-License-Identifier: GPL-2.0
/* Read the types of the running kernel, only once because they are megabytes. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "blklat/collect/kernel_btf.h"
#include "core/log.h"
#include "device/device.h"

struct btf *kernel_btf(int *error)
{
	static struct btf *btf;

	if (btf)
		return btf;
	*error = sys_check();
	if (*error)
		return NULL;
	if (access("/sys/kernel/btf/vmlinux", F_OK)) {
		*error = err(-ENOENT, "nothing can be traced: this kernel has no BTF "
			     "(CONFIG_DEBUG_INFO_BTF)");
		return NULL;
	}
	btf = btf__load_vmlinux_btf();
	if (!btf)
		*error = err(-errno, "cannot read the kernel's BTF: %s", strerror(errno));
	return btf;
}
