// SPDX-License-Identifier: GPL-2.0
/*
 * Load and unload blkgen, the module that makes load on block devices inside the kernel.
 */
#include <linux/module.h>
#include <linux/rcupdate.h>
#include "ctl.h"
#include "pacing.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/*
 * The counters are u64, and other threads read them without locks while a worker writes them: a
 * 32-bit CPU could read half of an old and half of a new value.
 */
#ifndef CONFIG_64BIT
#error blkgen needs a 64-bit kernel
#endif

static int __init blkgen_init(void)
{
	blkgen_pacing_init();

	return blkgen_ctl_init();
}

/* Sessions hold a reference to the module: here no session is open, and so there is no job */
static void __exit blkgen_exit(void)
{
	blkgen_ctl_exit();
	/*
	 * A task that completed the last I/O, such as a worker of dm-crypt, may have been preempted
	 * on its way out of bi_end_io. Wait until no task is left in the text of this module.
	 */
	synchronize_rcu_tasks();
}

module_init(blkgen_init);
module_exit(blkgen_exit);

MODULE_DESCRIPTION("Block I/O load generator");
MODULE_LICENSE("GPL");
MODULE_VERSION(BLKGEN_VERSION);
