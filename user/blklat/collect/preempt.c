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

	/* The file lists all modes of this kernel; the current one is in parentheses. */
	if (!sys_read("/sys/kernel/debug/sched", "preempt", modes, sizeof(modes)))
		return strstr(modes, "(full)") || strstr(modes, "(lazy)");
	/*
	 * There is no such file if the kernel cannot change its mode, or without debugfs. Then
	 * expect preemption if the kernel's version says PREEMPT, also as in PREEMPT_DYNAMIC.
	 */
	return uname(&kernel) || strstr(kernel.version, "PREEMPT");
}
