/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_INTERVAL_H
#define BLKLAT_TRACE_INTERVAL_H

#include <stdio.h>
#include "blklat/trace/stack.h"

/**
 * struct trace_interval - the counters of each device when the last line was printed
 * @start_ns: start of the trace, monotonic clock
 * @last_ns: time of the last line
 * @count: number of I/Os of each device
 * @sum: sum of their totals in ns
 */
struct trace_interval {
	unsigned long long start_ns;
	unsigned long long last_ns;
	uint64_t count[BLKLAT_MAX_DEVS];
	uint64_t sum[BLKLAT_MAX_DEVS];
};

void trace_interval_begin(struct trace_interval *v, unsigned long long start_ns);

/**
 * trace_interval_print() - print a line per device: I/Os per second and mean since the last line
 *
 * The devices below a device follow it, indented. Devices that have left the stack are left out.
 * The caller sets @v->last_ns afterwards, as it also does when it prints something else.
 */
void trace_interval_print(struct trace_interval *v, const struct trace_stack *s,
			  const struct session *session, unsigned long long now, FILE *f);

#endif
