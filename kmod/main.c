// SPDX-License-Identifier: GPL-2.0
/*
 * blkgen: load on block devices, made inside the kernel.
 */
#include <linux/module.h>
#include <linux/rcupdate.h>
#include "ctl.h"
#include "pacing.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/* Counters are u64, and read while they are written */
#ifndef CONFIG_64BIT
#error blkgen needs a 64-bit kernel
#endif

static int __init blkgen_init(void)
{
	blkgen_pacing_init();

	return blkgen_ctl_init();
}

/* No session is open, so no job is there: they hold the module */
static void __exit blkgen_exit(void)
{
	blkgen_ctl_exit();
}

module_init(blkgen_init);
module_exit(blkgen_exit);

MODULE_DESCRIPTION("Block I/O load generator");
MODULE_LICENSE("GPL");
