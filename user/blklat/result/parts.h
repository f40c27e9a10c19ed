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
 * parts_add() - add the stages that are missing, each after the one that comes before it in @rows
 * @p: the list, zeroed before the first call; free it with parts_free(), also after a failure
 * @rows: rows of a device or of a sample, which must live as long as the list; a stage is not added
 *	for a row without I/O, except "unattributed"
 * @group: add only the stages of this group; NULL: add all
 * @at: index in @p of the first stage, if it is missing
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int parts_add(struct parts *p, const struct result_rows *rows, const char *group, size_t at);

/**
 * parts_of() - list all stages of some devices: by group, and within a group in the order of time
 * @devs: the devices
 * @n: number of devices
 * @p: set to the stages; free it with parts_free(), also after a failure
 * Return: 0 or -ENOMEM, not reported.
 */
int parts_of(const struct result_dev *const *devs, size_t n, struct parts *p);

/**
 * parts_free() - free a list of stages
 * @p: the list, which may be zeroed; zeroed
 */
void parts_free(struct parts *p);

/**
 * part_is_thinking() - tell if a stage is the thinking of a task
 * @p: the stage
 *
 * Return: true for thinking, which is no part of an I/O's time.
 */
bool part_is_thinking(const struct part *p);

/**
 * part_label() - write the label of a stage
 * @buf: set to "sched", "dm-0 submit"; to that of result_stage_label() if devices differ in it
 * @len: bytes in @buf
 * @p: the stage
 */
void part_label(char *buf, size_t len, const struct part *p);

/**
 * part_of() - find the row of a device for a stage
 * @d: the device
 * @p: the stage
 *
 * Return: the row; NULL if the device has no I/O in it.
 */
const struct result_row *part_of(const struct result_dev *d, const struct part *p);

/**
 * part_mean() - find the mean time in a stage per I/O of the device
 * @d: the device
 * @p: the stage
 *
 * The mean is not per I/O that has the stage, so that the means add up. Only for thinking it is the
 * mean of the I/Os that have it.
 *
 * Return: the mean in ns; 0 if the device has no I/O in the stage.
 */
double part_mean(const struct result_dev *d, const struct part *p);

#endif
