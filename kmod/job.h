/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_JOB_H
#define _BLKGEN_JOB_H

#include <linux/atomic.h>
#include <linux/types.h>
#include <linux/wait.h>
#include "pattern.h"
#include "uapi/blkgen.h"
#include "verify.h"

#define BLKGEN_MAX_BS		(1U << 20)
#define BLKGEN_MAX_QD		4096U
#define BLKGEN_MAX_WORKERS	256U

struct block_device;
struct blkgen_engine_ops;
struct blkgen_worker;
struct cgroup_subsys_state;
struct file;
struct task_struct;

/**
 * struct blkgen_sizes - the sizes of I/Os, and the table that draws one of them
 * @alias: draws the index of a size
 * @bytes: the sizes, alias.nr of them
 */
struct blkgen_sizes {
	struct blkgen_alias alias;
	u32 *bytes;
};

/**
 * struct blkgen_params - parameters of a job; they do not change once the job is created
 * @engine: submission path
 * @bs: bytes per I/O; the most bytes per I/O if there are @sizes
 * @lbs: bytes of a logical block of the device
 * @qd: I/Os in flight per worker
 * @batch: I/Os per plug; 1: no plug
 * @nr_workers: number of kernel threads
 * @error_limit: number of failures in a row, of one worker, that ends the run
 * @mix: weights of ops
 * @flush_every: I/Os other than reads that a worker submits between two flushes; 0: no flushes
 * @apart: reads and other ops have a cursor each
 * @fua: writes have REQ_FUA
 * @verify: writes are tagged, reads are checked
 * @paced: the clock decides when I/Os begin: there is a rate or a think time
 * @limited: the load may have a limit that cannot be converted to a number of I/Os beforehand:
 *	bytes with @sizes, or passes
 * @first_sector: first sector of the range
 * @sizes: NULL if all I/Os have @bs
 * @layout: where in the range I/Os go
 * @seed: seed of offsets, mix and data
 * @time_ns: how long I/Os are submitted, from the end of the ramp; U64_MAX: no limit
 * @stall_ns: a longer time without completions is a stall
 * @set: the caller's setup, for everything that is not needed for each I/O
 */
struct blkgen_params {
	const struct blkgen_engine_ops *engine;
	u32 bs;
	u32 lbs;
	u32 qd;
	u32 batch;
	u32 nr_workers;
	u32 error_limit;
	u32 mix[BLKGEN_NR_OPS];
	u32 flush_every;
	bool apart;
	bool fua;
	bool verify;
	bool paced;
	bool limited;
	u64 first_sector;
	const struct blkgen_sizes *sizes;
	struct blkgen_layout layout;
	u64 seed;
	u64 time_ns;
	u64 stall_ns;
	struct blkgen_setup set;
};

/**
 * struct blkgen_job - a load on a device, from SETUP to the end of the session
 * @par: parameters
 * @file: the caller's open block device; the reference keeps @bdev and its exclusive claim
 * @bdev: block device
 * @css: io cgroup of the caller, or NULL
 * @sizes: storage that @par.sizes points to, if there are sizes
 * @draw: storage that @par.layout.draw points to, if the pattern is DRAW
 * @zones: zones of @draw
 * @worker_ios: I/Os of each worker, or NULL
 * @cpu: CPU of each worker or -1, or NULL
 * @wait: woken when the job is done; owned by the session
 * @gate: workers wait here until @go is true
 * @go: workers may begin
 * @stop: enum blkgen_stop; if it is not 0, workers submit no more I/Os
 * @nr_running: workers that have not ended
 * @nr_errors: failures and mismatches; counted only if there is an error_max
 * @wrong: reads that returned wrong data
 * @start_ns: CLOCK_MONOTONIC at BLKGEN_IOC_START
 * @end_ns: CLOCK_MONOTONIC when the last worker ended
 * @measure_ns: CLOCK_MONOTONIC at the end of the ramp
 * @deadline: CLOCK_MONOTONIC when the workers stop submitting; U64_MAX: no limit
 * @task: thread of each worker
 * @worker: array of par.nr_workers workers
 *
 * Workers read @go, @stop, @measure_ns and @deadline for each I/O, so no member that is written
 * often may be in the same cache line. Most of the members after them change at most once per
 * worker.
 */
struct blkgen_job {
	struct blkgen_params par;
	struct file *file;
	struct block_device *bdev;
	struct cgroup_subsys_state *css;
	struct blkgen_sizes sizes;
	struct blkgen_draw draw;
	struct blkgen_zone *zones;
	u64 *worker_ios;
	s32 *cpu;
	wait_queue_head_t *wait;
	wait_queue_head_t gate;
	bool go;
	u32 stop;
	u64 measure_ns;
	u64 deadline;
	atomic_t nr_running;
	atomic64_t nr_errors;
	struct blkgen_wrong wrong;
	u64 start_ns;
	u64 end_ns;
	struct task_struct **task;
	struct blkgen_worker *worker[];
};

/**
 * blkgen_has_op() - find out if a load has an op, in its mix or as a flush
 * @par: parameters of the load
 * @op: enum blkgen_op
 *
 * Return: true if it has
 */
static inline bool blkgen_has_op(const struct blkgen_params *par, unsigned int op)
{
	return par->mix[op] || (op == BLKGEN_OP_FLUSH && par->flush_every);
}

/**
 * blkgen_job_error() - count a failure or mismatch
 * @job: job, which other workers may count in at the same time
 *
 * Return: true if there are as many as error_max allows, so that the run is to end
 */
static inline bool blkgen_job_error(struct blkgen_job *job)
{
	u64 max = job->par.set.error_max;

	return max && atomic64_inc_return(&job->nr_errors) >= max;
}

int blkgen_tables_read(struct blkgen_job *job, u32 lbs);
void blkgen_tables_free(struct blkgen_job *job);
void blkgen_job_start(struct blkgen_job *job);
void blkgen_job_stop(struct blkgen_job *job, enum blkgen_stop why);
void blkgen_job_done(struct blkgen_job *job, enum blkgen_stop why);
enum blkgen_state blkgen_job_state(const struct blkgen_job *job);

#endif /* _BLKGEN_JOB_H */
