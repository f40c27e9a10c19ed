/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_VIEW_H
#define BLKLAT_TRACE_VIEW_H

#include <stdio.h>
#include "blklat/trace/stack.h"

/*
 * The devices on top are sorted by one of these, the largest first. SORT_NAME leaves them in the
 * order of the stack.
 */
enum view_sort {
	SORT_NAME, SORT_IOPS, SORT_BANDWIDTH, SORT_IN_FLIGHT, SORT_MEAN, SORT_P99, SORT_MAX,
	NR_SORTS
};

extern const char *const view_sorts[];	/* NULL-terminated */

/**
 * struct view_device - what a device did in an interval
 * @iops: I/Os that ended, per second
 * @bandwidth: bytes of the I/Os that ended, per second
 * @mean: mean of the totals, in ns; 0 without I/Os, like all times here
 * @p99: 99th percentile of the totals, in ns
 * @max: the longest total, in ns, or the end of its bucket
 * @stage: by row, ns per I/O of the device
 * @unfinished: the I/Os that have begun in the trace and have not ended
 */
struct view_device {
	double iops;
	double bandwidth;
	double mean;
	double p99;
	double max;
	double stage[NR_ALL_ROWS];
	struct unfinished unfinished;
};

/**
 * struct view - the numbers of the last interval, and how to show them
 * @devs: by device of the stack
 * @now_ns: end of the interval, monotonic clock
 * @seconds: length of the interval
 * @sort: what the devices on top are sorted by
 * @rows: the devices in the order in which view_print() printed them; a device below several others
 *	is there as often
 * @nrows: number of @rows
 * @chosen: the device that the user has chosen; SIZE_MAX for none
 * @open: the device whose stages are shown; SIZE_MAX for none
 * @before: the counters at the end of the interval before
 */
struct view {
	struct view_device devs[BLKLAT_MAX_DEVS];
	unsigned long long now_ns;
	double seconds;
	enum view_sort sort;
	size_t rows[BLKLAT_MAX_DEVS];
	size_t nrows;
	size_t chosen;
	size_t open;
	struct view_before *before;
};

/**
 * view_new() - prepare a view
 * @v: overwritten; free it with view_free(), also after a failure
 *
 * The first interval begins at @v->now_ns, which the caller has to set afterwards.
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int view_new(struct view *v);

/**
 * view_free() - free the counters of a view
 * @v: the view, which may be zeroed
 */
void view_free(struct view *v);

/**
 * view_take() - end an interval: take the numbers of all devices
 * @v: the view
 * @s: the devices
 * @session: the trace of these devices
 * @now_ns: monotonic clock
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int view_take(struct view *v, const struct trace_stack *s, const struct session *session,
	      unsigned long long now_ns);

/**
 * struct view_how - how to print a view
 * @width: columns of a line; TEXT_ANY for as many as it takes
 * @color: true to use colours
 * @head: true to print the names of the columns, too
 * @at: seconds to print before each device; below 0 for none
 */
struct view_how {
	size_t width;
	bool color;
	bool head;
	double at;
};

/**
 * view_print() - print a line per device, and more where there is more to say
 * @v: the view, after view_take(); its rows and nrows are set
 * @s: the devices
 * @how: how to print
 * @f: where to print
 */
void view_print(struct view *v, const struct trace_stack *s, const struct view_how *how, FILE *f);

#endif
