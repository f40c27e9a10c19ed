/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_SAMPLES_H
#define BLKLAT_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>
#include "blklat.h"
#include "blklat/collect/io_record.h"
#include "blklat/collect/rows.h"
#include "blklat/collect/shape.h"

/* At most this many I/Os wait. It is a multiple of ROUND of samples.c. */
#define WAITING_MAX 128

/**
 * struct samples - the I/Os of one device and one kind: the samples of those that were charged, and
 * the marks of some that were not charged yet
 * @rows: the samples
 * @tail: the device's sums for the tail table, by group of totals
 * @ledger: the counters of the device, of which CHECKED, CHECK_FAILED and DISORDER are counted
 * @ios: number of I/Os; the account counts these and the next three
 * @requests: number of completed requests whose marks are in an I/O
 * @bytes: bytes of the I/Os
 * @polled: number of completions without an interrupt
 * @singly: number of I/Os that were charged one by one
 * @check: true to verify that the stages of each I/O sum to its total
 * @shapes: the shapes that I/Os had
 * @next: the next one on the owner's list of those in which I/Os may wait
 * @listed: true if it is on this list
 * @kind: CHAIN_* of the I/Os that wait
 * @n: number of I/Os that wait
 * @at: by column, the marks of the I/Os that wait. Columns that are not used need no memory.
 */
struct samples {
	struct hist *rows[NR_ALL_ROWS];
	struct blklat_tail *tail;
	struct blklat_ledger *ledger;
	uint64_t ios;
	uint64_t requests;
	uint64_t bytes;
	uint64_t polled;
	uint64_t singly;
	bool check;
	struct shapes shapes;
	struct samples *next;
	bool listed;
	uint32_t kind;
	uint32_t n;
	uint64_t at[NR_COLUMNS][WAITING_MAX] __attribute__((aligned(16)));
};

/**
 * samples_free() - free the samples and the shapes
 * @sm: the samples; NULL does nothing
 */
void samples_free(struct samples *sm);

/**
 * samples_charge() - charge the I/Os that wait
 * @sm: the samples
 *
 * Its stack is large, so do not call it if none waits.
 */
void samples_charge(struct samples *sm);

/**
 * samples_charge_event() - charge an I/O that has no chain
 * @sm: the samples of its device and kind
 * @ev: the I/O; its stages are added to the samples and to the tail table
 */
void samples_charge_event(struct samples *sm, const struct io_event *ev);

/**
 * samples_expect() - prepare for an I/O whose marks are to be copied
 * @sm: the samples of its device and kind
 * @kind: CHAIN_* of the I/O
 *
 * If I/Os of another kind wait, they are charged.
 */
static inline void samples_expect(struct samples *sm, uint32_t kind)
{
	if (sm->kind == kind)
		return;
	if (sm->n)
		samples_charge(sm);
	sm->kind = kind;
}

/**
 * samples_copy() - copy the marks of an I/O to the next place of its columns
 * @sm: the samples, after samples_expect()
 * @column: COLUMN_OF_FIRST(0) or COLUMN_OF_LAST(0)
 * @m: NR_MARKS marks
 */
static inline __attribute__((always_inline))
void samples_copy(struct samples *sm, unsigned int column, const __u64 *m)
{
#pragma GCC unroll 16
	for (unsigned int i = 0; i < NR_MARKS; i++)
		sm->at[column + i][sm->n] = m[i];
}

/**
 * samples_copied() - end an I/O whose marks were copied
 * @sm: the samples
 *
 * When WAITING_MAX I/Os wait, they are charged.
 */
static inline void samples_copied(struct samples *sm)
{
	if (++sm->n == WAITING_MAX)
		samples_charge(sm);
}

/**
 * samples_add_disk() - let an I/O of a disk wait to be charged with others
 * @sm: the samples of its device and kind
 * @kind: CHAIN_* of the I/O, see io_kind_of_disk()
 * @m: its marks, which are copied
 */
static inline __attribute__((always_inline))
void samples_add_disk(struct samples *sm, uint32_t kind, const __u64 *m)
{
	samples_expect(sm, kind);
	samples_copy(sm, COLUMN_OF_FIRST(0), m);
	samples_copied(sm);
}

/**
 * samples_add() - let an I/O wait to be charged with others
 * @sm: the samples of its device and kind
 * @c: the I/O and, in a stack, those below it. The marks are copied.
 */
void samples_add(struct samples *sm, const struct io_chain *c);

#endif
