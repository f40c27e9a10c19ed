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

/* Make the groups of @max_devs devices, without any I/O. Return NULL if there is no memory. */
struct by *by_new(enum by_key key, unsigned int max_devs);
/* Free the groups of all devices. NULL does nothing. */
void by_free(struct by *by);

/* Return the distributions, by row, of the group that this ended I/O belongs to. */
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

/* Write the label of a group to @buf: "4KiB", "read", "1234 fio", "/system.slice". */
void by_label(enum by_key key, const struct by_group *g, char *buf, size_t len);

#endif
