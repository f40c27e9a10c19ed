/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_KCTL_H
#define BLKGEN_KCTL_H

#include <stdbool.h>
#include "core/hist.h"
#include "uapi/blkgen.h"

/* The only caller of blkgen's ioctls. One session drives one device. */

/**
 * kctl_open() - open a session
 * Loads the module first when it is absent and the caller is root.
 * Return: file descriptor (O_CLOEXEC) or -errno, reported.
 */
int kctl_open(void);

/* All return 0 or -errno, not reported. */
int kctl_features(int fd, struct blkgen_features *f);
int kctl_setup(int fd, struct blkgen_setup *s);		/* sets @s->size */
int kctl_start(int fd);
int kctl_stop(int fd);
int kctl_status(int fd, struct blkgen_status *s);
int kctl_mismatch(int fd, struct blkgen_mismatches *mm);
int kctl_stalls(int fd, unsigned int worker, struct blkgen_stalls *st);

/* @worker: a number, or BLKGEN_ALL_WORKERS for their sum */
int kctl_worker(int fd, unsigned int worker, struct blkgen_worker_info *w);

/**
 * kctl_result() - a worker's result for one op, or that of a stream
 * @worker: a number, or BLKGEN_ALL_WORKERS for their sum
 * @op: enum blkgen_op, or the stream
 * @h: initialised with the module's hist_bits and hist_buckets; overwritten, and
 *	coarser than that for service times and streams
 */
int kctl_result(int fd, enum blkgen_what what, unsigned int worker, unsigned int op,
		struct blkgen_result *r, struct hist *h);

#endif
