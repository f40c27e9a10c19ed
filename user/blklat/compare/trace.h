/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_TRACE_H
#define COMPARE_TRACE_H

#include "blklat/compare/compare.h"

/**
 * compare_trace_groups() - divide the devices into groups that can be traced at the same time
 * @c: the comparison
 * @group: set to the group number of each of @c->devs
 *
 * Return: the number of groups, or -errno, reported.
 */
int compare_trace_groups(struct compare *c, unsigned int *group);

/**
 * compare_trace_open() - attach the programs to some devices and everything below them
 * @c: the comparison; @trace is set
 * @members: indexes of these devices in @c->devs
 * @n: number of @members
 *
 * Return: 0 or -errno, reported. Call compare_trace_close() in both cases.
 */
int compare_trace_open(struct compare *c, const unsigned int *members, size_t n);

/**
 * compare_trace_start() - start to record, after the turns that only warm up
 * @c: the comparison, after compare_trace_open()
 */
void compare_trace_start(struct compare *c);

/**
 * compare_trace_visit() - run the load once on a traced device
 * @c: the comparison, after compare_trace_start(); for a turn that warms up, before it
 * @v: the turn
 * @s: as for compare_load_run(), but the I/Os, bytes, latency and stages are those of the trace
 *
 * The run is shorter than @v->time_ns if the trace could not follow so many I/Os. A turn that warms
 * up only runs the load.
 *
 * Return: as compare_load_run(); also -EAGAIN if the stack changed during the run, not reported.
 */
int compare_trace_visit(struct compare *c, const struct compare_visit *v, struct result_sample *s);

/**
 * compare_trace_collect() - stop the trace and add its results to the devices in @c->res
 * @c: the comparison; if compare_trace_start() was not called, nothing is done
 * @members: as for compare_trace_open()
 * @n: number of @members
 *
 * The devices below are added to @c->res, so its array of devices may move.
 *
 * Return: 0 or -errno, reported.
 */
int compare_trace_collect(struct compare *c, const unsigned int *members, size_t n);

/**
 * compare_trace_close() - detach the programs and free the trace, if there is one
 * @c: the comparison; @trace is set to NULL
 */
void compare_trace_close(struct compare *c);

#endif
