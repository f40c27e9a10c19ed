/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_DIFF_H
#define BLKLAT_DIFF_H

#include "blklat/result/result.h"

/* What must be the same for a difference to be that of the devices; diff_allow[] has the names. */
enum diff_pin {
	DIFF_LOAD,
	DIFF_SEED,
	DIFF_BLOCK_SIZE,
	DIFF_OPS,
	DIFF_SIZE,
	NR_DIFF_PINS
};
extern const char *const diff_allow[];

/* One device of a result */
struct diff_side {
	const struct result *result;
	const struct result_dev *dev;
};

/**
 * diff_pins() - whether these were made in the same way
 * @allow: bit per diff_pin that need not be the same
 * @list: gets those that are not the same and may be so
 * Return: 0 or -EINVAL, reported with both and the way to allow it.
 */
int diff_pins(const struct diff_side *a, const struct diff_side *b, uint64_t allow, json_object *list);

/**
 * diff_facts() - what is not the same and need not be: kernel, machine, device
 * @list: gets { what, values } for each
 */
void diff_facts(const struct diff_side *sides, size_t n, json_object *list);

#endif
