/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_H
#define BLKLAT_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include "device/device.h"

/*
 * Make stacks of block devices to measure them, and take them down again. Stacks on scratch devices
 * of the user are made one at a time. Without scratch devices, each stack has temporary null_blk
 * devices of its own, and all stacks are made at once.
 *
 *	stacks_open("raw,lvm-linear,dm-crypt/md-raid0", on, non, destroy, &set)
 *	for each visit
 *		stack_build(set, &set->v[i])		does nothing if it is built
 *		... measure set->v[i].dev
 *		if (!set->temporary)
 *			stack_teardown(set, &set->v[i])
 *	stacks_close(set)
 *
 * Before the program makes a thing, it writes the thing's name to a journal in /run/blklat. A
 * keeper process takes down all that is left when this process ends, also by kill -9. If the keeper
 * was killed too, stacks_cleanup() takes down the rest.
 */

#define STACK_LEGS	16	/* most legs of a stack */
#define STACK_NOTE	200

struct stack {
	char name[DEV_TEXT];		/* as the user gave it: "dm-crypt/md-raid0", top first */
	char note[STACK_NOTE];		/* of a built stack: "aes-xts-plain64: ..."; or "" */
	bool built;
	struct device dev;		/* of a built stack: the device to measure, with facts */
	struct device legs[STACK_LEGS];	/* of a built stack: the devices at its bottom */
	size_t nlegs;
};

struct stacks {
	struct stack *v;
	size_t n;
	bool temporary;			/* on null_blk devices: all are built at the same time */
	struct stacks_state *state;	/* private to stack.c */
};

/**
 * stacks_open() - check that all stacks can be made, and prepare to make them
 * @names: types with commas between; "A/B" is A made on B. "raw" is the leg itself.
 * @on: names of scratch devices; a string may have several names with commas between
 * @non: number of strings in @on; 0: temporary null_blk devices
 * @destroy: the user allows that the data on the devices is lost
 * @set: set on success; end it with stacks_close()
 *
 * Before it touches anything, this refuses: unknown types, too few devices, devices that are in use
 * or carry a signature, devices that differ in size or block size, and types that the kernel or the
 * machine cannot make. The devices are claimed until stacks_close(), except while a stack is built.
 *
 * On return all temporary stacks are built, but no stack on scratch devices is.
 *
 * Return: 0, -EUSAGE or -errno, reported; after a failure nothing is left.
 */
int stacks_open(const char *names, const char *const *on, size_t non, bool destroy,
		struct stacks **set);

/**
 * stack_build() - make a stack
 * @set: the set of the stack
 * @s: the stack; no other stack may stand on the same devices
 * Return: 0 or -errno, reported; after a failure the parts that were made are taken down.
 */
int stack_build(struct stacks *set, struct stack *s);

/**
 * stack_teardown() - take a stack down, and wipe its metadata from the scratch devices
 * @set: the set of the stack; this does nothing to temporary stacks
 * @s: the stack; close all users of it first
 * Return: 0 or -errno, reported; stacks_close() tries again.
 */
int stack_teardown(struct stacks *set, struct stack *s);

/**
 * stacks_close() - take down all stacks, let the devices go, and free the set
 * @set: from stacks_open(); NULL does nothing
 *
 * If something cannot be taken down, the keeper goes on trying after the return.
 *
 * Return: 0 or -errno, reported.
 */
int stacks_close(struct stacks *set);

/**
 * stacks_cleanup() - take down what ended runs have left, and print each removed thing on stdout
 *
 * Things of a blklat that still runs are left alone, and reported.
 * Return: 0 or -errno, reported.
 */
int stacks_cleanup(void);

/* A type of stack with a line about it, and the legs that it needs at least. */
struct stack_about {
	const char *name, *brief;
	size_t legs;
};

/**
 * stack_types() - list all types of stacks
 * @n: set to their number
 *
 * Return: the types, which the caller must not free.
 */
const struct stack_about *stack_types(size_t *n);

/**
 * stack_type_name() - get the name of a type of stack by its index
 * @i: index in the list of stack_types(), or beyond its end
 *
 * Return: the name; NULL after the last one.
 */
const char *stack_type_name(size_t i);

#endif
