/* SPDX-License-Identifier: GPL-2.0 */
/* Declare the options of a load. */
#ifndef BLKGEN_LOAD_CFG_H
#define BLKGEN_LOAD_CFG_H

#include <stdbool.h>
#include <stdint.h>
#include "core/dist.h"
#include "core/opt.h"
#include "core/sizes.h"
#include "uapi/blkgen.h"

/*
 * These are the options of a load; load_opts describes them. Times are in ns and sizes in bytes. An
 * option that goes to the module exactly as the user gave it is in @set, and has no other member.
 */
struct load_cfg {
	struct common_cfg common;
	struct blkgen_setup set;
	struct io_sizes sizes;
	struct dist dist;
	uint64_t rate;			/* with RATE_BYTES */
	double mix;
	uint64_t interval, drain;
	int rw;
	bool write, force_signature, steady, hist;
	uint64_t per;			/* --per: bit n is set for LOAD_PER_* n of load/per.h */
	const char *on_errors;		/* --errors as given */
	const char *cpus;		/* --cpus as given; NULL: jobs are not bound */
	uint64_t first_cpu;		/* index in --cpus of the CPU of the first job */
	const char *json, *job, *csv, *log, *scenario, *target_latency;
	struct strlist sweep;
};

extern const struct opt load_opts[];

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
/*
 * Return true if --rw has the op @op. With --mix 100, rw and randrw have no writes; with --mix 0,
 * they have no reads. Flushes come from --flush and are never ops of --rw.
 */
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

/* Return true if both names are of one option, or of --bs and --bssplit, which set the same. */
bool load_same_option(const char *a, const char *b);

/* Return true if the user gave the option, or another one that sets the same. */
bool load_opt_seen(const struct opt_args *args, const char *name);

/* Return how many of --json, --csv and --log go to stdout. */
unsigned int load_stdout_files(const struct load_cfg *c);

#endif
