/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM blkgen

#if !defined(_BLKGEN_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _BLKGEN_TRACE_H

#include <linux/blk_types.h>
#include <linux/tracepoint.h>

/*
 * Tracers attach to these events by name, as raw tracepoints: argument 0 is the bio. The next I/O
 * of a slot uses the same bio address again.
 */
DECLARE_EVENT_CLASS(blkgen_bio,
	TP_PROTO(struct bio *bio),
	TP_ARGS(bio),
	TP_STRUCT__entry(
		__field(void *, bio)
		__field(dev_t, dev)
		__field(u64, sector)
		__field(u32, bytes)
		__field(u32, op)
		__field(u32, status)
	),
	TP_fast_assign(
		__entry->bio = bio;
		__entry->dev = bio->bi_bdev->bd_dev;
		__entry->sector = bio->bi_iter.bi_sector;
		__entry->bytes = bio->bi_iter.bi_size;
		__entry->op = (__force u32)(bio->bi_opf & REQ_OP_MASK);
		__entry->status = (__force u32)bio->bi_status;
	),
	TP_printk("%d,%d bio=%p op=%u sector=%llu bytes=%u status=%u",
		  MAJOR(__entry->dev), MINOR(__entry->dev), __entry->bio, __entry->op,
		  __entry->sector, __entry->bytes, __entry->status)
);

/* A worker begins an I/O: submit_bio() is called next */
DEFINE_EVENT(blkgen_bio, blkgen_submit,
	TP_PROTO(struct bio *bio),
	TP_ARGS(bio)
);

/*
 * An I/O has completed: the worker is told next, and may reuse the bio. The driver may have changed
 * the bio's sector and bytes.
 */
DEFINE_EVENT(blkgen_bio, blkgen_complete,
	TP_PROTO(struct bio *bio),
	TP_ARGS(bio)
);

#endif /* _BLKGEN_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
