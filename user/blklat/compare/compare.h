/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_COMPARE_H
#define BLKLAT_COMPARE_H

#include <json-c/json.h>
#include "core/log.h"
#include "core/opt.h"
#include "device/device.h"
#include "device/queue.h"
#include "blklat/result/result.h"
#include "blklat/stack/stack.h"

#define BLKLAT_COMPARE_MAX 64

/* With --allow, the devices may differ in these properties. compare_allow[] has their names. */
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
 * @cfg: the options; with --scenario, those of the current load
 * @devs: the compared devices; the first @n elements of @res.devs belong to them, in the same order
 * @n: number of @devs
 * @baseline: index of the device that the others are compared with
 * @stacks: the stacks that --stacks made, in the order of @devs; NULL without --stacks
 * @stacks_doc: description of the stacks, for the result
 * @leaves: the disks with a scheduler that the I/O ends on
 * @nleaves: number of @leaves
 * @queues: the queue settings of @leaves, to be set back at the end
 * @load: the load that runs on each device
 * @res: the result; a device has its names and samples, and once traced its document and legs
 * @trace: the trace of the devices; NULL while none is attached
 * @progress: the progress line
 * @sigfd: signalfd of SIGINT, SIGTERM, SIGHUP and SIGCHLD
 * @status: exit status of the load that failed
 * @interrupted: a signal arrived; nothing more is run
 * @left: a load that waits for its I/O was left behind
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
	bool left;
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

#endif
