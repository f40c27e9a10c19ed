/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_SOURCE_H
#define BLKLAT_TRACE_SOURCE_H

#include "blklat/collect/by.h"
#include "blklat/collect/session.h"
#include "blklat/result/result.h"

/**
 * struct io_source - some I/Os of a device, whose stages are read
 * @session: the trace
 * @layers: the layers below the device, or NULL with @groups
 * @dev: index of the device
 * @op: enum blklat_op, or NR_OPS for all
 * @groups: read these @ngroups groups of --by, and not the session; else NULL
 */
struct io_source {
	const struct session *session;
	const struct result_layers *layers;
	unsigned int dev;
	unsigned int op;
	const struct by_group *const *groups;
	size_t ngroups;
};

/* The time that tracing took in a stage of some I/Os, in ns, and how many I/Os these are. */
struct tracing {
	uint64_t ios, ns;
};

/**
 * source_tracing() - find how much of a stage tracing took
 * @s: the I/Os, without @groups
 * @row: the stage
 *
 * The devices that have the stage may have had other I/Os too, so the mean of all their I/Os is the
 * best that is known.
 *
 * Return: the sums of these devices; 0 if the time is not measured.
 */
struct tracing source_tracing(const struct io_source *s, unsigned int row);

/**
 * source_read() - read all stages
 * @s: the I/Os, without @groups
 * @rows: the rows from result_dev_new(), which are filled in
 */
void source_read(const struct io_source *s, struct result_rows *rows);

/**
 * source_add_group() - add a group with the total and the stages of some I/Os
 * @s: the I/Os; if there are none, nothing is added
 * @like: the rows from result_dev_new(), which have the names
 * @group: what else the group has
 * @groups: the groups; to be freed also after a failure
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int source_add_group(const struct io_source *s, const struct result_rows *like,
		     struct result_group group, struct result_groups *groups);

#endif
