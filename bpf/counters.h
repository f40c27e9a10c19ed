/* SPDX-License-Identifier: GPL-2.0 */
/* Define the ledger of a device, and the count of the I/Os that a layer made for itself. */
#ifndef BLKLAT_COUNTERS_H
#define BLKLAT_COUNTERS_H

#include <linux/types.h>
#include "config.h"
#include "stages.h"

/*
 * COUNTER(id, key, what) is a counter in the ledger of a device. In each ledger, started is
 * completed + in flight + the sum of the lost_* counters.
 */
#define BLKLAT_COUNTERS(COUNTER) \
	COUNTER(STARTED, "started", "I/Os queued while tracing") \
	COUNTER(COMPLETED, "completed", "I/Os whose end was seen") \
	COUNTER(LOST_FULL, "lost_full", "no free slot at the start") \
	COUNTER(LOST_END, "lost_end", "the end was missed") \
	COUNTER(LOST_QUEUE, "lost_queue", "the start was missed") \
	COUNTER(BEFORE, "before_attach", "I/Os begun before the trace") \
	COUNTER(ERRORS, "errors", "requests that failed") \
	COUNTER(RQ_ISSUED, "rq_issued", "requests issued, requeues included") \
	COUNTER(RQ_READS, "rq_reads", "read requests completed") \
	COUNTER(RQ_WRITES, "rq_writes", "write requests completed") \
	COUNTER(RQ_DISCARDS, "rq_discards", "discard requests completed") \
	COUNTER(RQ_FLUSHES, "rq_flushes", "flush requests completed") \
	COUNTER(RQ_PASSTHROUGH, "rq_passthrough", "passthrough requests completed") \
	COUNTER(RETRIED, "retried", "I/Os refused with EAGAIN, which may be submitted again") \
	COUNTER(REQUEUES, "requeues", "requests sent back by the driver") \
	COUNTER(PARTIAL, "partial", "completions of a part of a request") \
	COUNTER(MERGES, "merges", "bios merged into a request") \
	COUNTER(RQ_MERGES, "rq_merges", "requests merged into another") \
	COUNTER(SPLITS, "splits", "bios split") \
	COUNTER(POLLED, "polled", "completions without an interrupt") \
	COUNTER(BYTES, "bytes", "bytes of the started I/Os") \
	COUNTER(INFLIGHT, "inflight", "I/Os under way now") \
	COUNTER(INFLIGHT_MAX, "inflight_max", "most I/Os under way at once") \
	COUNTER(LINKED, "linked", "I/Os made for one of the layer above") \
	COUNTER(CRITICAL, "critical", "of these, the ones that ended last for their I/O above") \
	COUNTER(PARENTS, "parents", "I/Os of a layer that made others below") \
	COUNTER(CHILDREN, "children", "I/Os below that were made for them") \
	COUNTER(CHILD_BYTES, "child_bytes", "bytes of those") \
	COUNTER(EVENTS_LOST, "events_lost", \
		"records of single I/Os for which the ring had no room") \
	COUNTER(DISORDER, "disorder", "marks dropped because they were out of order") \
	COUNTER(CHECKED, "checked", "I/Os whose sum of stages was verified") \
	COUNTER(CHECK_FAILED, "check_failed", "I/Os whose stages did not sum to the total")

enum blklat_counter {
#define COUNTER(id, key, doc) COUNT_##id,
	BLKLAT_COUNTERS(COUNTER)
#undef COUNTER
	NR_COUNTERS
};

/* This counts the I/Os of one kind, and their bytes. */
struct blklat_flow {
	__u64 ios;
	__u64 bytes;
};

/**
 * struct blklat_ledger - the counters of one device
 * @n: the counters. The programs do not count what user space can compute: BYTES is the sum over
 *	@op, COMPLETED the number of samples of SPAN_TOTAL; LINKED, CRITICAL, CHILDREN and
 *	CHILD_BYTES are sums over the edges, and PARENTS counts first children. User space also
 *	counts the requests whose marks are in an I/O (RQ_HERE). n[RQ_ISSUED] of the programs is
 *	issued minus completed requests, and may be negative.
 * @op: I/Os queued while tracing, per kind; the programs count here only I/Os that got no slot
 */
struct blklat_ledger {
	__u64 n[NR_COUNTERS];
	struct blklat_flow op[NR_OPS];
};

/**
 * struct blklat_end - the bios of one device that one function completes and that were made for
 *	no single I/O above
 * @end_io: address of the function, 0 if this entry is not used
 * @count: number of such I/Os
 */
struct blklat_end {
	__u64 end_io;
	__u64 count;
};

/* Each device has this many struct blklat_end, which follow one another in ends[]. */
#define BLKLAT_ENDS 8

#endif /* BLKLAT_COUNTERS_H */
