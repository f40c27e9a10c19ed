// SPDX-License-Identifier: GPL-2.0
/*
 * The counter of the clock source can be read together with the time of a chosen clock.
 * exports: ktime_get_snapshot_id
 */
#include <linux/ktime.h>

u64 probe(void);
u64 probe(void)
{
	struct system_time_snapshot snap;

	ktime_get_snapshot_id(CLOCK_MONOTONIC, &snap);

	return snap.cycles;
}
