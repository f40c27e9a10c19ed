/* SPDX-License-Identifier: GPL-2.0 */
/* Read the results of loads, and write them as JSON. */
#ifndef BLKGEN_LOAD_RESULT_H
#define BLKGEN_LOAD_RESULT_H

#include "blkgen/load/target.h"
#include "core/hist.h"

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

/* Make @s empty, with the module's latency buckets. Return: 0 or -ENOMEM, not reported. */
int load_sum_init(struct load_sum *s, const struct blkgen_features *f);
/* Free the histograms of @s. @s may be zeroed. */
void load_sum_free(struct load_sum *s);
/* Add @s to @to; the span of @to becomes the one from the first start to the last end. */
void load_sum_add(struct load_sum *to, const struct load_sum *s);
/* Return the ns from start to end; 0 if there was no I/O. */
uint64_t load_sum_elapsed(const struct load_sum *s);
/* Return @n, the I/Os or bytes of @s, per second. */
double load_sum_rate(const struct load_sum *s, uint64_t n);

/* These are the results of one target or of one of its jobs. */
struct load_result {
	struct load_sum all;
	struct load_sum op[BLKGEN_NR_OPS];
};

/* Return true if the target has this op. Flushes count too, although they are in no mix. */
bool load_target_has_op(const struct load_target *t, unsigned int op);

/* This is called for each job while its result is read. @r is valid during the call only. */
typedef void (*load_job_fn)(const struct load_target *t, const struct blkgen_worker_info *w,
			    const struct load_result *r, void *arg);

/**
 * load_result_read() - read the results of a target from its session
 * @r: zeroed or from an earlier call; call load_result_free() also after a failure
 * @fn: called for each job, in their order; may be NULL
 * @arg: for @fn
 * Return: 0 or -errno, reported.
 */
int load_result_read(const struct load *l, const struct load_target *t, struct load_result *r,
		     load_job_fn fn, void *arg);
/* Free the results of a target, and zero @r. */
void load_result_free(struct load_result *r);

/* These are the results of all targets of a load, in the order of the targets. */
struct load_results {
	struct load_result *of;
	size_t n;
};

/**
 * load_results_read() - read the results of all targets of @l
 * @rs: zeroed; call load_results_free() also after a failure
 * @jobs: JSON array to which an object for each job is added; may be NULL
 * Return: 0 or -errno, reported.
 */
int load_results_read(const struct load *l, struct load_results *rs, json_object *jobs);
/* Free the results of all targets, and zero @rs. */
void load_results_free(struct load_results *rs);

/**
 * load_results_since() - compute what the targets did between two readings of their results
 * @d: the differences; zeroed
 * @now, @now_ns: the later reading and its CLOCK_MONOTONIC
 * @before, @before_ns: the earlier reading and its CLOCK_MONOTONIC
 * Return: 0 or -ENOMEM, reported.
 */
int load_results_since(const struct load *l, struct load_results *d,
		       const struct load_results *now, uint64_t now_ns,
		       const struct load_results *before, uint64_t before_ns);

/* Add the results @s to the JSON object @o. If @hist is true, add a histogram for people too. */
void load_sum_json(json_object *o, const struct load_sum *s, bool hist);

/* Return the "ops" member of a target or a job: an object for each op that it has. */
json_object *load_ops_json(const struct load_target *t, const struct load_result *r, bool hist);

/* Add the CPU time per I/O of the results @s to the JSON object @o. */
void load_cpu_json(json_object *o, const struct load_sum *s);

#endif
