/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_RECORD_H
#define BLKLAT_RECORD_H

#include <json-c/json.h>
#include "blklat/trace/trace.h"
#include "blklat/trace/samples.h"

/* When a trace has this many intervals, each two become one and they are twice as long. */
#define RECORD_MAX_INTERVALS 300

/* The intervals of a trace that goes into a file. */
struct recording {
	struct trace_samples samples;
	struct result_dev devs[BLKLAT_MAX_DEVS];
	unsigned long long last_ns;
	uint64_t every_ns;
	unsigned int rounds;
};

/* Return: NULL for no memory, reported. */
struct recording *recording_new(uint64_t every_ns, unsigned long long start_ns);
void recording_free(struct recording *r);

/**
 * recording_take() - end the interval if it is over
 * @all: it is, whatever the time
 * Return: 0 or -ENOMEM, reported.
 */
int recording_take(struct recording *r, struct trace *t, unsigned long long now, bool all);

/* What a result file has beyond the JSON of a trace, into @doc with its "devices". */
void recording_doc(const struct recording *r, const struct trace *t, json_object *doc);

#endif
