/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_SAMPLES_H
#define BLKLAT_TRACE_SAMPLES_H

#include "blklat/collect/session.h"
#include "report/breakdown.h"
#include "blklat/result/result.h"

/*
 * Parts of a trace: what the session's histograms gained between two moments.
 */

/**
 * struct trace_samples - what there was at the last moment
 * @devs: of each device, once it was looked at; one row per row of a breakdown
 */
struct trace_samples {
	struct trace_sample_last *devs[BLKLAT_MAX_DEVS];
};

/**
 * trace_samples_take() - what a device's I/Os were since the last time
 * @i: number of the device
 * @b: names its rows
 * @rows: stages too, not only totals
 * @s: what it was is added here; NULL: nobody wants to know, only begin anew
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int trace_samples_take(struct trace_samples *t, const struct session *session, size_t i,
		       const struct breakdown *b, bool rows, struct result_sample *s);

void trace_samples_free(struct trace_samples *t);

#endif
