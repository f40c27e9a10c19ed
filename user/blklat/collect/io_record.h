/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_IO_RECORD_H
#define BLKLAT_IO_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include "blklat.h"
#include "core/io_event.h"

/**
 * struct io_below - what the account knows of an I/O in a stack
 * @critical: slot + 1 of the critical child, which ended last of all children; 0 for none
 * @kept: true if this I/O ended, is charged, and waits for its parent
 * @orphan: true if its parent ended before it
 * @no_b: true if it was charged without mark B
 * @chain: io_chain.kind, noted when this I/O of a layer was charged; 0 if io_chain() returned false
 * @flush_begin: time at which the first flush that this I/O sent below began, 0 if it sent none
 * @flush_end: time at which the last of these flushes ended
 */
struct io_below {
	uint32_t critical;
	bool kept : 1;
	bool orphan : 1;
	bool no_b : 1;
	uint16_t chain;
	uint64_t flush_begin;
	uint64_t flush_end;
};

/**
 * io_is_layer() - check if the time of an I/O is to be split by the I/Os below
 * @state: the state of the programs, which has the devices
 * @io: the I/O
 *
 * If no I/O was seen below and this I/O has marks of a request, it is charged by its own marks,
 * like an I/O of a leaf.
 *
 * Return: true for an I/O of a layer, except in this case.
 */
static inline bool io_is_layer(const struct blklat_state *state, const struct blklat_io *io)
{
	return state->devs[io->dev].layer && (io->child || !(io->m[MARK_G] | io->m[MARK_D]));
}

/**
 * io_choose_marks() - set mark H, and drop the marks that are no boundaries
 * @io: an I/O that ended
 *
 * The completion can come before queue_rq() has returned, on the same or another CPU: then the
 * time of the doorbell is not known, and B is dropped. D lies inside queue_rq(), at another
 * place in each driver, so it is a boundary only without X.
 */
static inline void io_choose_marks(struct blklat_io *io)
{
	/*
	 * An interrupt that began before the submission came for other I/Os, and the driver found
	 * the completion of this one as well. Then H is the time when the driver found it.
	 */
	if (io->irq_ns && io->irq_ns >= (io->m[MARK_B] ?: io->m[MARK_D] ?: io->m[MARK_X]))
		io->m[MARK_H] = io->irq_ns;
	else
		io->m[MARK_H] = io->reap_ns;
	if (io->m[MARK_B] > (io->m[MARK_H] ?: io->m[MARK_C] ?: io->m[MARK_Z]))
		io->m[MARK_B] = 0;
	if (io->m[MARK_X])
		io->m[MARK_D] = 0;
}

/**
 * io_end() - find the latest mark of an I/O
 * @io: the I/O
 *
 * Return: the time of the mark in ns of the monotonic clock, 0 if there is no mark.
 */
static inline uint64_t io_end(const struct blklat_io *io)
{
	uint64_t end = 0;

	for (unsigned int i = 0; i < NR_MARKS; i++)
		if (io->m[i] > end)
			end = io->m[i];
	return end;
}

/**
 * io_record_times() - make that part of the record of an I/O that tells its stages
 * @state: the state of the programs, which has the devices
 * @slots: the slots of all I/Os; io_choose_marks() was called for those of this record
 * @below: one for each slot
 * @idx: slot of the I/O
 * @e: @m, @flags, @dev, @op, @nr_hops, @hops and @leaf are filled in
 */
void io_record_times(const struct blklat_state *state, const struct blklat_io *slots,
		     const struct io_below *below, uint32_t idx, struct blklat_event *e);

/*
 * io_chain.kind is the sum of these. I/Os with the same kind and the same marks have the same
 * stages. The kind is a single number, because it is compared for each I/O.
 */
#define CHAIN_HOPS	0xffU		/* how many I/Os the chain has below the first one */
#define CHAIN_BIO_BASED	(1U << 8)	/* the disk has blklat_dev_cfg.bio_based */
#define CHAIN_NO_B	(1U << 9)	/* the disk's I/O is below a layer, and has io_below.no_b */
#define CHAIN_WHOLE	(1U << 10)	/* the last I/O is of a layer too deep to be split */
#define CHAIN_OP(op)	((uint32_t)(op) << 12)	/* operation of a disk's I/O; 0 below a layer */

/**
 * struct io_chain - an I/O and, if it is one of a layer, the critical I/Os below it
 * @m: the marks of each, from the top down to that of a disk or, with CHAIN_WHOLE, of a layer
 * @kind: CHAIN_*
 */
struct io_chain {
	const __u64 *m[BLKLAT_MAX_LAYERS + 1];
	uint32_t kind;
};

/**
 * io_kind_of_disk() - get the kind of an I/O that is not split by I/Os below
 * @state: the state of the programs, which has the devices
 * @io: an I/O for which io_is_layer() is false
 *
 * Return: the sum of its CHAIN_*.
 */
static inline uint32_t io_kind_of_disk(const struct blklat_state *state, const struct blklat_io *io)
{
	return (state->devs[io->dev].bio_based ? CHAIN_BIO_BASED : 0) | CHAIN_OP(io->op);
}

/**
 * io_chain_below() - add the critical I/Os below an I/O of a layer to its chain
 * @state: as in io_chain()
 * @slots: as in io_chain()
 * @below: as in io_chain()
 * @idx: slot of the I/O, for which io_is_layer() is true
 * @c: @m[0] is set already; the rest is filled in
 *
 * Return: false if only io_record_times() tells the stages, see io_chain().
 */
bool io_chain_below(const struct blklat_state *state, const struct blklat_io *slots,
		    const struct io_below *below, uint32_t idx, struct io_chain *c);

/**
 * io_chain() - find the marks that bound the stages of an I/O
 * @state: the state of the programs, which has the devices
 * @slots: the slots of all I/Os; io_choose_marks() was called for those of the chain
 * @below: one for each slot; those of the I/Os below were charged, and their @chain was noted
 * @idx: slot of the I/O
 * @c: filled in
 *
 * This is faster than io_record_times(), because it copies no marks and continues the chain of the
 * I/O below, which was found when that I/O was charged.
 *
 * Return: false if only io_record_times() tells the stages. That is so for an I/O of a layer which
 * has no critical I/O below whose times lie within its own, or which sent flushes below; and if one
 * of the chain is neither read nor write, was lost, ended at another mark than Z or, unless it is
 * the first one or a disk's, began at another mark than Q.
 */
static inline bool io_chain(const struct blklat_state *state, const struct blklat_io *slots,
			    const struct io_below *below, uint32_t idx, struct io_chain *c)
{
	const struct blklat_io *io = &slots[idx];

	c->m[0] = io->m;
	if (io_is_layer(state, io))
		return io_chain_below(state, slots, below, idx, c);
	c->kind = io_kind_of_disk(state, io);
	return true;
}

/**
 * io_chain_record() - make that part of the record of an I/O that tells its stages, from its chain
 * @c: the chain. Of an I/O between the first one and the last one, only marks Q and Z are read.
 *	With CHAIN_NO_B, mark B of the last one must be 0.
 * @e: the same members are filled in as by io_record_times(); the indices of devices are 0
 */
void io_chain_record(const struct io_chain *c, struct blklat_event *e);

/**
 * io_record() - make the whole record of an I/O that ended
 * @state: as in io_record_times()
 * @slots: as in io_record_times()
 * @below: as in io_record_times()
 * @idx: slot of the I/O
 * @e: filled in, except @number
 */
void io_record(const struct blklat_state *state, const struct blklat_io *slots,
	       const struct io_below *below, uint32_t idx, struct blklat_event *e);

#endif
