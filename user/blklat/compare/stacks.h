/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_STACKS_H
#define COMPARE_STACKS_H

#include "blklat/compare/compare.h"

/**
 * compare_stacks_help() - print the types of stacks on stdout
 *
 * Return: 0.
 */
int compare_stacks_help(void);

/**
 * compare_stacks_open() - prepare the stacks that --stacks names, and compare those
 * @c: the comparison; its devices, their result and @stacks are set. End it with
 *	compare_stacks_close(), also after a failure.
 *
 * On return the temporary stacks are built. Those on scratch devices were built once to check that
 * they can be made, and are taken down again.
 *
 * Return: 0, -EUSAGE or -errno, reported.
 */
int compare_stacks_open(struct compare *c);

/**
 * compare_stacks_close() - take down all stacks that were made, and free their description
 * @c: the comparison, which may have no stacks
 *
 * Return: 0 or -errno, reported.
 */
int compare_stacks_close(struct compare *c);

/**
 * compare_stacks_by_turns() - tell if each stack is made anew for each turn, one at a time
 * @c: the comparison
 *
 * Return: true if so: then the set of existing devices changes from turn to turn.
 */
static inline bool compare_stacks_by_turns(const struct compare *c)
{
	return c->stacks && !c->stacks->temporary;
}

/**
 * compare_stacks_enter() - make the stack of a device if it does not exist
 * @c: the comparison; what it knows of the device is updated
 * @dev: index of the device
 *
 * Return: 1 if the stack was made, 0 if there was nothing to do, or -errno, reported.
 */
int compare_stacks_enter(struct compare *c, size_t dev);

/**
 * compare_stacks_leave() - take the stack of a device down if stacks are made by turns
 * @c: the comparison, which may have no stacks
 * @dev: index of the device
 *
 * Return: 0 or -errno, reported.
 */
int compare_stacks_leave(struct compare *c, size_t dev);

/**
 * compare_stacks_legs() - call a function for the scratch devices below the stacks
 * @c: the comparison, which has stacks
 * @fn: called with each scratch device, maybe more than once; a return value other than 0 ends
 *	the walk
 *
 * This is for stacks that are made by turns: as no stack exists between turns, the topology does
 * not lead to their scratch devices.
 *
 * Return: 0, or what @fn returned to end the walk.
 */
int compare_stacks_legs(struct compare *c, int (*fn)(struct compare *c, const struct device *d));

#endif
