/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_BUILD_H
#define BLKLAT_STACK_BUILD_H

#include "blklat/stack/journal.h"
#include "blklat/stack/stack.h"

#define STACK_CHUNK	128u	/* of all that stripe, in sectors */

struct stack_build;

/* One row for each type of stack; a family's rows and what makes them are in one file. */
struct stack_type {
	struct stack_about about;
	bool all;			/* takes more legs too, all there are */
	bool even;			/* an even number */
	const char *const *modules;	/* "a|b": either; NULL-terminated, or NULL */
	const char *tool;		/* that it needs, or NULL */
	const char *kind;		/* what its family makes of it: target, segment type, level */
	int (*build)(struct stack_build *b);
};

/* One layer that is being made. */
struct stack_build {
	const struct stack_type *type;
	const struct device *legs;
	size_t nlegs;
	bool temporary;			/* the legs store nothing */
	unsigned int seq;		/* differs for each layer of the run */
	struct journal *j;
	struct device out;		/* set by build(): resolved, with facts */
	char note[STACK_NOTE];		/* set by build(), or "" */
};

/* Each ends with a row without a name. */
extern const struct stack_type dm_types[], lvm_types[], md_types[];

/**
 * build_null_blk() - make a null_blk device
 * @size: bytes, a multiple of 1 MiB; 0: the usual one
 * @memory: it keeps what is written
 * Return: 0 or -errno, reported.
 */
int build_null_blk(struct journal *j, unsigned int seq, unsigned int nr, uint64_t size, bool memory,
		   struct device *d);

/* Sets @b->out. Return: 0 or -errno, reported. */
int build_result(struct stack_build *b, dev_t dev);

/* The size of the smallest leg, in bytes. */
uint64_t build_smallest(const struct stack_build *b);

#endif
