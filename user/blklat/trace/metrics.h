/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_METRICS_H
#define BLKLAT_TRACE_METRICS_H

#include <stdint.h>

/* Write the file this often, in ns, if --interval does not say how often. */
#define METRICS_EVERY_NS 10000000000ULL

struct trace;

/* This is the state of --openmetrics. It is zeroed at first. */
struct trace_metrics {
	int64_t start_ns;	/* start of the trace, UNIX time in ns */
	unsigned long long last_ns;
	int error;		/* error of the last write; a repeated one is not reported */
};

/**
 * trace_metrics_tick() - write the file when it is time to
 * @t: the trace, begun; without --openmetrics this does nothing
 * @now: monotonic clock, ns
 *
 * A failure is reported, once if it repeats, and the trace goes on.
 */
void trace_metrics_tick(struct trace *t, unsigned long long now);

/**
 * trace_metrics_end() - write the file a last time
 * @t: the trace; if it was not stopped by trace_stop(), or has no --openmetrics, this does nothing
 *
 * Return: 0 or -errno; reported, unless the write before failed with the same error.
 */
int trace_metrics_end(struct trace *t);

#endif
