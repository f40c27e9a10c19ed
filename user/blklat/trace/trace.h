/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRACE_H
#define BLKLAT_TRACE_H

#include <json-c/json.h>
#include <string.h>
#include "blklat/trace/changes.h"
#include "blklat/trace/events.h"
#include "blklat/trace/metrics.h"
#include "blklat/trace/stack.h"
#include "blklat/trace/view.h"
#include "blklat/collect/session.h"
#include "core/child.h"
#include "core/log.h"
#include "core/opt.h"
#include "blklat/result/names.h"
#include "blklat/result/result.h"

/* These are the settings of a trace. The option tables of the commands that trace fill them in. */
struct trace_cfg {
	struct common_cfg common;
	uint64_t time;
	uint64_t interval;
	uint64_t count;		/* number of intervals; 0 for no end */
	uint64_t ops;
	uint64_t pid;
	const char *comm;
	const char *cgroup;
	const char *json;
	const char *output;	/* result file, written in place of tables */
	const char *openmetrics;
	uint64_t ring;	/* see struct session_opts */
	int by;		/* enum by_key */
	struct trace_events_cfg events;
	bool up;
	bool check;
	bool spans;
	bool hist;
	bool cost;
	bool submitter;
	bool plug;
	bool steady;	/* see struct session_opts */
	bool strict;
};

/* The option tables of all commands that trace have these rows. */
#define TRACE_OPTS_WHICH							\
	{ "op", 0, OPT_SET, OPT_AT(struct trace_cfg, ops), "all", "LIST",	\
	  "trace only these kinds of I/O", op_names },				\
	{ "up", 'u', OPT_FLAG, OPT_AT(struct trace_cfg, up),			\
	  .help = "instead of DEV, trace the devices on top of it, down to all disks" }, \
	{ .type = OPT_HEADING, .help = "Whose I/O" },				\
	{ "pid", 'p', OPT_COUNT, OPT_AT(struct trace_cfg, pid), NULL, "PID",	\
	  "trace only this process and its threads", .min = 1, .max = 1 << 30 }, \
	{ "comm", 0, OPT_STRING, OPT_AT(struct trace_cfg, comm), NULL, "NAME", \
	  "trace only tasks with this name (at most 15 characters)" },		\
	{ "cgroup", 0, OPT_STRING, OPT_AT(struct trace_cfg, cgroup), NULL, "DIR", \
	  "trace only tasks in or below this cgroup" }
#define TRACE_OPTS_HOW								\
	{ "strict", 0, OPT_FLAG, OPT_AT(struct trace_cfg, strict),		\
	  .help = "exit with status 1 if any I/O or any record of one was lost" }, \
	{ "cost", 0, OPT_FLAG, OPT_AT(struct trace_cfg, cost), "yes",		\
	  .help = "measure the time of the BPF programs, also within a layer; "	\
		  "--no-cost makes tracing cheaper" },				\
	{ "submitter", 0, OPT_FLAG, OPT_AT(struct trace_cfg, submitter), "yes", \
	  .help = "follow an I/O also in the system call that it comes from, and until its " \
		  "submitter is told; --no-submitter makes tracing cheaper" },	\
	{ "plug", 0, OPT_FLAG, OPT_AT(struct trace_cfg, plug),		\
	  .help = "show the time in the plug of the submitter as stage plug, and not as a part " \
		  "of sched; tracing then costs more, because a program runs for each plug "	\
		  "that is flushed" },						\
	{ "check", 0, OPT_FLAG, OPT_AT(struct trace_cfg, check),		\
	  .help = "verify that the stages of every I/O sum to its total" },	\
	{ "ring", 0, OPT_SIZE, OPT_AT(struct trace_cfg, ring), NULL, "SIZE",	\
	  "memory for the I/Os in flight and the I/Os that are not counted yet, and as much "	\
	  "again for --events; without it, a part of the memory that blklat may use",	\
	  .min = 64 << 10, .max = 1 << 30 }

/**
 * trace_stdout_taken() - find out if stdout carries JSON, a result file or events for a program
 * @cfg: the settings
 *
 * Return: true if it does; then no tables are printed.
 */
static inline bool trace_stdout_taken(const struct trace_cfg *cfg)
{
	return (cfg->json && !strcmp(cfg->json, "-")) ||
	       (cfg->output && !strcmp(cfg->output, "-")) ||
	       trace_events_on_stdout(&cfg->events);
}

/**
 * struct trace - a trace under way
 * @cfg: the settings
 * @argv: the command line
 * @names: the devices as the user named them; none for all devices
 * @nnames: number of @names
 * @stack: the devices that are traced
 * @changes: the changes of @stack
 * @events: writes the records of single I/Os; NULL if none are wanted
 * @events_error: error of writing events, already reported; the other results are still valid
 * @devs: the result of each device in @stack; NULL before trace_collect()
 * @session: the programs; NULL before they are attached
 * @sigfd: file of child_signals()
 * @child: the command; its status is 0 if the trace ended the command
 * @start_ns: when recording started, monotonic clock
 * @elapsed_ns: how long the trace recorded; 0 before its end
 * @unfinished: by device, the I/Os in flight at the end of the trace
 * @stop_ns: when @unfinished was taken, monotonic clock
 * @view: the numbers of the last interval
 * @intervals: how many intervals were printed
 * @shown_ns: when an interval or the progress was last shown, monotonic clock
 * @metrics: the state of --openmetrics
 * @progress: the progress line
 * @recording: the intervals, if there is a result file; else NULL
 *
 * The caller sets @cfg, @progress and @sigfd (to -1) and zeroes the rest.
 */
struct trace {
	const struct trace_cfg *cfg;
	char *const *argv;
	char *const *names;
	size_t nnames;
	struct trace_stack stack;
	struct trace_changes changes;
	struct trace_events *events;
	int events_error;
	struct result_dev *devs;
	struct session *session;
	int sigfd;
	struct child child;
	unsigned long long start_ns;
	unsigned long long elapsed_ns;
	struct unfinished unfinished[BLKLAT_MAX_DEVS];
	unsigned long long stop_ns;
	struct view view;
	unsigned int intervals;
	unsigned long long shown_ns;
	struct trace_metrics metrics;
	struct progress progress;
	struct recording *recording;
};

/**
 * trace_main() - trace as the options say, print the result and write the files
 * @cfg: the settings
 * @args: the devices, and a command to run
 *
 * Return: as run() of a command.
 */
int trace_main(const struct trace_cfg *cfg, struct opt_args *args);

/**
 * trace_open() - find the devices and everything below them, then attach the programs
 * @t: prepared as struct trace says
 * @args: the devices, and a command to run, which must exist; in use until trace_close()
 *
 * Nothing is recorded before trace_begin() or trace_follow().
 *
 * Return: 0 or -errno, reported. Call trace_close() in both cases.
 */
int trace_open(struct trace *t, struct opt_args *args);

/**
 * trace_follow() - start to record, run the command, wait for the end of the trace, collect
 * @t: from trace_open()
 * @command: words of the command; NULL for none
 *
 * The trace ends after --time, when the command ends, or when nobody reads the output any more;
 * at a signal without a command, or at the second one.
 *
 * Return: 0 or -errno, reported.
 */
int trace_follow(struct trace *t, char **command);

/**
 * trace_begin() - start to record
 * @t: from trace_open()
 *
 * This is for callers that do not use trace_follow().
 */
void trace_begin(struct trace *t);

/**
 * trace_wait() - wait for 0.1 s at most, keep the trace going, and read signals
 * @t: the trace
 * @until: return at this time at the latest, monotonic clock in ns
 *
 * Return: true if a signal, the end of the command or a reader that is gone ends the trace.
 */
bool trace_wait(struct trace *t, unsigned long long until);

/**
 * trace_next() - compute until when trace_wait() may wait
 * @t: the trace, begun
 * @since: when the caller last did its work, monotonic clock in ns
 * @every: time from one work of the caller to the next, in ns
 *
 * Return: when the trace ends by --time, or @every after @since, whichever comes first; monotonic
 * clock in ns.
 */
unsigned long long trace_next(const struct trace *t, unsigned long long since,
			      unsigned long long every);

/**
 * trace_is_over() - find out if the time of --time or the number of --count is over
 * @t: the trace, begun
 * @now: monotonic clock, ns
 *
 * Return: true if one of them is.
 */
bool trace_is_over(const struct trace *t, unsigned long long now);

/**
 * trace_stop() - wait for the I/Os in flight, for 5 s at most, then detach the programs
 * @t: the trace, begun; its elapsed_ns, unfinished and stop_ns are set
 */
void trace_stop(struct trace *t);

/**
 * trace_collect() - take the results of the devices from the session
 * @t: the trace, after trace_stop(); its devs are set, so call this once
 *
 * Return: 0 or -ENOMEM, reported.
 */
int trace_collect(struct trace *t);

/**
 * trace_close() - detach the programs, close the files, and free all of a trace
 * @t: the trace; trace_open() may have failed
 */
void trace_close(struct trace *t);

/**
 * trace_command_status() - get the exit status of the command
 * @t: the trace, after trace_follow()
 *
 * Return: the status as a shell gives it (128 + signal); 0 if there is no command, or if the trace
 * ended it.
 */
int trace_command_status(const struct trace *t);

/**
 * trace_report() - print the tables and put the same into @doc
 * @t: the trace, after trace_collect()
 * @doc: JSON document, which gets more members
 *
 * Return: 0; -EIO if, with --check, the stages of an I/O do not sum to its total or if, with
 * --strict, an I/O or a record of one was lost; or -errno. Failures are reported.
 */
int trace_report(struct trace *t, json_object *doc);

#endif
