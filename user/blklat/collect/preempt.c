// SPDX-License-Identifier: GPL-2.0
/* Find out whether the kernel preempts tasks that run in it. */
#include <string.h>
#include <sys/utsname.h>
#include "blklat/collect/preempt.h"
#include "device/device.h"

bool kernel_preempts(void)
{
	struct utsname kernel;
	char modes[64];

	/* All modes of this kernel, with the current one in brackets */
	if (!sys_read("/sys/kernel/debug/sched", "preempt", modes, sizeof(modes)))
		return strstr(modes, "(full)") || strstr(modes, "(lazy)");
	/*
	 * A kernel that cannot change its mode has no such file. Without debugfs the mode of one
	 * with PREEMPT_DYNAMIC is not known.
	 */
	return uname(&kernel) || strstr(kernel.version, "PREEMPT");
}
