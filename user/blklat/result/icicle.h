/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_RESULT_ICICLE_H
#define BLKLAT_RESULT_ICICLE_H

#include <stdbool.h>
#include "blklat/result/compare_stats.h"
#include "blklat/result/result.h"

/*
 * An icicle shows how the mean time of an I/O is nested in the layers of a stack. It has a frame
 * for each layer, and below the frame are the layer's stages and the layer beneath it. The stages
 * are side by side in the order of time.
 */

#define ICICLE_MAX_STAGES 128	/* stages of all layers of a device */
#define ICICLE_MAX_LAYERS 10	/* a layer is named by one digit */

/* The I/Os that an icicle is about: all, or the slowest from the p99 on, see struct result_tail. */
enum icicle_of { ICICLE_ALL, ICICLE_SLOW };

/**
 * struct icicle_block - a stage, or the frame of a layer
 * @from: where it begins, in ns
 * @to: where it ends, in ns
 * @depth: row of the picture, 0 is the uppermost
 * @row: the stage; for a frame, a stage of the layer, which names the layer; NULL for the device's
 *	frame, and for a layer without a stage of its own
 * @frame: true for a frame
 */
struct icicle_block {
	double from, to;
	unsigned int depth;
	const struct result_row *row;
	bool frame;
};

/**
 * struct icicle - the blocks of a device
 * @n: number of blocks
 * @v: the blocks; the last one is the device's frame
 */
struct icicle {
	size_t n;
	struct icicle_block v[ICICLE_MAX_STAGES + ICICLE_MAX_LAYERS + 2];
};

/**
 * icicle_layers() - count the layers of a device above the leaf
 * @d: the device
 *
 * Return: the number of layers; 0 for a disk.
 */
unsigned int icicle_layers(const struct result_dev *d);

/**
 * icicle_rows() - count the rows of a device's icicle
 * @d: the device
 *
 * Return: the number of rows; icicle_block.depth is below it.
 */
unsigned int icicle_rows(const struct result_dev *d);

/**
 * icicle_ios() - count the I/Os that the icicle of a device shows
 * @d: the device
 * @of: the I/Os
 *
 * Return: the number of I/Os; 0 if the icicle cannot be made.
 */
uint64_t icicle_ios(const struct result_dev *d, enum icicle_of of);

/**
 * icicle_mean() - find the mean total of the I/Os of an icicle
 * @d: the device
 * @of: the I/Os
 *
 * Return: the mean in ns; 0 if there are no such I/Os.
 */
double icicle_mean(const struct result_dev *d, enum icicle_of of);

/**
 * icicle_length() - find where the last stage of an icicle ends
 * @d: the device
 * @of: the I/Os
 *
 * Return: the sum of the means of all stages in ns; 0 if there are no such I/Os.
 */
double icicle_length(const struct result_dev *d, enum icicle_of of);

/**
 * icicle_slow_from() - find the least total of the I/Os of ICICLE_SLOW
 * @d: the device
 *
 * Return: the total in ns; 0 if it is not known.
 */
uint64_t icicle_slow_from(const struct result_dev *d);

/**
 * icicle_make() - nest the stages of a device
 * @ic: overwritten
 * @d: the device; @ic borrows its stages
 * @of: the I/Os; without any, the icicle has only an empty frame
 */
void icicle_make(struct icicle *ic, const struct result_dev *d, enum icicle_of of);

/**
 * icicle_name() - name a block
 * @buf: set to @label, or for other blocks to "md raid0", "disk", "submit"
 * @len: bytes in @buf
 * @label: text for the device's frame
 * @b: the block
 *
 * Return: @buf.
 */
char *icicle_name(char *buf, size_t len, const char *label, const struct icicle_block *b);

/**
 * icicle_longer() - find how much longer a stage takes than that of the baseline
 * @c: the comparison, or NULL
 * @d: a device of it
 * @row: a stage of the device, or NULL
 *
 * Return: the difference in ns, net of tracing as far as that is known; 0 if it may be chance.
 */
double icicle_longer(const struct comparison *c, const struct result_dev *d,
		     const struct result_row *row);

/**
 * icicle_most() - find the largest difference between a device's stages and those of the baseline
 * @c: the comparison, or NULL
 * @d: a device of it
 *
 * Return: the difference in ns, without its sign; 0 if no stage is known to differ.
 */
double icicle_most(const struct comparison *c, const struct result_dev *d);

/**
 * icicle_shown() - tell if there is an icicle of a device
 * @d: the device
 * @of: the I/Os
 * @diff: the icicle is about the differences to the baseline
 * @c: the comparison; only used with @diff, NULL: no stage differs
 *
 * Return: true if the device has such I/Os and, with @diff, a stage that is known to differ.
 */
bool icicle_shown(const struct result_dev *d, enum icicle_of of, bool diff,
		  const struct comparison *c);

#endif
