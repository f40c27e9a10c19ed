/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_CHECK_H
#define BLKLAT_STACK_CHECK_H

#include "blklat/stack/build.h"

#define PLAN_LAYERS	4

/* What a stack is made of: types[0] is the uppermost of @n layers. */
struct stack_plan {
	char name[DEV_TEXT];
	const struct stack_type *types[PLAN_LAYERS];
	size_t n;
};

/**
 * plans_parse() - read "raw,dm-crypt/md-raid0"
 * @plans: allocated, @n of them
 * Return: 0, -EUSAGE or -errno, reported.
 */
int plans_parse(const char *names, struct stack_plan **plans, size_t *n);

/**
 * plans_check() - whether this machine can make them on so many devices
 * @non: scratch devices, @on their names; 0: temporary legs
 * Loads the kernel modules.
 * Return: 0, -EUSAGE or -errno, reported.
 */
int plans_check(const struct stack_plan *plans, size_t n, size_t non, bool destroy,
		const char *const *on);

#endif
