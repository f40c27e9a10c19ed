/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_RESULT_PARTS_H
#define BLKLAT_RESULT_PARTS_H

#include <stdbool.h>
#include "blklat/result/result.h"

/**
 * struct part - what an I/O's time is made of: one stage of one layer, of all devices that have it
 * @row: of the first device that has it
 * @shared: devices call it differently
 */
struct part {
	const struct result_row *row;
	bool shared;
};

struct parts {
	struct part *v;
	size_t n;
};

/**
 * parts_of() - all stages of some devices, in the order of the groups, in each in the order of time
 * Return: 0 or -ENOMEM.
 */
int parts_of(const struct result_dev *const *devs, size_t n, struct parts *p);
void parts_free(struct parts *p);

/* The thinking of a task is no part of an I/O's time. */
bool part_is_thinking(const struct part *p);

/* "sched", "dm-0 submit"; where devices differ in that "layer 0 submit". */
void part_label(char *buf, size_t len, const struct part *p);

/* The same stage of a device, NULL where it has none. */
const struct result_row *part_of(const struct result_dev *d, const struct part *p);

/* Mean time per I/O of the device, not per I/O that has the stage: these add up. */
double part_mean(const struct result_dev *d, const struct part *p);

#endif
