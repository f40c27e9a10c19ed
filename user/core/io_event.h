/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_IO_EVENT_H
#define BLKLAT_CORE_IO_EVENT_H

#include <stdint.h>
#include "blklat.h"

/**
 * struct blklat_hop - the critical child of an I/O of a layer
 * @begin: the earliest of its marks
 * @end: its mark Z, or W
 * @ended: the latest of its marks that the layer above could wait for
 * @flush_begin: when the flushes began that it had to wait for, 0 for none
 * @flush_end: when they had ended
 * @dev: index into blklat_config.devs
 * @op: enum blklat_op
 * @bio_based: as in struct blklat_dev_cfg
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

/* blklat_event.flags */
#define EVENT_LAYER	(1U << 0)	/* of a layer: what it did between Q and its end is in @hops */
#define EVENT_LEAF	(1U << 1)	/* the last of @hops is at a leaf, its marks are in @leaf */
#define EVENT_TASK	(1U << 2)	/* @origin.tgid and @comm are known */
#define EVENT_THINK	(1U << 3)	/* @think_ns is */
#define EVENT_BIO_BASED	(1U << 4)	/* as in struct blklat_dev_cfg */

/**
 * struct blklat_event - an I/O of a top that ended
 * @number: set last: 1 + how many there were before, or whatever was here before
 * @m: its marks, those that count: see struct blklat_io
 * @think_ns: as there
 * @origin: as there
 * @comm: the task's name when the I/O ended
 * @status: blk_status_t
 * @flags: EVENT_*
 * @dev: index into blklat_config.devs
 * @op: enum blklat_op
 * @nr_hops: used entries of @hops
 * @hops: down the layers; these and what follows are there only in a stack
 * @leaf: the marks of the I/O at the leaf
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

/* A leaf's, three more per layer with its flushes, and what a top has besides. */
#define IO_EVENT_STAGES (NR_MARKS + 4 * BLKLAT_MAX_LAYERS + 4)

/**
 * struct io_stage - what an I/O did at one time
 * @row: enum blklat_stage, or ROW_OF_LAYER()
 * @depth: index into io_event.path of the device where it did it
 * @at_ns: since when, monotonic clock
 * @ns: how long
 */
struct io_stage {
	uint8_t row;
	uint8_t depth;
	uint64_t at_ns;
	uint64_t ns;
};

/**
 * struct io_event - one I/O that ended
 * @raw: as the programs have it
 * @begin_ns: the earliest of its marks, monotonic clock
 * @total_ns: from there to the latest
 * @stages: in the order of time; one can occur more than once. They sum to @total_ns.
 * @nr_stages: how many
 * @disorder: marks that were dropped because they were out of order
 * @path: the devices it went through, those of its critical children; indices into
 *	blklat_config.devs
 * @nr_path: how many
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
 * io_event_decode() - make stages of the marks of an I/O
 * @raw: must live as long as @ev
 */
void io_event_decode(const struct blklat_event *raw, struct io_event *ev);

#endif
