/* SPDX-License-Identifier: GPL-2.0 */
/* The options of a load. */
#ifndef BLKGEN_LOAD_CFG_H
#define BLKGEN_LOAD_CFG_H

#include <stdbool.h>
#include <stdint.h>
#include "core/dist.h"
#include "core/opt.h"
#include "core/sizes.h"
#include "uapi/blkgen.h"

/* Times are in ns and sizes in bytes; load_opts in cmd_load.c describes the options. */
struct load_cfg {
	struct common_cfg common;
	uint64_t qd, jobs, time, ios, offset, size, seed, batch, flush;
	struct io_sizes sizes;
	struct dist dist;
	uint64_t streams, zone_size, zone_skip, zone_range;
	uint64_t align, rate, burst, think, ramp, bytes, pass, stall, interval;
	uint64_t generation, drain;
	int arrival, engine;
	double mix;
	int rw;
	bool write, force_signature, fua, apart, steady, hist, verify;
	uint64_t per;			/* --per: bit n is set for LOAD_PER_* n of load/per.h */
	const char *on_errors;		/* --errors as given */
	const char *cpus;		/* --cpus as given; NULL: jobs are not bound */
	uint64_t first_cpu;		/* index in --cpus of the CPU of the first job */
	const char *json, *job, *csv, *log, *scenario, *target_latency;
	struct strlist sweep;
};

enum load_rw {
	RW_READ, RW_WRITE, RW_RANDREAD, RW_RANDWRITE, RW_RW, RW_RANDRW,
	RW_TRIM, RW_RANDTRIM, RW_ZEROES, RW_RANDZEROES
};
extern const char *const load_rw_names[];
extern const char *const load_op_names[];	/* indexed by enum blkgen_op */
extern const char *const load_arrivals[];	/* indexed by enum blkgen_arrival */
extern const char *const load_engines[];	/* indexed by enum blkgen_engine */
extern const char *const load_per_names[];	/* indexed by LOAD_PER_* of load/per.h */

/* Return true if --rw is random. */
bool load_random(const struct load_cfg *c);
/* Return true if --rw has reads and writes, so that --mix counts. */
bool load_mixed(const struct load_cfg *c);
/* Return true if the load has the op @op, also by --mix. Flushes are none of --rw's ops. */
bool load_has_op(const struct load_cfg *c, enum blkgen_op op);
/* Return true if the load changes the device, so that data is lost. */
bool load_changes(const struct load_cfg *c);

/*
 * Set --qd and --time to defaults that follow from other options.
 * @time, @qd: true if the user gave the option, which then stays as it is
 */
void load_defaults(struct load_cfg *c, bool time, bool qd);

/* Return true if the engine has one I/O in flight per job. */
bool load_single(const struct load_cfg *c);

/* Return true if the options are the same, or set the same: --bs and --bssplit. */
bool load_same_option(const char *a, const char *b);

/* Return true if the user gave the option, or another one that sets the same. */
bool load_opt_seen(const struct opt_args *args, const char *name);

/* Return how many of --json, --csv and --log go to stdout. */
unsigned int load_stdout_files(const struct load_cfg *c);

#endif
