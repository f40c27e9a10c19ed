/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_KCTL_H
#define BLKGEN_LOAD_KCTL_H

#include <stdbool.h>
#include "core/hist.h"
#include "uapi/blkgen.h"

/* No other code calls the ioctls of blkgen. One session drives one device. */

/**
 * kctl_open() - open a session
 * Load the module first if it is absent and the caller is root.
 * Return: file descriptor (O_CLOEXEC) or -errno, reported.
 */
int kctl_open(void);

/*
 * There is one function for each ioctl, see uapi/blkgen.h. They fill in the size of the struct, and
 * the other inputs from their parameters. All return 0 or -errno, not reported.
 */
int kctl_features(int fd, struct blkgen_features *f);
int kctl_setup(int fd, struct blkgen_setup *s);
int kctl_start(int fd);
int kctl_stop(int fd);
int kctl_status(int fd, struct blkgen_status *s);
int kctl_mismatch(int fd, struct blkgen_mismatches *mm);
int kctl_stalls(int fd, unsigned int worker, struct blkgen_stalls *st);

/* @worker is a worker's number, or BLKGEN_ALL_WORKERS for the sum of all workers. */
int kctl_worker(int fd, unsigned int worker, struct blkgen_worker_info *w);

/**
 * kctl_result() - read the result of a worker for one op, or the result of a stream
 * @worker: a worker's number, or BLKGEN_ALL_WORKERS for the sum of all workers
 * @op: enum blkgen_op, or the number of the stream for BLKGEN_WHAT_STREAM
 * @h: initialised with the module's hist_bits and hist_buckets, or zeroed for the counters only;
 *	overwritten. For service times and streams its buckets are coarser afterwards.
 * Return: 0 or -errno, not reported.
 */
int kctl_result(int fd, enum blkgen_what what, unsigned int worker, unsigned int op,
		struct blkgen_result *r, struct hist *h);

#endif
