// SPDX-License-Identifier: GPL-2.0
/*
 * Keep the counters and histograms of a worker, and convert them to the form of the ABI.
 */
#include <linux/blkdev.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "stats.h"

static struct blkgen_hist *hist_alloc(unsigned int bits, int node)
{
	u32 nr = LOGLIN_BUCKETS(BLKGEN_HIST_ORDER, bits);
	struct blkgen_hist *h;

	h = kvzalloc_node(struct_size(h, bucket, nr), GFP_KERNEL_ACCOUNT, node);
	if (!h)
		return NULL;
	h->min = U64_MAX;
	h->bits = bits;
	h->nr = nr;

	return h;
}

/**
 * blkgen_stats_alloc() - allocate empty statistics
 * @bits: log2 of the buckets per power of two, for the latencies
 * @service: true to count service times, too
 * @node: NUMA node of the worker
 *
 * Context: process, sleeps
 * Return: the statistics, or NULL if there is no memory
 */
struct blkgen_stats *blkgen_stats_alloc(unsigned int bits, bool service, int node)
{
	struct blkgen_stats *st;

	st = kzalloc_node(sizeof(*st), GFP_KERNEL_ACCOUNT, node);
	if (!st)
		return NULL;
	st->lat = hist_alloc(bits, node);
	if (service)
		st->service = hist_alloc(BLKGEN_HIST_COARSE, node);
	if (!st->lat || (service && !st->service)) {
		blkgen_stats_free(st);
		return NULL;
	}

	return st;
}

/**
 * blkgen_stats_free() - free statistics
 * @st: statistics from blkgen_stats_alloc(), or NULL
 */
void blkgen_stats_free(struct blkgen_stats *st)
{
	if (!st)
		return;
	kvfree(st->lat);
	kvfree(st->service);
	kfree(st);
}

/**
 * blkgen_hist_wrap() - note that a counter has reached 2^32 and is 0 again
 * @h: histogram
 * @bucket: bucket of the counter
 */
void blkgen_hist_wrap(struct blkgen_hist *h, u32 bucket)
{
	unsigned int i;

	/*
	 * To fill the list, a worker has to do 64 * 2^32 I/Os, which takes three days at a million
	 * I/Os a second. Then the last entry counts the overflows of all further buckets.
	 */
	for (i = 0; i < BLKGEN_NR_WRAPS - 1; i++) {
		if (!h->wrapped[i].times || h->wrapped[i].bucket == bucket)
			break;
	}
	WRITE_ONCE(h->wrapped[i].bucket, bucket);
	/* A reader that sees the number also sees the bucket */
	smp_store_release(&h->wrapped[i].times, h->wrapped[i].times + 1);
}

/**
 * blkgen_stats_fail() - count a failed I/O
 * @st: statistics of the worker and op
 * @status: status of the I/O, not BLK_STS_OK
 */
void blkgen_stats_fail(struct blkgen_stats *st, blk_status_t status)
{
	st->errors++;
	st->status[min_t(u32, (__force u32)status, BLKGEN_NR_STATUS - 1)]++;
}

/* Add @count failures with errno @err to the result, in the entry of that errno if there is one */
static void report_error(struct blkgen_result *res, u32 err, u64 count)
{
	u32 i;

	for (i = 0; i < res->nr_error; i++) {
		if (res->error[i].err == err)
			break;
	}
	/* If no entry is free, the last one takes the rest. No device returns so many errnos. */
	if (i == BLKGEN_NR_ERRORS)
		i--;
	else
		res->error[i].err = err;
	if (i == res->nr_error)
		res->nr_error++;
	res->error[i].count += count;
}

/**
 * blkgen_stats_report() - add the counters of an op or stream to a result
 * @st: statistics of a worker, which may be running
 * @res: result
 *
 * The result has errnos, because block status codes are internal to the kernel and may change.
 */
void blkgen_stats_report(const struct blkgen_stats *st, struct blkgen_result *res)
{
	u32 i;

	res->ios += READ_ONCE(st->ios);
	res->bytes += READ_ONCE(st->bytes);
	res->errors += READ_ONCE(st->errors);
	res->mismatches += READ_ONCE(st->mismatches);
	for (i = 0; i < BLKGEN_NR_STATUS; i++) {
		u64 count = READ_ONCE(st->status[i]);

		if (count)
			report_error(res, -blk_status_to_errno((__force blk_status_t)i),
				     count);
	}
}

/**
 * blkgen_hist_report() - add a histogram to a result
 * @h: histogram of a worker, which may be running
 * @res: result; lat_min is U64_MAX if the result has no times yet
 * @buckets: array of BLKGEN_HIST_BUCKETS counters, or NULL
 */
void blkgen_hist_report(const struct blkgen_hist *h, struct blkgen_result *res, u64 *buckets)
{
	u32 i, times;

	if (check_add_overflow(res->lat_sum, READ_ONCE(h->sum), &res->lat_sum))
		res->lat_sum = U64_MAX;
	res->lat_min = min(res->lat_min, READ_ONCE(h->min));
	res->lat_max = max(res->lat_max, READ_ONCE(h->max));
	if (!buckets)
		return;
	for (i = 0; i < h->nr; i++)
		buckets[i] += READ_ONCE(h->bucket[i]);
	for (i = 0; i < BLKGEN_NR_WRAPS; i++) {
		/* This pairs with the store in blkgen_hist_wrap() */
		times = smp_load_acquire(&h->wrapped[i].times);
		if (!times)
			break;
		buckets[READ_ONCE(h->wrapped[i].bucket)] += (u64)times << 32;
	}
}
