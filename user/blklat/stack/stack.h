/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_H
#define BLKLAT_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include "device/device.h"

/*
 * Stacks of block devices that are made to be measured, and taken down again: on scratch devices of
 * the user, one at a time, or each on temporary null_blk devices of its own, all at once.
 *
 *	stacks_open("raw,lvm-linear,dm-crypt/md-raid0", on, non, destroy, &set)
 *	for each visit
 *		stack_build(set, &set->v[i])		nothing to do when it is there
 *		... measure set->v[i].dev
 *		if (!set->temporary)
 *			stack_teardown(set, &set->v[i])
 *	stacks_close(set)
 *
 * What is made is written to a file in /run/blklat before it is made. A process of its own takes
 * down what is left when this one ends, also by kill -9, and stacks_cleanup() what is left when
 * that was killed too.
 */

#define STACK_LEGS	16	/* at most */
#define STACK_NOTE	200

struct stack {
	char name[DEV_TEXT];		/* as asked for: "dm-crypt/md-raid0", the upper first */
	char note[STACK_NOTE];		/* when built, what there is to say of it: "aes-xts-plain64..."; or "" */
	bool built;
	struct device dev;		/* when built: what to measure, with its facts */
	struct device legs[STACK_LEGS];	/* when built: what it stands on in the end */
	size_t nlegs;
};

struct stacks {
	struct stack *v;
	size_t n;
	bool temporary;			/* on null_blk devices: all are built at the same time */
	struct stacks_state *state;	/* of user/stack */
};

/**
 * stacks_open() - check that all the stacks can be made, and prepare it
 * @names: types by commas; "A/B" is A made on B. "raw" is the leg itself.
 * @on: names of @non scratch devices, each may have several with commas between; none: temporary
 *	null_blk devices
 * @destroy: the user says that what is on the devices may be lost
 *
 * Refuses, before anything is touched: unknown types, too few devices, devices that are in use or
 * carry a signature, devices that differ in size or block size, what the kernel or the machine
 * lacks. The devices are claimed until stacks_close(), but while a stack is built.
 *
 * Temporary stacks are all built when it returns; others none.
 *
 * Return: 0, -EUSAGE or -errno, reported; nothing is left then.
 */
int stacks_open(const char *names, const char *const *on, size_t non, bool destroy,
		struct stacks **set);

/**
 * stack_build() - make it; not while another one stands on the same devices
 * Return: 0 or -errno, reported; what was made of it is taken down.
 */
int stack_build(struct stacks *set, struct stack *s);

/**
 * stack_teardown() - take it down, and wipe what it wrote to find itself again
 * Close everything that uses it first.
 * Return: 0 or -errno, reported; stacks_close() tries again.
 */
int stack_teardown(struct stacks *set, struct stack *s);

/* Take down all that is there, let the devices go. Return: 0 or -errno, reported. */
int stacks_close(struct stacks *set);

/**
 * stacks_cleanup() - take down what ended runs have left; says each thing it removes on stdout
 * What belongs to a blklat that still runs is left alone, and named.
 * Return: 0 or -errno, reported.
 */
int stacks_cleanup(void);

/* Names of the types, each with a line about it; @n of them. */
struct stack_about {
	const char *name, *brief;
	size_t legs;
};
const struct stack_about *stack_types(size_t *n);

#endif
