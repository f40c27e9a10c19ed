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

/* Rounds that a difference can be told from; fewer are printed as they are. */
#define COMPARE_LEAST	3

#define BLKLAT_COMPARE_MAX 64

/* What may differ between the devices with --allow; compare_allow[] has the names. */
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
	const char *stacks;
	struct strlist on;
	bool destroy;
	bool cleanup;
	bool detail;
	const char *output;
	const char *json;
};

/**
 * struct compare_load - what runs on each device
 * @args: blkgen's options, or the command, in which {} stands for the device; NULL-terminated
 * @blkgen: it is blkgen's
 * @path: of blkgen
 * @timed: the options say themselves when it ends
 * @size: bytes of each device that are used, 0 when the options say it
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
 * @devs: those compared, @n of them; @res has the same first in its devs
 * @stacks: those that --stacks has made, in the order of @devs; or NULL
 * @stacks_doc: what they are, for the result
 * @leaves: the disks with a scheduler that their I/O ends on
 * @status: what the load that failed returned
 * @interrupted: a signal came, nothing more is run
 * @rounds, @traced_rounds: that are complete
 * @visits: that there will be, @done of them are over, the last one took @per_visit_ns
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
	unsigned int rounds, traced_rounds;
	unsigned int visits, done;
	unsigned long long start_ns;
	unsigned long long per_visit_ns;
};

/* One of the devices for a while. */
struct compare_visit {
	size_t dev;
	unsigned int round;
	bool traced;
	bool warmup;
};

/* compare_run.c */

/**
 * compare_measure() - all rounds, into @c->res; what is not complete is dropped
 * Return: 0; -EINTR after a signal; -ECHILD when the load failed; or -errno, reported.
 */
int compare_measure(struct compare *c);

/* compare_load.c */

/**
 * compare_load_parse() - take the load apart and find what runs it
 * @rest: the command after --, or NULL
 * Return: 0, -EUSAGE or -errno, reported.
 */
int compare_load_parse(struct compare *c, char **rest);

/**
 * compare_load_run() - run it once on a device
 * @tick: called ten times a second or so meanwhile, may be NULL
 * @s: elapsed, ios, bytes, cpu and latency are set; the latter's histogram is the caller's
 * Return: 0; -EINTR after a signal; -ECHILD when it failed (@c->status has with what), reported;
 * or -errno, reported.
 */
int compare_load_run(struct compare *c, const struct compare_visit *v,
		     void (*tick)(struct compare *c), struct result_sample *s);
void compare_load_free(struct compare_load *l);
json_object *compare_load_json(const struct compare *c);

/* compare_child.c */

/**
 * compare_child() - run a program to its end
 * @argv: the program's path or name and its arguments
 * @out: becomes its stdout, below 0: nothing reads that
 * @keep: stays open for it under this number; below 0: none
 * @cpu_ns: CPU time that it took, with its children
 * Return: its exit status as a shell has it, -EINTR after a signal, or -errno, reported.
 */
int compare_child(struct compare *c, char *const *argv, int out, int keep,
		  void (*tick)(struct compare *c), uint64_t *cpu_ns);

/* compare_cpu.c: CPU time of the kernel's threads */
struct compare_cpu;
struct compare_cpu *compare_cpu_begin(void);
/* Since then, in ns. Frees it. */
uint64_t compare_cpu_end(struct compare_cpu *before);

/* compare_pin.c */

/**
 * compare_pin() - refuse what would not be the same for all, set the schedulers
 * Return: 0 or -errno, reported with how to make it the same.
 */
int compare_pin(struct compare *c);
/* Set back what was set. Return: 0 or -errno, reported. */
int compare_unpin(struct compare *c);
json_object *compare_pin_json(const struct compare *c);

/* compare_trace.c */

/**
 * compare_trace_groups() - which devices can be traced at the same time
 * @group: number of the group of each of @c->devs
 * Return: how many groups, or -errno, reported.
 */
int compare_trace_groups(struct compare *c, unsigned int *group);

/**
 * compare_trace_open() - attach to some of the devices and all below them
 * @members: indexes into @c->devs, @n of them
 * Return: 0 or -errno, reported. compare_trace_close() it in both cases.
 */
int compare_trace_open(struct compare *c, const unsigned int *members, size_t n);
void compare_trace_start(struct compare *c);
/* As compare_load_run(), with the stages; -EAGAIN: the stack changed meanwhile. */
int compare_trace_visit(struct compare *c, const struct compare_visit *v, struct result_sample *s);
/* Stop, and put what was found of the devices into @c->res. Return: 0 or -errno, reported. */
int compare_trace_collect(struct compare *c, const unsigned int *members, size_t n);
void compare_trace_close(struct compare *c);

/* compare_stacks.c */

/* Print which types there are. Return: 0 */
int compare_stacks_help(void);
/* Make what --stacks names and compare that. Return: 0, -EUSAGE or -errno, reported. */
int compare_stacks_open(struct compare *c);
/* Take down what was made, if anything. Return: 0 or -errno, reported. */
int compare_stacks_close(struct compare *c);

/* They are made for each turn anew, one at a time: what devices there are changes. */
static inline bool compare_stacks_by_turns(const struct compare *c)
{
	return c->stacks && !c->stacks->temporary;
}

/**
 * compare_stacks_enter() - make the stack, if it is one that is not there
 * Return: 1 if it is new, 0 if there was nothing to do, or -errno, reported.
 */
int compare_stacks_enter(struct compare *c, size_t dev);
/* Take it down, if it is one that is made by turns. Return: 0 or -errno, reported. */
int compare_stacks_leave(struct compare *c, size_t dev);

/**
 * compare_stacks_legs() - the scratch devices, when there are no stacks that tell them
 * @fn: called with each, maybe more than once; what it returns above or below 0 ends it
 */
int compare_stacks_legs(struct compare *c, int (*fn)(struct compare *c, const struct device *d));

/* compare_scenario.c */

/* Whether --scenario can be; fills in what it says. Return: 0 or -EUSAGE, reported. */
int compare_scenario_check(struct compare_cfg *cfg, const struct opt_args *args);

/**
 * compare_scenario() - measure with each load of --scenario, print one table for all
 * Return: 0, an exit status above 0, or -errno, reported. What was measured by then is in
 * @doc in each case.
 */
int compare_scenario(struct compare *c, json_object *doc);

/* compare_report.c */

/* Tables, JSON, file. Return: 0 or -errno, reported. */
int compare_report(struct compare *c, json_object *doc);

#endif
