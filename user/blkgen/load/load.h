/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_H
#define BLKGEN_LOAD_H

#include <stdio.h>
#include "core/dist.h"
#include "core/opt.h"
#include "core/sizes.h"
#include "device/device.h"
#include "device/tempdev.h"
#include "blkgen/kctl.h"
#include "report/report.h"

/* What the user asked for. */
struct load_cfg {
	struct common_cfg common;
	uint64_t qd, jobs, time, ios, offset, size, seed, batch, flush;
	struct io_sizes sizes;
	struct dist dist;
	uint64_t streams, zone_size, zone_skip, zone_range;
	uint64_t align, rate, burst, think, ramp, bytes, pass, stall, interval;
	uint64_t generation, drain;
	int arrival, engine;
	double mix;
	int rw;
	bool write, force_signature, fua, apart, steady, hist, verify;
	uint64_t per;			/* bits of load_per.h */
	const char *on_errors;		/* --errors as given */
	const char *cpus;		/* --cpus as given; NULL: none */
	uint64_t first_cpu;		/* of these, that of the first job: others are before it */
	const char *json, *job, *csv, *log, *scenario, *target_latency;
	struct strlist sweep;
};

enum load_rw {
	RW_READ, RW_WRITE, RW_RANDREAD, RW_RANDWRITE, RW_RW, RW_RANDRW,
	RW_TRIM, RW_RANDTRIM, RW_ZEROES, RW_RANDZEROES
};
extern const char *const load_rw_names[];
extern const char *const load_op_names[];	/* indexed by enum blkgen_op */
extern const char *const load_arrivals[];	/* indexed by enum blkgen_arrival */
extern const char *const load_engines[];	/* indexed by enum blkgen_engine */

bool load_random(const struct load_cfg *c);
/* Reads and writes, of which --mix tells the parts */
bool load_mixed(const struct load_cfg *c);
bool load_has_op(const struct load_cfg *c, enum blkgen_op op);
/* Whether data is lost */
bool load_changes(const struct load_cfg *c);

/* Set what follows from other options. @time, @qd: the user gave it. */
void load_defaults(struct load_cfg *c, bool time, bool qd);

/* A block device, held from its first load to the end of the command. */
struct load_dev {
	struct device dev;
	int fd;				/* claimed; -1: not yet */
	bool temp;			/* our own: nothing on it can be lost */
	bool changes;			/* some load writes to it: claim it for that */
	bool not_in_use;		/* as load_check_device() saw it */
	struct load_nvme *nvme;		/* what it counts itself; NULL: not NVMe, or not read yet */
};

/* What --verify has found on one device. */
struct load_verified {
	uint64_t written;		/* I/Os to be read back; 0: nothing was written */
	uint64_t reads;			/* that were checked */
	uint64_t failed;		/* reads */
	uint64_t unchecked;		/* writes that were not read back, for whatever reason */
	struct blkgen_mismatches wrong;
};

/* One load on one device. */
struct load_target {
	struct load_dev *on;
	const struct load_cfg *cfg;
	const void *from;		/* for messages about it, see load_series.h */
	const char *label;		/* what tells it from others on the device; NULL: nothing */
	struct load_cfg own;		/* for @cfg, where devices differ */
	bool endless;			/* no --time: load_stop() ends it */
	int ctl;			/* session; -1: not open */
	bool running;
	bool hung;			/* given up on it: what is in flight does not come back */
	uint64_t quiet_ns;		/* since when it has been stopped and nothing came back; 0: is not */
	uint64_t quiet_inflight;	/* at that time */
	uint64_t quiet_written;		/* at that time, of the page cache, in sectors */
	uint64_t limit_ns;		/* CLOCK_MONOTONIC when its --time is over; 0: never */
	uint64_t oldest_ns;		/* age of the oldest I/O in flight, if it hung */
	uint64_t ended_ns;		/* CLOCK_MONOTONIC when it was seen to have stopped, if it hung */
	int keeper;			/* pid that waits for a hung device; 0: none */
	int32_t *cpus;			/* of each job, or NULL */
	struct blkgen_setup setup;
	struct blkgen_status status;
	struct load_verified verified;
};

/* What the progress line was computed from last time. */
struct load_pace {
	struct progress line;
	uint64_t ios, bytes, at_ns, next_ns;
};

/*
 * The command: its devices, and the loads that run on them at the same time.
 * Loads one after the other take the devices in turn with other targets.
 */
struct load {
	const struct load_cfg *cfg;	/* of the command line */
	struct tempdev temp;
	struct load_dev *devs;
	size_t ndevs;
	struct blkgen_features feat;
	struct load_target *targets;
	size_t ntargets;
	int sigfd;			/* -1: signals are not looked at */
	uint64_t interrupted_ns;	/* first signal; 0: none */
	bool hung;			/* a device did not give back all I/Os: there are no more loads */
	json_object *doc;		/* NULL without --json */
	uint64_t errors;		/* I/Os that failed, did not match or were not checked */
	bool qd_given;			/* --qd, by the user */
	char what[240];			/* "step 2 of 8, qd=4: ", before the progress */
	char step[200];			/* "qd=4": which of several loads; "" when there is one */
	struct load_pace pace;
	struct load_intervals *intervals;	/* load_interval.h */
};

/* Whether stdout is for JSON, CSV or a log, and for nothing else. */
bool load_stdout_taken(const struct load *l);

/*
 * load_check.c: what cannot be, said so that the user knows what to change.
 * Return: 0, -EUSAGE or -errno, reported.
 */
int load_check_options(const struct load_cfg *c);
int load_check_limits(const struct load_cfg *c, const struct blkgen_features *feat);
int load_check_range(const struct load_cfg *c, const struct device *d);

/* load_engine.c: how I/O is submitted, and where from. */

/* One I/O at a time */
bool load_single(const struct load_cfg *c);
/* The engine as the results name it: the page cache is never left out. */
const char *load_engine_label(const struct load_cfg *c);

/* What cannot be; as load_check_options() and load_check_range() are. */
int load_check_engine(const struct load_cfg *c);
int load_check_engine_device(const struct load_cfg *c, const struct device *d);

/* Give the jobs their CPUs, in turn, in @t->setup. Return: 0 or -ENOMEM, reported. */
int load_place_jobs(struct load_target *t);

struct cpu_list {
	int32_t *cpu;
	size_t n;
};

/* "0-3,6", in that order. Return: 0, -EINVAL or -ENOMEM, not reported, and nothing to free. */
int cpu_list_parse(struct cpu_list *list, const char *text);
void cpu_list_free(struct cpu_list *list);

/* load_where.c: where I/Os go and how large they are. 0, -EUSAGE or -errno, reported. */
int load_where_check(const struct load_cfg *c);
/* @size: bytes of the range; @lbs: logical block size */
int load_where_check_range(const struct load_cfg *c, const struct device *d, uint64_t size,
			   unsigned int lbs);
/* load_where_done() frees what @s points to, also after a failure; the module has copied it. */
int load_where_fill(const struct load_cfg *c, const struct device *d, struct blkgen_setup *s);
void load_where_done(struct blkgen_setup *s);
/* In the options, and after the pattern in the header */
void load_where_json(json_object *o, const struct load_cfg *c);
void load_where_print(const struct load_cfg *c, FILE *f);

/*
 * load_run.c: one load, which may be followed by others. All return 0 or -errno,
 * reported.
 */

/**
 * load_devices() - find the devices, or make a temporary one
 * @names: @n names; 0 of them for a temporary device
 * @cfg: tells how many queues that has
 */
int load_devices(struct load *l, char *const *names, size_t n);

/* One more. @at: its place, also if it was there already. Return: 1 then. */
int load_device_add(struct load *l, const char *name, size_t *at);

/**
 * load_targets() - an array of @n targets in @l, to be filled in by the caller
 * Those there were must have been let go by load_release().
 */
int load_targets(struct load *l, size_t n);

/* From here on, signals that end the command end the load and leave its result. */
int load_catch_signals(struct load *l);

/* Whether such a signal has come, also outside of load_execute(). */
bool load_interrupted(struct load *l);

/* What the module can do, to @l->feat. */
int load_features(struct load *l);

/* That the device can be used by no one else, and takes this load. */
int load_check_device(const struct load_target *t);

/* Claim the devices of all targets, and set up their sessions. */
int load_prepare(struct load *l);

/* Start all targets, show progress, wait for their end. 0 also after a signal. */
int load_execute(struct load *l);

/* load_execute() in parts: start all targets. */
int load_start(struct load *l);

/**
 * load_wait() - show progress until all targets are done
 * @until_ns: of CLOCK_MONOTONIC, do not wait longer; 0: for ever
 * Return: 0 when they are done, 1 when time is over, or -errno, reported.
 */
int load_wait(struct load *l, uint64_t until_ns);

/* No more I/O is submitted: load_wait() for what is in flight. */
void load_stop(struct load *l);

/* load_hang.c: devices that do not give I/Os back. */

/**
 * load_look() - whether what still runs comes to an end
 * Targets that have been stopped, and have had nothing back for --drain, are given up:
 * not running, hung, with a process that keeps the session until the device lets go.
 * Return: number of targets that go on.
 */
int load_look(struct load *l);
/* When to look next, CLOCK_MONOTONIC: @at or earlier. */
uint64_t load_look_at(const struct load *l, uint64_t at);
/* Before the sessions are closed: none of them may keep this process from ending. */
void load_leave(struct load *l);
/* A line for each device that did not. */
void load_outstanding_print(const struct load *l, FILE *f);
json_object *load_outstanding_json(const struct load_target *t);

/* load_errors.c: what --errors says. Return: 0 or -EUSAGE, reported. */
int load_errors_parse(const char *text, __u32 *in_a_row, __u64 *in_all);

/* load_verify.c: whether its I/Os are to be checked. */
bool load_verifies(const struct load_target *t);
int load_verify_check(const struct load_cfg *c);

/**
 * load_verify() - check what has been done, the last step of load_execute()
 * What was written is read back, by I/Os that follow the same pattern. Says what does
 * not match, and counts it in @l->errors.
 * Return: 0 also then, or -errno, reported.
 */
int load_verify(struct load *l);
json_object *load_verify_json(const struct load_target *t);
/* A line for each device */
void load_verify_print(const struct load *l, FILE *f);

/* Close the sessions, which ends what still runs. The devices stay claimed. */
void load_release(struct load *l);

/* load_release(), and let go of all the rest. */
void load_end(struct load *l);

/* What one op, one job or one device did. */
struct load_sum {
	uint64_t ios, bytes, errors;
	uint64_t by_errno[256];
	uint64_t start_ns, end_ns;	/* CLOCK_MONOTONIC; 0: no I/O */
	uint64_t cpu_ns;
	uint64_t unpolled;		/* completed by interrupt, though they were to be polled */
	struct hist lat;
	struct hist service;		/* without buckets: the latencies are it */
};

int load_sum_init(struct load_sum *s, const struct blkgen_features *f);
void load_sum_free(struct load_sum *s);
void load_sum_add(struct load_sum *to, const struct load_sum *s);
uint64_t load_sum_elapsed(const struct load_sum *s);
/* @n, of its I/Os or bytes, per second */
double load_sum_rate(const struct load_sum *s, uint64_t n);

/* What one target or one of its jobs did. */
struct load_result {
	struct load_sum all;
	struct load_sum op[BLKGEN_NR_OPS];
};

/* Whether the target has this op: flushes too, which no mix has. */
bool load_target_has_op(const struct load_target *t, unsigned int op);

/* A job as its result is read: @r is good during the call only. */
typedef void (*load_job_fn)(const struct load_target *t, const struct blkgen_worker_info *w,
			    const struct load_result *r, void *arg);

/**
 * load_result_read() - what a target did
 * @r: zeroed or of a former call; load_result_free() it also after a failure
 * @fn: called for each job, may be NULL
 * Return: 0 or -errno, reported.
 */
int load_result_read(const struct load *l, const struct load_target *t, struct load_result *r,
		     load_job_fn fn, void *arg);
void load_result_free(struct load_result *r);

/**
 * load_result_since() - what a target did between two looks at it
 * @d: zeroed or of a former call; load_result_free() it also after a failure
 * Return: 0 or -ENOMEM, reported.
 */
int load_result_since(const struct load *l, const struct load_target *t, struct load_result *d,
		      const struct load_result *now, uint64_t now_ns,
		      const struct load_result *before, uint64_t before_ns);

/* What all targets of a load did, in their order. */
struct load_results {
	struct load_result *of;
	size_t n;
};

/* load_report.c: loads as text, table and JSON. */

/* The devices. Return: false with --quiet, when nothing is to be printed before the result. */
bool load_report_facts(const struct load *l);

/* The options of the command line, in one. */
void load_report_options(const struct load *l);

/* Members of a run object. @hist: with a histogram for people */
void load_sum_json(json_object *o, const struct load_sum *s, bool hist);

/* What will run on what; nothing with --quiet. */
void load_report_header(const struct load *l);

/**
 * load_results_read() - what the targets of @l did
 * @rs: zeroed; load_results_free() it also after a failure
 * @jobs: array that gets an object for each job; may be NULL
 * Return: 0 or -errno, reported.
 */
int load_results_read(const struct load *l, struct load_results *rs, json_object *jobs);
void load_results_free(struct load_results *rs);

/* load_result_since() of all targets. */
int load_results_since(const struct load *l, struct load_results *d,
		       const struct load_results *now, uint64_t now_ns,
		       const struct load_results *before, uint64_t before_ns);

/* The "devices" member. */
json_object *load_devices_json(const struct load *l, const struct load_results *rs);

/* The usual columns after @n others. Return: NULL, reported, without memory. */
struct report_table *load_table_new(const struct column *first, size_t n);

/**
 * load_table_add() - rows for the targets of @l, and if there are several for all of them
 * @n: columns that the table has before the usual ones
 *
 * Warns of I/Os that failed and counts them in @l.
 * Return: the first row, below 0 if there is none.
 */
int load_table_add(struct report_table *tb, size_t n, struct load *l,
		   const struct load_results *rs);

/* A row of it. @cpu: with CPU time per I/O */
int load_table_row(struct report_table *tb, size_t at, const char *dev, const char *op,
		   const struct load_sum *s, bool cpu);

/* To stdout, unless the JSON goes there. Return: 0 or -errno. */
int load_table_print(const struct load *l, const struct report_table *tb);

/**
 * load_report() - fetch the results of all targets, print the table, fill @l->doc
 * Return: 0 or -errno, reported.
 */
int load_report(struct load *l);

/* The "options" member. */
json_object *load_options_json(const struct load_cfg *cfg);

#endif
