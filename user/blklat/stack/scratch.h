/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_SCRATCH_H
#define BLKLAT_STACK_SCRATCH_H

#include "blklat/stack/stack.h"

/* The scratch devices of the user, on which stacks are made. */
struct scratch {
	struct device devs[STACK_LEGS];
	int claims[STACK_LEGS];		/* exclusive open; -1: lent to a stack */
	int locks[STACK_LEGS];		/* flock on the node, which keeps udev off the device */
	size_t n;
};

/**
 * scratch_open() - find, check, claim and lock the devices
 * @s: end it with scratch_close(), also after a failure
 * @names: names of the devices
 * @n: number of devices
 * Return: 0 or -errno, reported.
 */
int scratch_open(struct scratch *s, const char *const *names, size_t n);

/**
 * scratch_lend() - give up the claims, so that a stack can open the devices
 * @s: the devices; scratch_take() claims them again
 */
void scratch_lend(struct scratch *s);

/**
 * scratch_take() - claim those devices again that are not claimed
 * @s: the devices
 *
 * This fails if a device is in use, or if a signature was left on it.
 *
 * Return: 0 or -errno, reported.
 */
int scratch_take(struct scratch *s);

/**
 * scratch_close() - give up the claims and the locks
 * @s: the devices
 */
void scratch_close(struct scratch *s);

#endif
