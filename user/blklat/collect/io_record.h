/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_IO_RECORD_H
#define BLKLAT_IO_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include "blklat.h"
#include "core/io_event.h"

/**
 * struct io_below - what is known of the I/O that an I/O of a layer made below
 * @critical: slot + 1 of the child whose end gated the parent's, 0 for none
 * @kept: the I/O ended, is charged, and waits for its parent
 * @orphan: its parent ended before it
 * @no_b: it was charged without mark B
 * @flush_begin: when the first of the flushes began that it sent below, 0 for none
 * @flush_end: when the last one ended
 */
struct io_below {
	uint32_t critical;
	bool kept;
	bool orphan;
	bool no_b;
	uint64_t flush_begin;
	uint64_t flush_end;
};

/* Whether this is a layer's I/O with others below; of those not seen it has the marks of a leaf. */
static inline bool io_is_layer(const struct blklat_state *state, const struct blklat_io *io)
{
	return state->devs[io->dev].layer && (io->child || !(io->m[MARK_G] | io->m[MARK_D]));
}

/*
 * The completion can come before queue_rq has returned, on this CPU or on another: then the time
 * of the doorbell is not known. D lies inside queue_rq, at another place in every driver, so it is
 * a boundary only without X.
 */
static inline void io_choose_marks(struct blklat_io *io)
{
	/* An interrupt older than the submission reaped this one as a guest. */
	if (io->irq_ns && io->irq_ns >= (io->m[MARK_B] ?: io->m[MARK_D] ?: io->m[MARK_X]))
		io->m[MARK_H] = io->irq_ns;
	else
		io->m[MARK_H] = io->reap_ns;
	if (io->m[MARK_B] > (io->m[MARK_H] ?: io->m[MARK_C] ?: io->m[MARK_Z]))
		io->m[MARK_B] = 0;
	if (io->m[MARK_X])
		io->m[MARK_D] = 0;
}

/* The latest mark of an I/O */
static inline uint64_t io_end(const struct blklat_io *io)
{
	uint64_t end = 0;

	for (unsigned int i = 0; i < NR_MARKS; i++)
		if (io->m[i] > end)
			end = io->m[i];
	return end;
}

/**
 * io_record() - what is known of an I/O that ended
 * @state: of the programs, for its devices
 * @slots: all I/Os, with the marks that count (io_choose_marks())
 * @below: of each slot
 * @idx: its slot
 * @e: filled in, but for its number
 */
void io_record(const struct blklat_state *state, const struct blklat_io *slots,
	       const struct io_below *below, uint32_t idx, struct blklat_event *e);

#endif
