/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_IO_EVENT_H
#define BLKLAT_CORE_IO_EVENT_H

#include <stdint.h>
#include "blklat.h"

/**
 * struct blklat_hop - the critical child of a layer's I/O; times are ns of the monotonic clock
 * @begin: the earliest mark of the child
 * @end: mark Z of the child; without Z, mark W; without both, @ended
 * @ended: the latest of the child's marks Z, C and F; the layer above may have waited for any of
 *	them
 * @flush_begin: when the first flush began that the child had to wait for, 0 for none
 * @flush_end: when the last of these flushes ended
 * @dev: index of the child's device in blklat_config.devs
 * @op: enum blklat_op of the child
 * @bio_based: as in struct blklat_dev_cfg, of the child's device
 */
struct blklat_hop {
	__u64 begin;
	__u64 end;
	__u64 ended;
	__u64 flush_begin;
	__u64 flush_end;
	__u8 dev;
	__u8 op;
	__u8 bio_based;
	__u8 reserved[5];
};

/* These are the bits of blklat_event.flags. */
#define EVENT_LAYER	(1U << 0)	/* a layer's I/O: @hops splits its time from Q to the end */
#define EVENT_LEAF	(1U << 1)	/* the last of @hops is at a leaf: @leaf has its marks */
#define EVENT_THINK	(1U << 2)	/* @think_ns is known */
#define EVENT_BIO_BASED	(1U << 3)	/* as in struct blklat_dev_cfg, of its device */

/**
 * struct blklat_event - the record of an ended I/O of a top device
 * @number: 1 + the number of records before this one. The writer stores @number last: until then
 *	the place has the number of an older record, and a reader must not use it.
 * @m: the marks of the I/O that bound stages: see struct blklat_io
 * @think_ns: as in struct blklat_io
 * @origin: as in struct blklat_io
 * @comm: the name of the submitting task
 * @status: blk_status_t
 * @flags: EVENT_*
 * @dev: index into blklat_config.devs
 * @op: enum blklat_op
 * @nr_hops: used entries of @hops
 * @hops: the critical children, from the top layer down. Records have this member and the ones
 *	after it only in a stack.
 * @leaf: the marks of the critical child at the leaf, with EVENT_LEAF
 */
struct blklat_event {
	__u64 number;
	__u64 m[NR_MARKS];
	__u64 think_ns;
	struct blklat_origin origin;
	char comm[BLKLAT_COMM_LEN];
	__u32 status;
	__u8 flags;
	__u8 dev;
	__u8 op;
	__u8 nr_hops;
	struct blklat_hop hops[BLKLAT_MAX_LAYERS];
	__u64 leaf[NR_MARKS];
};

/* An I/O has at most the stages of a leaf, of each layer with its flushes, and of its own marks. */
#define IO_EVENT_STAGES (NR_MARKS + 4 * BLKLAT_MAX_LAYERS + 4)

/**
 * struct io_stage - one stage of an I/O
 * @row: enum blklat_stage, or ROW_OF_LAYER()
 * @depth: index into io_event.path of the device where the I/O was in this stage
 * @at_ns: when the stage began, monotonic clock
 * @ns: how long the stage took
 */
struct io_stage {
	uint8_t row;
	uint8_t depth;
	uint64_t at_ns;
	uint64_t ns;
};

/**
 * struct io_event - an ended I/O, split into stages
 * @raw: the record that the stages come from
 * @begin_ns: the earliest mark of the I/O, monotonic clock
 * @total_ns: time from the earliest mark to the latest
 * @stages: the stages in the order of time; the same stage can occur more than once. Their times
 *	add up to @total_ns.
 * @nr_stages: used entries of @stages
 * @disorder: marks of the I/O itself that were dropped because they were out of order
 * @path: the device of the I/O, then those of its critical children; indices into
 *	blklat_config.devs
 * @nr_path: used entries of @path
 */
struct io_event {
	const struct blklat_event *raw;
	uint64_t begin_ns;
	uint64_t total_ns;
	struct io_stage stages[IO_EVENT_STAGES];
	unsigned int nr_stages;
	unsigned int disorder;
	uint8_t path[BLKLAT_MAX_LAYERS + 1];
	unsigned int nr_path;
};

/**
 * io_event_decode() - split an I/O into stages, from its marks
 * @raw: the record of the I/O; must live as long as @ev
 * @ev: filled in
 */
void io_event_decode(const struct blklat_event *raw, struct io_event *ev);

/**
 * io_event_times() - sum up how long an I/O was in each stage, as it may have had a stage twice
 * @ev: the I/O
 * @ns: set to the times of the stages that the I/O had, in ns, by row; has room for NR_ALL_ROWS
 *
 * Return: the set of these stages, with a bit for each row.
 */
uint64_t io_event_times(const struct io_event *ev, uint64_t *ns);

#endif
