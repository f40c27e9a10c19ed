/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_IO_EVENT_H
#define BLKLAT_CORE_IO_EVENT_H

#include <stdint.h>
#include "blklat.h"

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
