// SPDX-License-Identifier: GPL-2.0
/*
 * Per-worker counters and histograms, and their form in the ABI.
 */
#include <linux/blkdev.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include "stats.h"

/**
 * blkgen_stats_alloc - make empty statistics
 * @node: NUMA node of the worker
 *
 * Returns NULL if there is no memory.
 */
struct blkgen_stats *blkgen_stats_alloc(int node)
{
	struct blkgen_stats *st;

	st = kvzalloc_node(sizeof(*st), GFP_KERNEL_ACCOUNT, node);
	if (st)
		st->lat_min = U64_MAX;

	return st;
}

/* Accepts NULL */
void blkgen_stats_free(struct blkgen_stats *st)
{
	kvfree(st);
}

/**
 * blkgen_stats_fail - count a failure
 * @st: of the worker and op
 * @status: not BLK_STS_OK
 */
void blkgen_stats_fail(struct blkgen_stats *st, blk_status_t status)
{
	st->errors++;
	st->status[min_t(u32, (__force u32)status, BLKGEN_NR_STATUS - 1)]++;
}

/* Add @count failures with errno @err, to the entry of that errno if there is one */
static void report_error(struct blkgen_result *res, u32 err, u64 count)
{
	u32 i;

	for (i = 0; i < res->nr_error; i++) {
		if (res->error[i].err == err)
			break;
	}
	if (i == BLKGEN_NR_ERRORS)
		i--;			/* can't be: there are not that many */
	else if (i == res->nr_error)
		res->nr_error++;
	res->error[i].err = err;
	res->error[i].count += count;
}

/**
 * blkgen_stats_report - fill in the numbers of a result
 * @st: of a worker and op; it may be running
 * @res: zeroed but for the caller's input
 *
 * Block status codes are the kernel's own and change; errnos do not.
 */
void blkgen_stats_report(const struct blkgen_stats *st, struct blkgen_result *res)
{
	u32 i;

	res->ios = READ_ONCE(st->ios);
	res->bytes = READ_ONCE(st->bytes);
	res->lat_sum = READ_ONCE(st->lat_sum);
	res->lat_min = READ_ONCE(st->lat_min);
	if (res->lat_min == U64_MAX)
		res->lat_min = 0;
	res->lat_max = READ_ONCE(st->lat_max);
	res->errors = READ_ONCE(st->errors);
	for (i = 0; i < BLKGEN_NR_STATUS; i++) {
		u64 count = READ_ONCE(st->status[i]);

		if (count)
			report_error(res, -blk_status_to_errno((__force blk_status_t)i),
				     count);
	}
}
