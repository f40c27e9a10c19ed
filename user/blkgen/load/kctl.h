/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_KCTL_H
#define BLKGEN_LOAD_KCTL_H

#include <stdbool.h>
#include "core/hist.h"
#include "uapi/blkgen.h"

/* No other code calls the ioctls of blkgen. One session drives one device. */

/**
 * kctl_open() - open a session
 *
 * Load the module first if it is absent and the caller is root. The last close() of the session
 * stops its load, and waits for the I/Os in flight.
 *
 * Return: file descriptor (O_CLOEXEC), which the caller closes; or -errno, reported.
 */
int kctl_open(void);

/*
 * There is one function for each ioctl. uapi/blkgen.h lists the errors of each. The functions fill
 * in the size of the struct, and the other inputs from their parameters.
 */

/**
 * kctl_features() - read what the module can do
 * @fd: from kctl_open()
 * @f: overwritten with the features and limits of the module
 *
 * Return: 0 or -errno, not reported.
 */
int kctl_features(int fd, struct blkgen_features *f);

/**
 * kctl_setup() - set up the load of a session
 * @fd: from kctl_open()
 * @s: the load, all but its size; its arrays may be freed afterwards, and its device be closed
 *
 * Return: 0 or -errno, not reported.
 */
int kctl_setup(int fd, struct blkgen_setup *s);

/**
 * kctl_start() - start the load of a session
 * @fd: from kctl_open(), and set up
 *
 * Return: 0 or -errno, not reported.
 */
int kctl_start(int fd);

/**
 * kctl_stop() - submit no more I/O, without waiting for the I/Os in flight
 * @fd: from kctl_open(), and started
 *
 * Return: 0, also if the load is done, or -errno, not reported.
 */
int kctl_stop(int fd);

/**
 * kctl_status() - read the progress of a session
 * @fd: from kctl_open(), in any state
 * @s: overwritten with the state, the I/Os in flight and the counters of each op
 *
 * Read the status again when --time is over: this also stops the load.
 *
 * Return: 0 or -errno, not reported.
 */
int kctl_status(int fd, struct blkgen_status *s);

/**
 * kctl_mismatch() - read which reads returned wrong data
 * @fd: from kctl_open(), and set up
 * @mm: overwritten with the number of mismatches and the first BLKGEN_NR_MISMATCHES of them
 *
 * Return: 0 or -errno, not reported.
 */
int kctl_mismatch(int fd, struct blkgen_mismatches *mm);

/**
 * kctl_stalls() - read when no I/O of a worker completed
 * @fd: from kctl_open(), and set up
 * @worker: a worker's number; there is no sum of all workers
 * @st: overwritten with the number of stalls and the first BLKGEN_NR_STALLS of them
 *
 * Return: 0 or -errno, not reported.
 */
int kctl_stalls(int fd, unsigned int worker, struct blkgen_stalls *st);

/**
 * kctl_worker() - read the CPU time and the progress of a worker
 * @fd: from kctl_open(), and set up
 * @worker: a worker's number, or BLKGEN_ALL_WORKERS for the sum of all workers
 * @w: overwritten
 *
 * Return: 0 or -errno, not reported.
 */
int kctl_worker(int fd, unsigned int worker, struct blkgen_worker_info *w);

/**
 * kctl_result() - read the result of a worker for one op, or the result of a stream
 * @fd: from kctl_open(), and set up
 * @what: latencies, service times, or a stream
 * @worker: a worker's number, or BLKGEN_ALL_WORKERS for the sum of all workers; for
 *	BLKGEN_WHAT_STREAM only BLKGEN_ALL_WORKERS
 * @op: enum blkgen_op, or the number of the stream for BLKGEN_WHAT_STREAM
 * @r: overwritten with the counters
 * @h: initialised with the module's hist_bits and hist_buckets, or zeroed for the counters only;
 *	overwritten
 *
 * For service times and streams, the buckets of @h are coarser afterwards, and fewer. Before the
 * next call, set its nbuckets to the module's hist_buckets again, or the call fails with -ENOSPC.
 *
 * Return: 0 or -errno, not reported.
 */
int kctl_result(int fd, enum blkgen_what what, unsigned int worker, unsigned int op,
		struct blkgen_result *r, struct hist *h);

#endif
