/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_SHAPE_H
#define BLKLAT_SHAPE_H

#include <stdint.h>
#include "blklat.h"
#include "blklat/collect/io_record.h"

/*
 * The stages that follow from the marks of an I/O are called its shape. Nearly all I/Os of a device
 * and a kind have the same marks, so the shape of each set of marks is worked out only once.
 *
 * A column is the place of a mark in the chain of an I/O: a mark of the first I/O, of the last one
 * below, or mark Q or Z of an I/O between these two.
 */
#define COLUMN_OF_FIRST(mark) (mark)
#define COLUMN_OF_LAST(mark) (NR_MARKS + (mark))
#define COLUMN_OF_INNER(level, mark) (2 * NR_MARKS + 2 * ((level) - 1) + ((mark) == MARK_Z))
#define NR_COLUMNS (2 * NR_MARKS + 2 * (BLKLAT_MAX_LAYERS - 1))

/* A stage lies between two marks, and an I/O has a mark in each column at most. */
#define SHAPE_STAGES (NR_COLUMNS - 1)

/* Two I/Os whose keys are equal have the same stages, if the marks of both are in order. */
struct shape_key {
	uint16_t first;		/* bit per mark that the I/O has */
	uint16_t last;		/* for a layer's I/O: bit per mark that the last I/O below it has */
	uint32_t kind;		/* CHAIN_* */
};

_Static_assert(NR_MARKS <= 16, "shape_key has a bit for each mark");

/* A gap is a stage or the total. It has the columns of the marks at which that begins and ends. */
struct shape_gap {
	uint8_t row;
	uint8_t from;
	uint8_t to;
};

/**
 * struct shape - the stages of all I/Os that have the same marks
 * @key: the marks and the kind that these I/Os have in common
 * @n: number of stages, which lie one behind the other; 0 if these I/Os must be charged one by one
 * @gap: the stages in the order of time, and behind them the total
 * @nr_absent: number of entries of @absent
 * @absent: the columns of the marks that these I/Os do not have
 * @next: the next shape
 */
struct shape {
	struct shape_key key;
	unsigned int n;
	struct shape_gap gap[SHAPE_STAGES + 1];
	unsigned int nr_absent;
	uint8_t absent[2 * NR_MARKS];
	struct shape *next;
};

struct shapes {
	struct shape *first;
};

/**
 * shapes_free() - free the shapes
 * @s: the list of them; it is the caller's, and is empty afterwards
 */
void shapes_free(struct shapes *s);

/**
 * shape_of() - find the shape of an I/O
 * @s: the shapes that are known, to which this one is added
 * @key: the key of the I/O
 *
 * Return: the shape; its @n is 0 if the I/O has a stage more than once, or if it is one of a layer
 * with marks that such I/Os seldom have. NULL without memory.
 */
const struct shape *shape_of(struct shapes *s, const struct shape_key *key);

#endif
