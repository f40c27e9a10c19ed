/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_INTERVAL_H
#define BLKLAT_TRACE_INTERVAL_H

#include <stdio.h>
#include "blklat/trace/stack.h"

/* What there was of each device at the line before. */
struct trace_interval {
	unsigned long long start_ns;
	unsigned long long last_ns;
	uint64_t count[BLKLAT_MAX_DEVS];
	uint64_t sum[BLKLAT_MAX_DEVS];
};

void trace_interval_begin(struct trace_interval *v, unsigned long long start_ns);

/**
 * trace_interval_print() - a line per device: I/Os per second and mean since the last time
 *
 * What lies below a device follows it, indented; what has left the stack does not.
 * The caller sets @v->last_ns, as it does where it prints something else.
 */
void trace_interval_print(struct trace_interval *v, const struct trace_stack *s,
			  const struct session *session, unsigned long long now, FILE *f);

#endif
