/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_DIFF_H
#define BLKLAT_DIFF_H

#include "blklat/result/result.h"

/*
 * Properties that must be the same in both results, or else a difference may come from something
 * other than the devices. diff_allow[] has their names.
 */
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
 * diff_pins() - check that two results were made in the same way
 * @a: a device of one result, the baseline
 * @b: a device of the other result
 * @allow: bit per diff_pin that may differ
 * @list: gets the properties that differ and may do so
 * Return: 0 or -EINVAL, reported with both values and the option that allows the difference.
 */
int diff_pins(const struct diff_side *a, const struct diff_side *b, uint64_t allow,
	      json_object *list);

/**
 * diff_facts() - find differences that the user need not --allow: of kernel, machine, device
 * @sides: the compared devices
 * @n: number of @sides
 * @list: gets { what, values } for each difference
 */
void diff_facts(const struct diff_side *sides, size_t n, json_object *list);

#endif
