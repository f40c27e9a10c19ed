// SPDX-License-Identifier: GPL-2.0
/*
 * Read the types of the running kernel, only once because they are megabytes, and choose which
 * messages of libbpf are printed.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <bpf/libbpf.h>
#include "blklat/collect/kernel_btf.h"
#include "core/log.h"
#include "core/text.h"
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

static int print_libbpf(enum libbpf_print_level level, const char *fmt, va_list args)
{
	if (log_level() < 2 || level == LIBBPF_DEBUG)
		return 0;
	text_vprintf(stderr, fmt, args);
	return 0;
}

void libbpf_follow_log(void)
{
	libbpf_set_print(print_libbpf);
}
