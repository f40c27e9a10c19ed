/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_RESULT_PARTS_H
#define BLKLAT_RESULT_PARTS_H

#include <stdbool.h>
#include "blklat/result/result.h"

/**
 * struct part - a part of an I/O's time: one stage of one layer, for all devices that have it
 * @row: row of the first device that has the stage
 * @shared: true if devices have different labels for the stage
 * @kinds: kinds of the devices that have the stage, see result_kinds_add()
 */
struct part {
	const struct result_row *row;
	bool shared;
	char kinds[DEV_TEXT];
};

struct parts {
	struct part *v;
	size_t n;
};

/**
 * parts_of() - list all stages of some devices: by group, and within a group in the order of time
 * @devs: the devices
 * @n: number of devices
 * @p: set to the stages; free it with parts_free(), also after a failure
 * Return: 0 or -ENOMEM.
 */
int parts_of(const struct result_dev *const *devs, size_t n, struct parts *p);
void parts_free(struct parts *p);

/* Return true if this is the thinking of a task, which is no part of an I/O's time. */
bool part_is_thinking(const struct part *p);

/* Write a label: "sched", "dm-0 submit"; that of result_stage_label() if devices differ in it. */
void part_label(char *buf, size_t len, const struct part *p);

/* Return the row of a device for this stage; NULL if the device has no I/O in it. */
const struct result_row *part_of(const struct result_dev *d, const struct part *p);

/*
 * Return the mean time in a stage per I/O of the device, not per I/O that has the stage, so that
 * the means add up. For thinking, return the mean of the I/Os that have it.
 */
double part_mean(const struct result_dev *d, const struct part *p);

#endif
