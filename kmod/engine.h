/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_ENGINE_H
#define _BLKGEN_ENGINE_H

#include <linux/types.h>
#include "uapi/blkgen.h"

struct blkgen_job;
struct blkgen_worker;

/**
 * struct blkgen_engine_ops - a way of handing I/O to the kernel
 * @ops: bits of enum blkgen_op that it can do
 * @single: it does one I/O at a time: par.qd is 1
 * @check: optional. Refuse a device or parameters: returns 0 or an errno.
 * @run: the life of a worker: submit until blkgen_worker_more() says no or the
 *	deadline has come, keep par.qd in flight, return when nothing is.
 *	Called once, in the worker's thread.
 *
 * An engine is a file of its own and a line in blkgen_engines[], at the index
 * that enum blkgen_engine gives it. One indirect call per run, none per I/O.
 */
struct blkgen_engine_ops {
	u64 ops;
	bool single;
	int (*check)(const struct blkgen_job *job);
	void (*run)(struct blkgen_worker *w);
};

extern const struct blkgen_engine_ops blkgen_engine_bio;
extern const struct blkgen_engine_ops blkgen_engine_sync;
extern const struct blkgen_engine_ops blkgen_engine_polled;
extern const struct blkgen_engine_ops blkgen_engine_buffered;

extern const struct blkgen_engine_ops *const blkgen_engines[];
extern const unsigned int blkgen_nr_engines;

#endif /* _BLKGEN_ENGINE_H */
