/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_COMPARE_H
#define BLKLAT_COMPARE_H

#include <json-c/json.h>
#include "core/log.h"
#include "core/opt.h"
#include "device/device.h"
#include "device/queue.h"
#include "device/topo.h"
#include "device/topo_diff.h"
#include "blklat/result/result.h"
#include "blklat/stack/stack.h"

#define BLKLAT_COMPARE_MAX 64

/* Properties that may differ between the devices with --allow; compare_allow[] has their names. */
enum compare_pin {
	PIN_BLOCK_SIZE,
	PIN_SCHEDULER,
	PIN_READ_ONLY,
	NR_PINS
};
extern const char *const compare_allow[];

struct compare_cfg {
	struct common_cfg common;
	const char *baseline;
	const char *load;
	const char *scenario;
	uint64_t rounds;
	uint64_t time;
	uint64_t seed;
	const char *scheduler;
	uint64_t allow;
	bool untraced;
	bool plug;
	const char *stacks;
	struct strlist on;
	bool destroy;
	bool cleanup;
	bool detail;
	const char *output;
	const char *json;
};

/**
 * struct compare_load - the load that runs on each device
 * @args: blkgen's options, or the words of the command, in which {} stands for the device;
 *	NULL-terminated
 * @nargs: number of words in @args
 * @text: copy of --load that the words of @args point into; NULL for a command
 * @blkgen: true if blkgen makes the load, false if a command of the user does
 * @path: path of the blkgen program, or "blkgen" to look for it in PATH
 * @timed: true if the options themselves say when the load ends
 * @size: bytes of each device that blkgen uses; 0 if the options set the range
 */
struct compare_load {
	char **args;
	size_t nargs;
	char *text;
	bool blkgen;
	char path[4096];
	bool timed;
	uint64_t size;
};

/**
 * struct compare - a comparison under way
 * @devs: the @n compared devices; the first @n elements of @res.devs belong to them, in the same
 *	order
 * @baseline: index of the device that the others are compared with
 * @stacks: the stacks that --stacks made, in the order of @devs; NULL without --stacks
 * @stacks_doc: description of the stacks, for the result
 * @leaves: the disks with a scheduler that the I/O ends on
 * @res: the result; a device has its names and samples, and once traced its document and legs
 * @sigfd: signalfd of SIGINT, SIGTERM, SIGHUP and SIGCHLD
 * @status: exit status of the load that failed
 * @interrupted: a signal arrived; nothing more is run
 * @rounds, @traced_rounds: complete rounds of each kind
 * @visits: number of turns that the comparison needs
 * @done: number of turns that are over
 * @start_ns: when the measurement started, monotonic clock
 * @per_visit_ns: duration of the last turn, an estimate before the first
 * @shortest_ns: the shortest time that a traced turn was given
 */
struct compare {
	const struct compare_cfg *cfg;
	struct device *devs;
	size_t n;
	size_t baseline;
	struct stacks *stacks;
	json_object *stacks_doc;
	struct device *leaves;
	size_t nleaves;
	struct queue_keep queues;
	struct compare_load load;
	struct result res;
	struct compare_trace *trace;
	struct progress progress;
	int sigfd;
	int status;
	bool interrupted;
	bool left;		/* a load that waits for its I/O was left behind */
	unsigned int rounds, traced_rounds;
	unsigned int visits, done;
	unsigned long long start_ns;
	unsigned long long per_visit_ns;
	uint64_t shortest_ns;
};

/**
 * struct compare_visit - one turn of a device: one run of the load on it
 * @dev: index of the device in struct compare
 * @round: number of the round, from 0
 * @traced: true if the programs are attached in this turn
 * @warmup: true if the turn does not count: its sample is dropped
 * @time_ns: how long the load runs, unless its own options say when it ends
 */
struct compare_visit {
	size_t dev;
	unsigned int round;
	bool traced;
	bool warmup;
	uint64_t time_ns;
};

/* compare/run.c */

/**
 * compare_measure() - run all rounds and put the samples into @c->res
 *
 * Rounds that not all devices have completed are dropped.
 *
 * Return: 0; -EINTR after a signal; -ECHILD if the load failed; or -errno, reported.
 */
int compare_measure(struct compare *c);

/* compare/load.c */

/**
 * compare_load_parse() - split the load into words and find the program that runs it
 * @rest: the command after --, or NULL for a load of blkgen
 * Return: 0, -EUSAGE or -errno, reported.
 */
int compare_load_parse(struct compare *c, char **rest);

/**
 * compare_load_run() - run the load once on a device
 * @tick: called about ten times a second during the run; may be NULL
 * @s: elapsed_ns, ios, bytes, cpu_ns and total (the latency) are set; the caller must have
 *	initialised total
 *
 * A command does not report latencies: then total stays empty.
 *
 * Return: 0; -EINTR after a signal; -ECHILD if the load failed, with its exit status in
 * @c->status; or -errno. Failures are reported.
 */
int compare_load_run(struct compare *c, const struct compare_visit *v,
		     void (*tick)(struct compare *c), struct result_sample *s);
void compare_load_free(struct compare_load *l);
/* Return the load and what is the same for all devices, as the JSON object "compared load". */
json_object *compare_load_json(const struct compare *c);

/* compare/child.c */

/**
 * compare_child() - run a program to its end
 * @argv: the program's path or name and its arguments
 * @out: file descriptor that becomes the program's stdout; below 0 for /dev/null
 * @keep: file descriptor that stays open in the program under the same number; below 0 for none
 * @tick: called about ten times a second during the run; may be NULL
 * @cpu_ns: set to the CPU time of the program and its children, in ns
 * Return: the exit status as a shell gives it (128 + signal), -EINTR after a signal, or -errno,
 * reported.
 */
int compare_child(struct compare *c, const char *const *argv, int out, int keep,
		  void (*tick)(struct compare *c), uint64_t *cpu_ns);

/* compare/cpu.c: CPU time of kernel threads */
struct compare_cpu;
/*
 * Read the CPU time of all kernel threads except blkgen's. Return NULL without memory, which
 * compare_cpu_end() accepts.
 */
struct compare_cpu *compare_cpu_begin(void);
/* Return the CPU time of kernel threads since compare_cpu_begin(), in ns, and free @before. */
uint64_t compare_cpu_end(struct compare_cpu *before);

/* compare/pin.c */

/**
 * compare_pin() - refuse devices that differ where they must not, then set the schedulers
 *
 * Without --scheduler the schedulers are only checked.
 *
 * Return: 0, or -errno, reported with a way to make the devices alike.
 */
int compare_pin(struct compare *c);
/* Restore the schedulers that compare_pin() changed. Return: 0 or -errno, reported. */
int compare_unpin(struct compare *c);
/* Return what is the same for all devices, as the JSON object "pinned". */
json_object *compare_pin_json(const struct compare *c);

/* compare/trace.c */

/**
 * compare_trace_groups() - divide the devices into groups that can be traced at the same time
 * @group: set to the group number of each of @c->devs
 * Return: the number of groups, or -errno, reported.
 */
int compare_trace_groups(struct compare *c, unsigned int *group);

/**
 * compare_trace_open() - attach the programs to some devices and everything below them
 * @members: indexes into @c->devs, @n of them
 * Return: 0 or -errno, reported. Call compare_trace_close() in both cases.
 */
int compare_trace_open(struct compare *c, const unsigned int *members, size_t n);
/* Start to record, after the turns that only warm up. */
void compare_trace_start(struct compare *c);
/*
 * Do the same as compare_load_run() and add the stages. Return -EAGAIN if the stack changed
 * during the run.
 */
int compare_trace_visit(struct compare *c, const struct compare_visit *v, struct result_sample *s);
/* Stop the trace and add its results to the devices in @c->res. Return: 0 or -errno, reported. */
int compare_trace_collect(struct compare *c, const unsigned int *members, size_t n);
void compare_trace_close(struct compare *c);

/* compare/stacks.c */

/* Print the types of stacks. Return: 0 */
int compare_stacks_help(void);
/* Make the stacks that --stacks names and compare those. Return: 0, -EUSAGE or -errno, reported. */
int compare_stacks_open(struct compare *c);
/* Take down all stacks that were made. Return: 0 or -errno, reported. */
int compare_stacks_close(struct compare *c);

/*
 * Return true if each stack is made anew for each turn, one at a time: then the set of existing
 * devices changes from turn to turn.
 */
static inline bool compare_stacks_by_turns(const struct compare *c)
{
	return c->stacks && !c->stacks->temporary;
}

/**
 * compare_stacks_enter() - make the stack of a device if it does not exist
 * Return: 1 if the stack was made, 0 if there was nothing to do, or -errno, reported.
 */
int compare_stacks_enter(struct compare *c, size_t dev);
/* Take the stack of a device down if stacks are made by turns. Return: 0 or -errno, reported. */
int compare_stacks_leave(struct compare *c, size_t dev);

/**
 * compare_stacks_legs() - call a function for the scratch devices below the stacks
 * @fn: called with each scratch device, maybe more than once; a return value other than 0 ends
 *	the walk
 *
 * For stacks made by turns: as no stack exists between turns, the topology does not lead to
 * their scratch devices.
 *
 * Return: 0, or what @fn returned to end the walk.
 */
int compare_stacks_legs(struct compare *c, int (*fn)(struct compare *c, const struct device *d));

/* compare/scenario.c */

/* Check --scenario and fill in the options that it implies. Return: 0 or -EUSAGE, reported. */
int compare_scenario_check(struct compare_cfg *cfg, const struct opt_args *args);

/**
 * compare_scenario() - measure with each load of --scenario, then print one table for all loads
 * Return: 0, an exit status above 0, or -errno, reported. In each case @doc has what was measured
 * until then.
 */
int compare_scenario(struct compare *c, json_object *doc);

/* compare/report.c */

/**
 * compare_conclude() - report the complete rounds, also when the comparison ended early
 * @measured: what compare_measure() returned
 * @doc: gets the result
 *
 * Return: 0; -ENODATA if too few rounds are complete, reported; or -errno, reported.
 */
int compare_conclude(struct compare *c, int measured, json_object *doc);

#endif
