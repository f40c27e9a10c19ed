/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_BY_H
#define BLKLAT_BY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "blklat.h"
#include "core/hist.h"

/* I/Os are grouped by one of these keys (--by). */
enum by_key { BY_NONE, BY_OP, BY_SIZE, BY_PID, BY_COMM, BY_CGROUP, NR_BY_KEYS };

/* These are the names of the keys as the user writes them, by enum by_key; NULL comes last. */
extern const char *const by_names[];

/* A device has at most this many groups. The I/Os of all further groups share one more group. */
#define BY_GROUPS 256

/**
 * struct by_group - the I/Os of a device that have the same key
 * @id: the key: a number, or the name of a task
 * @comm: the name of the first task that had one and submitted one of these I/Os; "" if none had
 * @known: true if @path was looked up
 * @path: path of the control group; NULL if that is gone, or if the key is another one
 * @rows: distributions of these I/Os by row, NULL while there is no sample
 */
struct by_group {
	uint64_t id[2];
	char comm[BLKLAT_COMM_LEN];
	bool known;
	char *path;
	struct hist *rows[NR_ALL_ROWS];
};

struct by;

/**
 * by_new() - make the groups of some devices, without any I/O
 * @key: the key by which I/Os are grouped
 * @max_devs: number of devices
 *
 * Return: the groups, to be freed with by_free(); NULL without memory, not reported.
 */
struct by *by_new(enum by_key key, unsigned int max_devs);

/**
 * by_free() - free the groups of all devices
 * @by: the groups; NULL does nothing
 */
void by_free(struct by *by);

/**
 * by_rows() - find the group that an ended I/O belongs to, and make it if there is none
 * @by: all groups; only one thread at a time may use them
 * @io: slot of the I/O
 *
 * Return: the distributions of the group, by row; they belong to @by.
 */
struct hist **by_rows(struct by *by, const struct blklat_io *io);

/**
 * by_groups() - get the groups of a device, in no order
 * @by: all groups
 * @dev: index of the device
 * @groups: set to the groups
 * @rest: set to the group of the I/Os that came when there were BY_GROUPS other groups; NULL if
 *	there are none
 *
 * Return: the number of @groups.
 */
size_t by_groups(const struct by *by, unsigned int dev, const struct by_group **groups,
		 const struct by_group **rest);

/**
 * by_label() - write the label of a group: "4KiB", "read", "1234 fio", "/system.slice"
 * @key: the key that by_new() got
 * @g: one of the @groups of by_groups(); its @rest has no label
 * @buf: set to the label, in which '?' replaces bytes that a terminal should not get
 * @len: bytes in @buf, at least 1
 */
void by_label(enum by_key key, const struct by_group *g, char *buf, size_t len);

#endif
