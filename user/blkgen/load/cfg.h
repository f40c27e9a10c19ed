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

/**
 * load_random() - tell if --rw is random
 * @c: options of the load
 *
 * Return: true if --rw is random, false if it is sequential.
 */
bool load_random(const struct load_cfg *c);

/**
 * load_mixed() - tell if --mix counts
 * @c: options of the load
 *
 * Return: true if --rw is rw or randrw, also if --mix leaves no reads or no writes.
 */
bool load_mixed(const struct load_cfg *c);

/**
 * load_has_op() - tell if --rw has an op
 * @c: options of the load
 * @op: the op to look for
 *
 * With --mix 100, rw and randrw have no writes; with --mix 0, they have no reads. Flushes come from
 * --flush and are never ops of --rw.
 *
 * Return: true if --rw has @op.
 */
bool load_has_op(const struct load_cfg *c, enum blkgen_op op);

/**
 * load_changes() - tell if the load changes the device
 * @c: options of the load
 *
 * Return: true if the load has writes, trims or zeroes, so that data is lost.
 */
bool load_changes(const struct load_cfg *c);

/**
 * load_defaults() - set --qd and --time to defaults that follow from other options
 * @c: options of the load
 * @time: true if the user gave --time, which then stays as it is
 * @qd: true if the user gave --qd, which then stays as it is
 *
 * If the engine has one I/O in flight per job, --qd becomes 1. If --ios, --bytes or --pass ends the
 * load, --time becomes 0, which is no limit.
 */
void load_defaults(struct load_cfg *c, bool time, bool qd);

/**
 * load_single() - tell if the engine has only one I/O in flight per job
 * @c: options of the load
 *
 * Return: true for --engine sync and buffered.
 */
bool load_single(const struct load_cfg *c);

/**
 * load_same_option() - tell if two names are of options that set the same
 * @a: name of an option, without dashes
 * @b: name of the other option, without dashes
 *
 * Return: true if both names are of one option, or of --bs and --bssplit.
 */
bool load_same_option(const char *a, const char *b);

/**
 * load_opt_seen() - tell if the user gave an option, or another one that sets the same
 * @args: command line of blkgen load
 * @name: name of the option, without dashes
 *
 * Return: true if the user gave it.
 */
bool load_opt_seen(const struct opt_args *args, const char *name);

/**
 * load_stdout_files() - count the files that go to stdout
 * @c: options of the command line
 *
 * Return: how many of --json, --csv and --log go to stdout.
 */
unsigned int load_stdout_files(const struct load_cfg *c);

#endif
