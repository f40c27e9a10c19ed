/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_RECORDING_H
#define BLKLAT_RECORDING_H

#include <json-c/json.h>
#include "blklat/trace/trace.h"
#include "blklat/trace/sampling.h"

/*
 * A recording that has this many intervals merges each two neighbours, and intervals take twice
 * as long from then on.
 */
#define RECORDING_MAX_INTERVALS 300

/**
 * struct recording - the intervals of a trace that is recorded into a file
 * @samples: the counts at the end of the last interval
 * @devs: for each device, the samples of its intervals
 * @last_ns: end of the last interval, monotonic clock
 * @every_ns: length of an interval now
 * @rounds: number of intervals until now; merged ones count once
 */
struct recording {
	struct trace_samples samples;
	struct result_dev devs[BLKLAT_MAX_DEVS];
	unsigned long long last_ns;
	uint64_t every_ns;
	unsigned int rounds;
};

/**
 * recording_new() - make a recording without any interval
 * @every_ns: length of an interval at first, in ns
 * @start_ns: start of the trace, monotonic clock in ns
 *
 * Return: the recording, which recording_free() frees; NULL without memory, reported.
 */
struct recording *recording_new(uint64_t every_ns, unsigned long long start_ns);

/**
 * recording_free() - free a recording
 * @r: the recording; NULL does nothing
 */
void recording_free(struct recording *r);

/**
 * recording_take() - take the sample of the interval if the interval is over
 * @r: the recording
 * @t: the trace, begun
 * @now: monotonic clock, ns
 * @all: end the interval even if its time is not over
 * Return: 0 or -ENOMEM, reported.
 */
int recording_take(struct recording *r, struct trace *t, unsigned long long now, bool all);

/**
 * recording_doc() - add the members that a result file has and the JSON of a trace does not
 * @r: the recording
 * @t: the trace
 * @doc: the JSON of @t, which already has "devices"
 */
void recording_doc(const struct recording *r, const struct trace *t, json_object *doc);

#endif
