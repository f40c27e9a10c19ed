/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_CHECK_H
#define BLKLAT_STACK_CHECK_H

#include "blklat/stack/build.h"

#define PLAN_LAYERS	4

/* The layers of a stack: types[0] is the uppermost of @n. */
struct stack_plan {
	char name[DEV_TEXT];
	const struct stack_type *types[PLAN_LAYERS];
	size_t n;
};

/**
 * plans_parse() - parse "raw,dm-crypt/md-raid0"
 * @names: the text
 * @plans: set to the plans, which the caller frees with free()
 * @n: set to the number of plans
 * Return: 0, -EUSAGE or -errno, reported.
 */
int plans_parse(const char *names, struct stack_plan **plans, size_t *n);

/**
 * plans_check() - check that this machine can make stacks on the given devices
 * @plans: the stacks
 * @n: number of @plans
 * @non: number of scratch devices; 0: temporary legs
 * @destroy: the user allows that the data on scratch devices is lost; else they are refused
 * @on: names of the scratch devices
 *
 * This loads the kernel modules that the stacks need.
 * Return: 0, -EUSAGE or -errno, reported.
 */
int plans_check(const struct stack_plan *plans, size_t n, size_t non, bool destroy,
		const char *const *on);

#endif
