/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_BY_H
#define BLKLAT_BY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "blklat.h"
#include "core/hist.h"

/* What I/Os are grouped by (--by) */
enum by_key { BY_NONE, BY_OP, BY_SIZE, BY_PID, BY_COMM, BY_CGROUP, NR_BY_KEYS };

/* By enum by_key, as the user writes them; ends with NULL. */
extern const char *const by_names[];

/* Groups per device that are kept apart; what comes when there are so many is in one more. */
#define BY_GROUPS 256

/**
 * struct by_group - the I/Os of a device that have the same key
 * @id: the key: a number, or the name of a task
 * @comm: the name of the task that submitted the first one, where that is known
 * @known: the path was looked for
 * @path: of the control group, NULL when it is gone or for another key
 * @rows: their distributions, NULL while there is no sample
 */
struct by_group {
	uint64_t id[2];
	char comm[BLKLAT_COMM_LEN];
	bool known;
	char *path;
	struct hist *rows[NR_ALL_ROWS];
};

struct by;

/* Return: NULL without memory. */
struct by *by_new(enum by_key key, unsigned int max_devs);
void by_free(struct by *by);

/* The distributions of the group that this I/O, which ended, belongs to. */
struct hist **by_rows(struct by *by, const struct blklat_io *io);

/**
 * by_groups() - the groups of a device, in no order
 * @rest: set to what found BY_GROUPS others, NULL if there is no such I/O
 * Return: how many there are in @groups.
 */
size_t by_groups(const struct by *by, unsigned int dev, const struct by_group **groups,
		 const struct by_group **rest);

/* What to call a group: "4KiB", "read", "1234 fio", "/system.slice". */
void by_label(enum by_key key, const struct by_group *g, char *buf, size_t len);

#endif
