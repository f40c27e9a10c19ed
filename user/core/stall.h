/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_STALL_H
#define BLKLAT_CORE_STALL_H

#include <stddef.h>
#include <stdint.h>

/* A stall is a time in which I/Os were in flight and none completed, in ns of one clock. */
struct stall {
	uint64_t start_ns;
	uint64_t end_ns;
	uint64_t inflight;
};

/**
 * struct stall_job - the stalls of one job on a device
 * @start_ns: when the job began
 * @end_ns: when the last I/O of the job completed without an error
 * @stalls: in the order of time
 * @n: number of @stalls
 */
struct stall_job {
	uint64_t start_ns;
	uint64_t end_ns;
	const struct stall *stalls;
	size_t n;
};

/**
 * stalls_of_device() - find the times in which no I/O of any job completed
 * @jobs: all jobs on the device
 * @njobs: number of @jobs
 * @min_ns: leave shorter stalls out
 * @out: set to the stalls, in the order of time; the caller frees it with free()
 * @nout: set to the number of stalls
 *
 * The device is stalled while all its running jobs are stalled; a job that has not begun, or is
 * over, does not count. @inflight of a stall is the sum of the jobs' @inflight.
 * Return: 0 or -ENOMEM.
 */
int stalls_of_device(const struct stall_job *jobs, size_t njobs, uint64_t min_ns,
		     struct stall **out, size_t *nout);

#endif
