/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_SAMPLING_H
#define BLKLAT_TRACE_SAMPLING_H

#include "blklat/collect/session.h"
#include "blklat/result/result.h"
#include "blklat/trace/stack.h"

/* A sample is a part of a trace: what the session's histograms gained between two looks. */

/**
 * struct trace_samples - the histograms at the last look
 * @devs: one for each device that was looked at, else NULL
 */
struct trace_samples {
	struct trace_sample_last *devs[BLKLAT_MAX_DEVS];
};

/**
 * trace_samples_take() - add a device's I/Os since the last call to a sample
 * @t: the histograms at the last call, zeroed at first; brought up to date
 * @session: the trace
 * @i: index of the device
 * @stack: the devices, to take the stages too; NULL: take only the totals
 * @s: the sample; NULL to only start a new part
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int trace_samples_take(struct trace_samples *t, const struct session *session, size_t i,
		       const struct trace_stack *stack, struct result_sample *s);

/**
 * trace_samples_free() - free the histograms
 * @t: the histograms at the last call; empty afterwards, and may be used again
 */
void trace_samples_free(struct trace_samples *t);

#endif
