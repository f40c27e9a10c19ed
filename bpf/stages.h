/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Define the marks and stages of the stage model. The BPF programs, the reports and the
 * documentation take all names from these tables.
 *
 * A mark is a moment in the life of an I/O, a stage is the gap between two marks. The enum of the
 * marks has the order of time: io_event_decode() walks the marks from first to last and charges
 * each gap to the stage that stage_of_gap[][] names (user/core/io_event.c), so the stages of one
 * I/O add up to its total by construction.
 */
#ifndef BLKLAT_STAGES_H
#define BLKLAT_STAGES_H

/* MARK(id, letter, what happens) is a mark. The marks are in the order of time. */
#define BLKLAT_MARKS(MARK) \
	MARK(E, "E", "the submitting task entered the kernel for this I/O") \
	MARK(T, "T", "blk-throttle looked at the bio, in a cgroup with limits") \
	MARK(Q, "Q", "the bio was queued at the device (block_bio_queue)") \
	MARK(G, "G", "a request was allocated for it, or it merged into one") \
	MARK(P, "P", "the task began to flush the plug in which the request was") \
	MARK(R, "R", "first hand-over to the driver, where a requeue followed") \
	MARK(X, "X", "the driver was handed the request (queue_rq entered)") \
	MARK(D, "D", "block_rq_issue, a boundary only where X is not known") \
	MARK(B, "B", "the driver has rung the doorbell (queue_rq returned)") \
	MARK(H, "H", "interrupt entry, or the driver's reaping (V) when polled") \
	MARK(C, "C", "the request completed (block_rq_complete)") \
	MARK(F, "F", "the flush sequence around the data completed") \
	MARK(Z, "Z", "the bio's end_io ran (bio_endio)") \
	MARK(W, "W", "the submitter was told")

enum blklat_mark {
#define MARK(id, letter, doc) MARK_##id,
	BLKLAT_MARKS(MARK)
#undef MARK
	NR_MARKS
};

/* GROUP(id, name) is a group of stages. The groups are in the order of the report. */
#define BLKLAT_GROUPS(GROUP) \
	GROUP(APP, "app") \
	GROUP(KERNEL, "kernel") \
	GROUP(DRIVER, "driver") \
	GROUP(DEVICE, "device") \
	GROUP(KERNEL_DRIVER, "kernel+driver") \
	GROUP(DRIVER_DEVICE, "driver+device") \
	GROUP(MERGED, "kernel+driver+device") \
	GROUP(UNATTRIBUTED, "unattributed")

enum blklat_group {
#define GROUP(id, name) GROUP_##id,
	BLKLAT_GROUPS(GROUP)
#undef GROUP
	NR_GROUPS
};

/*
 * STAGE(id, name, group, what the time goes into) is a stage. The stages are in the order of the
 * report. A name with '+' is a merged stage: the mark between its parts is missing on this kernel,
 * on this device or for this I/O.
 */
#define BLKLAT_STAGES(STAGE) \
	STAGE(THINK, "think", APP, \
	      "the task outside I/O syscalls, per I/O; not part of the total") \
	STAGE(ENTRY, "entry", KERNEL, "syscall, VFS, file system") \
	STAGE(THROTTLE, "throttle", KERNEL, "held back by the cgroup's io.max") \
	STAGE(ALLOC, "alloc", KERNEL, "rq-qos, tag wait, queue freeze, split and merge") \
	STAGE(PLUG, "plug", KERNEL, "held in the task's plug, to be sent with later requests") \
	STAGE(SCHED, "sched", KERNEL, "elevator, dispatch") \
	STAGE(REQUEUE, "requeue", KERNEL, "attempts that ended in a requeue") \
	STAGE(END, "end", KERNEL, "request completion to the bio's end_io") \
	STAGE(DELIVER, "deliver", KERNEL, "end_io until the submitter was told") \
	STAGE(SUBMIT, "submit", DRIVER, "DMA map, command build, doorbell") \
	STAGE(REAP, "reap", DRIVER, "interrupt to CQE, completion, softirq or IPI") \
	STAGE(BIO_DRIVER, "bio driver", DRIVER, \
	      "the whole of a bio based driver: it has no request") \
	STAGE(DEVICE, "device", DEVICE, "doorbell to interrupt (to the reaping when polled)") \
	STAGE(FLUSH, "flush", DEVICE, "waiting for the shared pre- or post-flush") \
	STAGE(ENTRY_ALLOC, "entry+alloc", KERNEL, "block_bio_queue was not seen") \
	STAGE(ALLOC_SCHED, "alloc+sched", KERNEL, "the request's allocation was not seen") \
	STAGE(END_DELIVER, "end+deliver", KERNEL, "bio_endio was not seen") \
	STAGE(BIO_DELIVER, "bio driver+deliver", KERNEL_DRIVER, \
	      "the end of a bio without a request was not seen") \
	STAGE(REAP_END, "reap+end", KERNEL_DRIVER, "block_rq_complete was not seen") \
	STAGE(SCHED_SUBMIT, "sched+submit", KERNEL_DRIVER, "no hook on this driver's queue_rq") \
	STAGE(SUBMIT_DEVICE, "submit+device", DRIVER_DEVICE, \
	      "from X, or D without it: the completion came before queue_rq returned") \
	STAGE(DEVICE_REAP, "device+reap", DRIVER_DEVICE, "the driver's reaping was not seen") \
	STAGE(SUBMIT_REAP, "submit+device+reap", DRIVER_DEVICE, \
	      "neither doorbell nor reaping was seen") \
	STAGE(SCHED_REAP, "sched+submit+device+reap", MERGED, "the issue was not seen") \
	STAGE(UNATTRIBUTED, "unattributed", UNATTRIBUTED, "time between marks that no stage covers")

enum blklat_stage {
#define STAGE(id, name, group, doc) STAGE_##id,
	BLKLAT_STAGES(STAGE)
#undef STAGE
	NR_STAGES
};

/*
 * GAP(from, to, stage): the time between two marks that have no mark in between belongs to this
 * stage. A gap that is not listed is unattributed. A bio of a disk with requests that goes from Q
 * to Z ended before it had a request: it was refused, or it may not wait and no tag was free.
 */
#define BLKLAT_GAPS(GAP) \
	GAP(E, Q, ENTRY) \
	GAP(E, T, ENTRY) \
	GAP(T, Q, THROTTLE) \
	GAP(Q, G, ALLOC) \
	GAP(G, X, SCHED) \
	GAP(G, R, SCHED) \
	GAP(G, P, PLUG) \
	GAP(P, X, SCHED) \
	GAP(P, R, SCHED) \
	GAP(R, X, REQUEUE) \
	GAP(R, D, REQUEUE) \
	GAP(X, B, SUBMIT) \
	GAP(B, H, DEVICE) \
	GAP(H, C, REAP) \
	GAP(C, F, FLUSH) \
	GAP(C, Z, END) \
	GAP(F, Z, END) \
	GAP(Z, W, DELIVER) \
	GAP(C, W, END_DELIVER) \
	GAP(F, W, END_DELIVER) \
	GAP(H, Z, REAP_END) \
	GAP(E, G, ENTRY_ALLOC) \
	GAP(Q, X, ALLOC_SCHED) \
	GAP(Q, R, ALLOC_SCHED) \
	GAP(Q, Z, ALLOC) \
	GAP(G, D, SCHED_SUBMIT) \
	GAP(G, B, SCHED_SUBMIT) \
	GAP(P, D, SCHED_SUBMIT) \
	GAP(P, B, SCHED_SUBMIT) \
	GAP(X, H, SUBMIT_DEVICE) \
	GAP(D, H, SUBMIT_DEVICE) \
	GAP(B, C, DEVICE_REAP) \
	GAP(X, C, SUBMIT_REAP) \
	GAP(D, C, SUBMIT_REAP) \
	GAP(G, H, SCHED_REAP) \
	GAP(G, C, SCHED_REAP) \
	GAP(P, H, SCHED_REAP) \
	GAP(P, C, SCHED_REAP)

/*
 * SPAN(id, name, what) is a time that overlaps the stages. Most spans are gaps between marks, and
 * have the names that blktrace and btt use, so that the results can be compared. They are per bio,
 * like the stages.
 */
#define BLKLAT_SPANS(SPAN) \
	SPAN(TOTAL, "total", "E or Q to W or Z") \
	SPAN(Q2G, "Q2G", "bio queued to request allocated") \
	SPAN(G2I, "G2I", "request allocated to inserted") \
	SPAN(I2D, "I2D", "inserted to issued") \
	SPAN(D2C, "D2C", "issued to completed") \
	SPAN(Q2C, "Q2C", "bio queued to request completed") \
	SPAN(SUBMIT_COST, "submit tracing", "time that tracing took in a layer's submit side") \
	SPAN(COMPLETE_COST, "complete tracing", \
	     "time that tracing took in a layer's completion side") \
	SPAN(ALLOC_COST, "alloc tracing", "time that tracing took in stage alloc") \
	SPAN(DELIVER_COST, "deliver tracing", "time that tracing took in stage deliver")

enum blklat_span {
#define SPAN(id, name, doc) SPAN_##id,
	BLKLAT_SPANS(SPAN)
#undef SPAN
	NR_SPANS
};

/*
 * LAYER(id, name, group, what the time goes into) is a stage of a layer. Each depth has a set of
 * these stages: the traced device is layer 0, a layer directly below it is layer 1. The leaf, below
 * all layers, has the stages of BLKLAT_STAGES.
 */
#define BLKLAT_LAYER_STAGES(LAYER) \
	LAYER(SUBMIT, "layer submit", KERNEL, "bio queued until the critical child starts below") \
	LAYER(COMPLETE, "layer complete", KERNEL, "the critical child's end until the bio's end") \
	LAYER(WHOLE, "layer+below", MERGED, \
	      "what lies below is shared, or cannot be tied to this I/O")

enum blklat_layer_stage {
#define LAYER(id, name, group, doc) LAYER_##id,
	BLKLAT_LAYER_STAGES(LAYER)
#undef LAYER
	NR_LAYER_STAGES
};

/* At most this many layers can lie above a leaf. */
#define BLKLAT_MAX_LAYERS 6
#define NR_LAYER_ROWS (BLKLAT_MAX_LAYERS * NR_LAYER_STAGES)

/* The histograms have rows for the stages, then for the spans, and in a stack for its layers. */
#define ROW_OF_SPAN(span) (NR_STAGES + (span))
#define NR_ROWS (NR_STAGES + NR_SPANS)
#define ROW_OF_LAYER(depth, stage) (NR_ROWS + (depth) * NR_LAYER_STAGES + (stage))
#define NR_ALL_ROWS (NR_ROWS + NR_LAYER_ROWS)

/* OP(id, name) is a kind of I/O. Each kind has distributions of its own. */
#define BLKLAT_OPS(OP) \
	OP(READ, "read") \
	OP(WRITE, "write") \
	OP(FLUSH, "flush") \
	OP(DISCARD, "discard")

enum blklat_op {
#define OP(id, name) BLKLAT_OP_##id,
	BLKLAT_OPS(OP)
#undef OP
	NR_OPS	/* must be a power of two, because the programs use NR_OPS - 1 as a mask */
};

#endif /* BLKLAT_STAGES_H */
