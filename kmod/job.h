/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_JOB_H
#define _BLKGEN_JOB_H

#include <linux/atomic.h>
#include <linux/types.h>
#include <linux/wait.h>
#include "uapi/blkgen.h"

#define BLKGEN_MAX_BS		(1U << 20)
#define BLKGEN_MAX_QD		4096U
#define BLKGEN_MAX_WORKERS	256U

struct block_device;
struct blkgen_engine_ops;
struct blkgen_worker;
struct cgroup_subsys_state;
struct file;

/**
 * struct blkgen_params - what a job does; does not change once it is made
 * @engine: submission path
 * @random: random offsets, else sequential
 * @bs: bytes per I/O
 * @qd: I/Os in flight per worker
 * @batch: I/Os per plug, 1 is no plug
 * @nr_workers: kernel threads
 * @error_limit: failures of a worker in a row that end the run
 * @mix: weights of ops
 * @flush_every: I/Os other than reads of a worker between two flushes, 0: none
 * @fua: writes have REQ_FUA
 * @first_sector: of the range
 * @bs_sectors: 512-byte sectors per I/O
 * @nr_blocks: blocks of @bs in the range
 * @seed: of offsets, mix and data
 * @ios: of all workers; U64_MAX is no limit
 * @time_ns: U64_MAX is no limit
 */
struct blkgen_params {
	const struct blkgen_engine_ops *engine;
	bool random;
	u32 bs;
	u32 qd;
	u32 batch;
	u32 nr_workers;
	u32 error_limit;
	u32 mix[BLKGEN_NR_OPS];
	u32 flush_every;
	bool fua;
	u64 first_sector;
	u32 bs_sectors;
	u64 nr_blocks;
	u64 seed;
	u64 ios;
	u64 time_ns;
};

/**
 * struct blkgen_job - a load on a device, from SETUP to the end of the session
 * @par: parameters
 * @file: the caller's open block device, which keeps @bdev and its claim
 * @bdev: device
 * @css: io cgroup of the caller, or NULL
 * @wait: woken when the job is done; owned by the session
 * @gate: workers wait here for @go
 * @go: workers may begin
 * @stop: enum blkgen_stop; not 0: submit no more
 * @nr_running: workers that have not ended
 * @start_ns: CLOCK_MONOTONIC at BLKGEN_IOC_START
 * @end_ns: CLOCK_MONOTONIC when the last worker ended
 * @deadline: CLOCK_MONOTONIC at which submitting ends
 * @worker: par.nr_workers of them
 *
 * @go, @stop and @deadline are read for each I/O, and written hardly ever; the
 * rest of what is written changes once per worker.
 */
struct blkgen_job {
	struct blkgen_params par;
	struct file *file;
	struct block_device *bdev;
	struct cgroup_subsys_state *css;
	wait_queue_head_t *wait;
	wait_queue_head_t gate;
	bool go;
	u32 stop;
	u64 deadline;
	atomic_t nr_running;
	u64 start_ns;
	u64 end_ns;
	struct blkgen_worker *worker[];
};

/* Whether a load has this op, in its mix or as a flush */
static inline bool blkgen_has_op(const struct blkgen_params *par, unsigned int op)
{
	return par->mix[op] || (op == BLKGEN_OP_FLUSH && par->flush_every);
}

u64 blkgen_max_buffer(void);
struct blkgen_job *blkgen_job_create(const struct blkgen_setup *setup,
				     wait_queue_head_t *wait);
void blkgen_job_start(struct blkgen_job *job);
void blkgen_job_stop(struct blkgen_job *job, enum blkgen_stop why);
void blkgen_job_free(struct blkgen_job *job);
void blkgen_job_done(struct blkgen_job *job);
enum blkgen_state blkgen_job_state(const struct blkgen_job *job);

#endif /* _BLKGEN_JOB_H */
