/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_SCRATCH_H
#define BLKLAT_STACK_SCRATCH_H

#include "blklat/stack/stack.h"

/* The user's devices that stacks are made on. */
struct scratch {
	struct device devs[STACK_LEGS];
	int claims[STACK_LEGS];		/* open for us alone; -1: lent to a stack */
	int locks[STACK_LEGS];		/* udev keeps off what carries this lock */
	size_t n;
};

/**
 * scratch_open() - find, check and claim them
 * Return: 0 or -errno, reported.
 */
int scratch_open(struct scratch *s, const char *const *names, size_t n);

/* Give up the claims, so that a stack can have the devices. */
void scratch_lend(struct scratch *s);

/* Claim them again; nothing may have been left on them. Return: 0 or -errno, reported. */
int scratch_take(struct scratch *s);

void scratch_close(struct scratch *s);

#endif
