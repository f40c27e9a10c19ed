/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_STALL_H
#define BLKLAT_CORE_STALL_H

#include <stddef.h>
#include <stdint.h>

/* A time in which I/Os were in flight and none ended. Times in ns of one clock. */
struct stall {
	uint64_t start_ns;
	uint64_t end_ns;
	uint64_t inflight;
};

/**
 * struct stall_job - the stalls of one of the jobs on a device
 * @start_ns: when it began
 * @end_ns: when its last I/O ended
 * @stalls: @n of them, in the order of time
 */
struct stall_job {
	uint64_t start_ns;
	uint64_t end_ns;
	const struct stall *stalls;
	size_t n;
};

/**
 * stalls_of_device() - the times in which nothing ended, of any job
 * @min_ns: shorter ones are left out
 * @out: allocated by this; @nout of them, in the order of time; free() it
 *
 * A job that has not begun, or is over, does not count. @inflight is the sum of the
 * jobs', when they were all stalled.
 * Return: 0 or -ENOMEM.
 */
int stalls_of_device(const struct stall_job *jobs, size_t njobs, uint64_t min_ns,
		     struct stall **out, size_t *nout);

#endif
