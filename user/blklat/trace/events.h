/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_EVENTS_H
#define BLKLAT_TRACE_EVENTS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include "blklat/trace/stack.h"
#include "core/opt.h"

/**
 * struct trace_events_cfg - the options about records of single I/Os
 * @json: file for JSON lines, "-" for stdout, NULL for none; a terminal gets a table
 * @perfetto: file for a trace for Perfetto, "-" for stdout, NULL for none
 * @slower_ns: record only I/Os that took at least this long
 * @sample: of these, record one in this many
 */
struct trace_events_cfg {
	const char *json;
	const char *perfetto;
	uint64_t slower_ns;
	uint64_t sample;
};

/* These are rows for an option table; @member of @cfg is a struct trace_events_cfg. */
#define OPT_EVENTS(cfg, member)								\
	{ .type = OPT_HEADING, .help = "Single I/Os" },					\
	{ "events", 0, OPT_STRING, OPT_AT(cfg, member.json), NULL, "FILE",		\
	  "write a line of JSON per I/O; - is stdout, on a terminal as a table, and the "	\
	  "other tables are left out" },						\
	{ "perfetto", 0, OPT_STRING, OPT_AT(cfg, member.perfetto), NULL, "FILE",	\
	  "write a trace of the I/Os that Perfetto's UI opens; - is stdout" },		\
	{ "slower", 0, OPT_TIME, OPT_AT(cfg, member.slower_ns), NULL, "TIME",		\
	  "write only I/Os that take at least this long" },				\
	{ "sample", 0, OPT_COUNT, OPT_AT(cfg, member.sample), "1", "N",		\
	  "write only every N-th of these I/Os", .min = 1, .max = 1 << 30 }

/**
 * trace_events_wanted() - find out if the user wants records of single I/Os
 * @cfg: the options
 *
 * Return: true with --events or --perfetto.
 */
static inline bool trace_events_wanted(const struct trace_events_cfg *cfg)
{
	return cfg->json || cfg->perfetto;
}

/**
 * trace_events_on_stdout() - find out if events are written to stdout
 * @cfg: the options
 *
 * Return: true if one of the files is "-".
 */
bool trace_events_on_stdout(const struct trace_events_cfg *cfg);

/**
 * trace_events_check() - check that the options go together
 * @cfg: the options
 * @taken: the option whose result is on stdout, NULL if there is none
 * Return: 0 or -EUSAGE, reported.
 */
int trace_events_check(const struct trace_events_cfg *cfg, const char *taken);

struct trace_events;

/**
 * trace_events_open() - create the files
 * @cfg: the options, in use until trace_events_close()
 * @argv: the command line, in use until trace_events_close()
 * @events: set to NULL if no events are wanted
 *
 * Call this before the programs are attached, which takes seconds, because a file may not be
 * writable.
 *
 * Return: 0 or -errno, reported. Call trace_events_close() in both cases.
 */
int trace_events_open(const struct trace_events_cfg *cfg, char *const *argv,
		      struct trace_events **events);

/**
 * trace_events_begin() - start to write the events; call it after session_start()
 * @e: from trace_events_open(); NULL does nothing
 * @stack: the devices; not used after the return
 * @session: the trace, which must stay open until trace_events_end() or trace_events_close()
 *
 * Return: 0 or -errno, reported.
 */
int trace_events_begin(struct trace_events *e, const struct trace_stack *stack,
		       struct session *session);

/**
 * trace_events_names() - take the names of devices that have joined
 * @e: from trace_events_open(); NULL does nothing
 * @stack: the devices; not used after the return
 *
 * A device may be gone, or its number may be that of another one, when its first line is made.
 */
void trace_events_names(struct trace_events *e, const struct trace_stack *stack);

/**
 * trace_events_unread() - find out if the reader of a pipe is gone
 * @e: from trace_events_open(), may be NULL
 *
 * Return: true if an output is a pipe that cannot be written any more, because nobody reads it.
 */
bool trace_events_unread(const struct trace_events *e);

/**
 * trace_events_end() - write the events that are left; call it after session_stop()
 * @e: from trace_events_open(); if it is NULL or its events have not begun, this does nothing
 *
 * Return: 0, or -errno of the write that failed, reported.
 */
int trace_events_end(struct trace_events *e);

/**
 * trace_events_lost() - count the records that were lost
 * @e: the events, after trace_events_end(); may be NULL
 *
 * Return: the number of records that were not written; 0 for NULL.
 */
uint64_t trace_events_lost(const struct trace_events *e);

/**
 * trace_events_json() - put the files and the number of their events into JSON
 * @e: the events, after trace_events_end(); may be NULL
 *
 * Return: the JSON object "events file", which the caller frees; NULL for NULL.
 */
json_object *trace_events_json(const struct trace_events *e);

/**
 * trace_events_print() - print a line with the number of events
 * @e: the events, after trace_events_end(); NULL prints nothing
 * @f: where to print
 */
void trace_events_print(const struct trace_events *e, FILE *f);

/**
 * trace_events_close() - make the lines that are left, close the files, and free the events
 * @e: from trace_events_open(); NULL does nothing
 *
 * The files lack their end if trace_events_end() was not called.
 */
void trace_events_close(struct trace_events *e);

#endif
