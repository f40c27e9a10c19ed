/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_METRICS_H
#define BLKLAT_TRACE_METRICS_H

#include <stdint.h>
#include "report/breakdown.h"

/* How often the file is written when --interval does not say it. */
#define METRICS_EVERY_NS 10000000000ULL

struct trace;

/* What a trace has for --openmetrics. Zeroed before. */
struct trace_metrics {
	struct breakdown *devs;	/* what there was at the last look; @ndevs of them */
	size_t ndevs;
	int64_t start_ns;	/* UNIX time */
	unsigned long long last_ns;
	int error;		/* of the last time: it is reported once */
};

/**
 * trace_metrics_tick() - write the file when it is time to
 *
 * A failure is reported, and the trace goes on.
 */
void trace_metrics_tick(struct trace *t, unsigned long long now);

/**
 * trace_metrics_end() - write what the trace has at its end, if it began
 * Return: 0 or -errno, reported.
 */
int trace_metrics_end(struct trace *t);

void trace_metrics_free(struct trace_metrics *m);

#endif
