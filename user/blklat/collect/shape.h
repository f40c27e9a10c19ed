/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_SHAPE_H
#define BLKLAT_SHAPE_H

#include <stdbool.h>
#include <stdint.h>
#include "blklat.h"
#include "blklat/collect/io_record.h"
#include "core/hist.h"
#include "core/io_event.h"
#include "core/io_hist.h"

/*
 * Charge usual I/Os fast. Nearly all I/Os of a device and a kind have the same marks. The stages
 * that follow from these marks are called the shape, and are worked out only once. The times of
 * the stages are collected, and are added to the histograms many at a time.
 *
 * The marks are read from the slot of the I/O. If it is an I/O of a layer, they are also read from
 * the slots of the critical I/Os below it.
 */
struct shape;
struct shapes;

/* The maximum number of I/Os that are collected, and of times (stages and total) of each I/O */
#define SHAPED_MAX 128
#define SHAPED_COLUMNS 32

_Static_assert(SHAPED_COLUMNS > 2 * NR_MARKS, "a layer's I/O has as many stages, and a total");

/**
 * struct shaped - the I/Os of one device and one kind that are collected and not charged yet
 * @shape: the stages that all of these I/Os have
 * @hist: the histogram of each of these stages
 * @total: the histogram of the total
 * @tail: the device's sums for the tail table, by group of totals
 * @next: the next one on the owner's list of those that may have I/Os
 * @listed: true if it is on this list
 * @n: number of I/Os
 * @ns: by stage, the time of each I/O in ns; the totals are behind those of the last stage. Columns
 *	that are not used need no memory.
 */
struct shaped {
	const struct shape *shape;
	struct hist *hist[SHAPED_COLUMNS];
	struct hist *total;
	struct blklat_tail *tail;
	struct shaped *next;
	bool listed;
	uint32_t n;
	uint64_t ns[SHAPED_COLUMNS][SHAPED_MAX];
};

/* Return a table without shapes, for shapes_free(); NULL without memory. */
struct shapes *shapes_new(void);
void shapes_free(struct shapes *s);

/**
 * shape_of() - find the shape of an I/O
 * @s: the shapes that are known, to which this one is added
 * @c: the I/O and, in a stack, those below it
 *
 * Return: the shape, or NULL if the I/O has a stage more than once, no marks or too many stages, or
 * is one of a layer with marks that such I/Os seldom have.
 */
const struct shape *shape_of(struct shapes *s, const struct io_chain *c);

/* Return the number of stages of a shape; shape_row() returns the row of each. */
unsigned int shape_stages(const struct shape *shape);
unsigned int shape_row(const struct shape *shape, unsigned int stage);

/**
 * shaped_add() - collect an I/O
 * @s: with room for one more I/O
 * @c: the I/O and, in a stack, those below it
 *
 * Return: its total in ns, or UINT64_MAX if it has another shape than @s->shape, marks that are out
 * of order, or a time beyond the buckets of a histogram; then nothing was done.
 */
uint64_t shaped_add(struct shaped *s, const struct io_chain *c);

/* Charge the I/Os that were collected. There must be at least one. */
void shaped_flush(struct shaped *s);

#endif
