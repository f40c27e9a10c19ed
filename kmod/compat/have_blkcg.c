// SPDX-License-Identifier: GPL-2.0
/*
 * A kthread can charge its bios to the io cgroup of another task.
 * exports: kthread_associate_blkcg
 */
#include <linux/cgroup.h>
#include <linux/kthread.h>
#include <linux/sched.h>

#ifndef CONFIG_BLK_CGROUP
#error there are no io cgroups
#endif

void probe(void);
void probe(void)
{
	struct cgroup_subsys_state *css = task_get_css(current, io_cgrp_id);

	kthread_associate_blkcg(css);
	css_put(css);
}
