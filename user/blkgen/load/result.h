/* SPDX-License-Identifier: GPL-2.0 */
/* Read the results of loads, and write them as JSON. */
#ifndef BLKGEN_LOAD_RESULT_H
#define BLKGEN_LOAD_RESULT_H

#include <stdbool.h>
#include <stdint.h>
#include <json-c/json.h>
#include "core/hist.h"
#include "uapi/blkgen.h"

struct load;
struct load_target;

#define LOAD_NOT_COUNTED	UINT64_MAX

/* These are the results of one op, one job or one device. @errors may be LOAD_NOT_COUNTED. */
struct load_sum {
	uint64_t ios, bytes, errors;
	uint64_t by_errno[256];
	uint64_t start_ns, end_ns;	/* CLOCK_MONOTONIC; 0: no I/O */
	uint64_t cpu_ns;
	uint64_t unpolled;		/* I/Os of a polled load that completed by interrupt */
	struct hist lat;
	struct hist service;		/* no buckets without --rate: the same as @lat */
};

/**
 * load_sum_init() - make results empty, with the module's latency buckets
 * @s: overwritten; free it with load_sum_free()
 * @f: features of the module
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int load_sum_init(struct load_sum *s, const struct blkgen_features *f);

/**
 * load_sum_free() - free the histograms of results
 * @s: from load_sum_init(), or zeroed
 */
void load_sum_free(struct load_sum *s);

/**
 * load_sum_add() - add results to others
 * @to: the sum; its time becomes the one from the first start to the last end
 * @s: the results to add; their errors are counted
 *
 * If the service times cannot be added, this reports it, and those of @to are incomplete.
 */
void load_sum_add(struct load_sum *to, const struct load_sum *s);

/**
 * load_sum_elapsed() - compute how long the I/O took
 * @s: the results
 *
 * Return: ns from start to end; 0 if there was no I/O.
 */
uint64_t load_sum_elapsed(const struct load_sum *s);

/**
 * load_sum_rate() - compute a rate over the time of results
 * @s: the results
 * @n: their I/Os or bytes
 *
 * Return: @n per second; 0 if there was no I/O.
 */
double load_sum_rate(const struct load_sum *s, uint64_t n);

/* These are the results of one target or of one of its jobs. */
struct load_result {
	struct load_sum all;
	struct load_sum op[BLKGEN_NR_OPS];
};

/**
 * load_target_has_op() - tell if a target has an op
 * @t: the target, set up
 * @op: enum blkgen_op, below BLKGEN_NR_OPS
 *
 * Return: true if it has. Flushes count too, although they are in no mix.
 */
bool load_target_has_op(const struct load_target *t, unsigned int op);

/* This is called for each job while its result is read. @r is valid during the call only. */
typedef void (*load_job_fn)(const struct load_target *t, const struct blkgen_worker_info *w,
			    const struct load_result *r, void *arg);

/**
 * load_result_read() - read the results of a target from its session
 * @l: has the features of the module
 * @t: the target, whose load may still run
 * @r: zeroed or from an earlier call; call load_result_free() also after a failure
 * @fn: called for each job, in their order; may be NULL
 * @arg: for @fn
 *
 * Return: 0 or -errno, reported.
 */
int load_result_read(const struct load *l, const struct load_target *t, struct load_result *r,
		     load_job_fn fn, void *arg);

/**
 * load_result_free() - free the results of a target
 * @r: zeroed afterwards; may be zeroed already
 */
void load_result_free(struct load_result *r);

/* These are the results of all targets of a load, in the order of the targets. */
struct load_results {
	struct load_result *of;
	size_t n;
};

/**
 * load_results_read() - read the results of all targets
 * @l: has the targets, which may still run
 * @rs: zeroed; call load_results_free() also after a failure
 * @jobs: JSON array to which an object for each job is added; may be NULL
 *
 * Return: 0 or -errno, reported.
 */
int load_results_read(const struct load *l, struct load_results *rs, json_object *jobs);

/**
 * load_results_free() - free the results of all targets
 * @rs: zeroed afterwards; may be zeroed already
 */
void load_results_free(struct load_results *rs);

/**
 * load_results_since() - compute what the targets did between two readings of their results
 * @l: the load of both readings
 * @d: zeroed; set to the differences; call load_results_free() also after a failure
 * @now: the later reading
 * @now_ns: time of the later reading, ns of CLOCK_MONOTONIC
 * @before: the earlier reading
 * @before_ns: time of the earlier reading, ns of CLOCK_MONOTONIC
 *
 * Return: 0 or -ENOMEM, reported.
 */
int load_results_since(const struct load *l, struct load_results *d,
		       const struct load_results *now, uint64_t now_ns,
		       const struct load_results *before, uint64_t before_ns);

/**
 * load_sum_json() - add results to a JSON object
 * @o: gets the members
 * @s: the results
 * @hist: add a histogram for human readers too
 */
void load_sum_json(json_object *o, const struct load_sum *s, bool hist);

/**
 * load_ops_json() - make the "ops" member of a target or a job
 * @t: the target
 * @r: results of the target, or of one of its jobs
 * @hist: as for load_sum_json()
 *
 * Return: a new object, which the caller frees, with a member for each op of the target.
 */
json_object *load_ops_json(const struct load_target *t, const struct load_result *r, bool hist);

/**
 * load_cpu_json() - add the CPU time of results to a JSON object
 * @o: gets "cpu_ns" and "cpu_ns_per_io", and the number of I/Os that were not polled, "unpolled"
 * @s: the results
 */
void load_cpu_json(json_object *o, const struct load_sum *s);

#endif
