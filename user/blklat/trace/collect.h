/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_COLLECT_H
#define BLKLAT_TRACE_COLLECT_H

#include "blklat/trace/trace.h"

/**
 * collect_device() - read from the session what the I/Os of a device were
 * @t: the trace, which may still be under way
 * @i: index of the device in the stack
 * @elapsed_ns: time since the start of the trace
 * @d: overwritten; free it with result_dev_free(), also after a failure. It does not get its tails,
 *	the groups of --by, the cost of tracing, and what collect_stack() sets.
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int collect_device(const struct trace *t, size_t i, uint64_t elapsed_ns, struct result_dev *d);

/**
 * collect_stack() - set what a device is in its stack: its kind, legs, flow, own time and own I/Os,
 *	and why I/Os are not split
 * @t: the trace, after collect_device() for all devices of @t->devs, which stay there
 * @i: index of the device in @t->devs
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int collect_stack(const struct trace *t, size_t i);

#endif
