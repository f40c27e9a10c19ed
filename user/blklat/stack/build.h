/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_BUILD_H
#define BLKLAT_STACK_BUILD_H

#include "blklat/stack/journal.h"
#include "blklat/stack/stack.h"

#define STACK_CHUNK	128u	/* chunk of all striped types, in sectors */

struct stack_build;

/* A type of stack. One file has the rows of a family of types, and makes them. */
struct stack_type {
	struct stack_about about;
	bool all;			/* uses all scratch devices, also more than it needs */
	bool even;			/* needs an even number of devices */
	const char *const *modules;	/* needed; "a|b": either; NULL-terminated, or NULL */
	const char *tool;		/* program that it needs, or NULL */
	const char *kind;		/* for the family: dm target, LVM segment type, md level */
	int (*build)(struct stack_build *b);
};

/* A layer that is being made. */
struct stack_build {
	const struct stack_type *type;
	const struct device *legs;
	size_t nlegs;
	bool temporary;			/* the legs store nothing */
	unsigned int seq;		/* unique for each layer of the run */
	struct journal *j;
	struct device out;		/* set by build(): resolved, with facts */
	char note[STACK_NOTE];		/* set by build(), or "" */
};

/* Each of these tables ends with a row without a name. */
extern const struct stack_type dm_types[], lvm_types[], md_types[];

/**
 * build_null_blk() - make a null_blk device
 * @j: gets a line before the device is made
 * @seq: number of the layer or stack; with @nr and @memory it makes the name unique
 * @nr: number of the device in the layer or stack
 * @size: bytes, a multiple of 1 MiB; 0: NULLBLK_SIZE_MB
 * @memory: store written data in memory
 * @d: set to the device, with facts
 * Return: 0 or -errno, reported.
 */
int build_null_blk(struct journal *j, unsigned int seq, unsigned int nr, uint64_t size, bool memory,
		   struct device *d);

/**
 * build_result() - find the device of a layer that was made
 * @b: the layer; @b->out is set to the device, with facts
 * @dev: number of the device, 0 if it is not known
 *
 * Return: 0; -ENODEV, or -ENOENT if it has no node in /dev; reported.
 */
int build_result(struct stack_build *b, dev_t dev);

/**
 * build_smallest() - find the size of the smallest leg
 * @b: the layer, with one leg or more
 *
 * Return: the size in bytes.
 */
uint64_t build_smallest(const struct stack_build *b);

#endif
