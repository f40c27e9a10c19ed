/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_EVENTS_H
#define BLKLAT_TRACE_EVENTS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include "blklat/trace/stack.h"
#include "core/opt.h"

/**
 * struct trace_events_cfg - what the options say about records of single I/Os
 * @json: file for JSON lines, "-" is stdout; NULL for none
 * @perfetto: the same for a trace for Perfetto
 * @slower_ns: only of I/Os that took at least this
 * @sample: of these only one in so many
 */
struct trace_events_cfg {
	const char *json;
	const char *perfetto;
	uint64_t slower_ns;
	uint64_t sample;
};

/* Rows of a table of options; @member of @cfg is a struct trace_events_cfg. */
#define OPT_EVENTS(cfg, member)								\
	{ .type = OPT_HEADING, .help = "Single I/Os" },					\
	{ "events", 0, OPT_STRING, offsetof(cfg, member.json), NULL, "FILE",		\
	  "write a line of JSON per I/O; - is stdout, and the tables are left out" },	\
	{ "perfetto", 0, OPT_STRING, offsetof(cfg, member.perfetto), NULL, "FILE",	\
	  "write a trace of the I/Os that Perfetto's UI opens; - is stdout" },		\
	{ "slower", 0, OPT_TIME, offsetof(cfg, member.slower_ns), NULL, "TIME",		\
	  "only I/Os that take at least this long" },					\
	{ "sample", 0, OPT_COUNT, offsetof(cfg, member.sample), "1", "N",		\
	  "only every N-th of these", .min = 1, .max = 1 << 30 }

static inline bool trace_events_wanted(const struct trace_events_cfg *cfg)
{
	return cfg->json || cfg->perfetto;
}

/* Whether stdout is for events. */
bool trace_events_on_stdout(const struct trace_events_cfg *cfg);

/**
 * trace_events_check() - whether the options go together
 * @taken: stdout is for something else
 * Return: 0 or -EUSAGE, reported.
 */
int trace_events_check(const struct trace_events_cfg *cfg, bool taken);

struct trace_events;

/**
 * trace_events_open() - create the files
 * @argv: the command line
 * @events: NULL when there are none to be written
 * Return: 0 or -errno, reported. Better before attaching: a file may not be writable.
 */
int trace_events_open(const struct trace_events_cfg *cfg, char *const *argv, struct trace_events **events);

/* After session_start(): from now on they are written. Return: 0 or -errno, reported. */
int trace_events_begin(struct trace_events *e, const struct trace_stack *stack,
		       struct session *session);

/* Whether who reads them from a pipe has gone: then nothing can follow. */
bool trace_events_unread(const struct trace_events *e);

/**
 * trace_events_end() - write what is left; after session_stop()
 * Return: 0 or -errno of what could not be written, reported.
 */
int trace_events_end(struct trace_events *e);

/* "events" of Documentation/json.rst, NULL for none. */
json_object *trace_events_json(const struct trace_events *e);

/* A line that says how many there were. */
void trace_events_print(const struct trace_events *e, FILE *f);

void trace_events_close(struct trace_events *e);

#endif
