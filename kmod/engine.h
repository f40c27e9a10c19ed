/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _BLKGEN_ENGINE_H
#define _BLKGEN_ENGINE_H

#include <linux/types.h>
#include "uapi/blkgen.h"

struct blkgen_job;
struct blkgen_worker;

/**
 * struct blkgen_engine_ops - an engine: a way to hand I/O to the kernel
 * @ops: bits of the enum blkgen_op that the engine supports
 * @single: true if the engine does one I/O at a time: par.qd is 1
 * @check: optional; checks device and parameters: returns 0, or an errno to refuse them
 * @run: does all the I/O of a worker: submits until blkgen_worker_more() returns false or the
 *	deadline has come, keeps par.qd I/Os in flight, and returns when nothing is in flight. It
 *	is called once, in the worker's thread.
 *
 * Each engine has a file of its own and an entry in blkgen_engines[], at the index that enum
 * blkgen_engine gives it. There is one indirect call per run, and none per I/O.
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
