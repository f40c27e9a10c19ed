/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_TRACE_H
#define COMPARE_TRACE_H

#include "blklat/compare/compare.h"

/**
 * compare_trace_groups() - divide the devices into groups that can be traced at the same time
 * @group: set to the group number of each of @c->devs
 * Return: the number of groups, or -errno, reported.
 */
int compare_trace_groups(struct compare *c, unsigned int *group);

/**
 * compare_trace_open() - attach the programs to some devices and everything below them
 * @members: indexes into @c->devs, @n of them
 * Return: 0 or -errno, reported. Call compare_trace_close() in both cases.
 */
int compare_trace_open(struct compare *c, const unsigned int *members, size_t n);
/* Start to record, after the turns that only warm up. */
void compare_trace_start(struct compare *c);
/*
 * Do the same as compare_load_run() and add the stages. Return -EAGAIN if the stack changed
 * during the run.
 */
int compare_trace_visit(struct compare *c, const struct compare_visit *v, struct result_sample *s);
/* Stop the trace and add its results to the devices in @c->res. Return: 0 or -errno, reported. */
int compare_trace_collect(struct compare *c, const unsigned int *members, size_t n);
/* Detach the programs and free the trace, if there is one. */
void compare_trace_close(struct compare *c);

#endif
