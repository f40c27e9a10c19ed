/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_LOAD_H
#define BLKGEN_LOAD_H

#include "core/opt.h"
#include "device/device.h"
#include "device/tempdev.h"
#include "kctl.h"
#include "report/report.h"

/* What the user asked for. */
struct load_cfg {
	struct common_cfg common;
	uint64_t qd, bs, jobs, time, ios, offset, size, seed, batch, flush;
	double mix;
	int rw;
	bool write, force_signature, fua;
	const char *json;
};

enum load_rw {
	RW_READ, RW_WRITE, RW_RANDREAD, RW_RANDWRITE, RW_RW, RW_RANDRW,
	RW_TRIM, RW_RANDTRIM, RW_ZEROES, RW_RANDZEROES
};
extern const char *const load_rw_names[];

/* What one op, one job or one device did. */
struct load_sum {
	uint64_t ios, bytes, errors;
	uint64_t by_errno[256];
	uint64_t start_ns, end_ns;	/* CLOCK_MONOTONIC; 0: no I/O */
	uint64_t cpu_ns;
	struct hist lat;
};

/* One device under load. */
struct load_target {
	struct device dev;
	int bdev, ctl;			/* -1: not open */
	bool running;
	struct blkgen_setup setup;
	struct blkgen_status status;
};

struct load {
	struct load_cfg *cfg;
	struct tempdev temp;
	struct blkgen_features feat;
	struct load_target *targets;
	size_t ntargets;
	uint64_t interrupted_ns;	/* first signal; 0: none */
	json_object *doc;		/* NULL without --json */
	uint64_t errors;		/* of all, after load_report() */
};

/**
 * load_report() - fetch the results of all targets, print the table, fill @l->doc
 * Return: 0 or -errno, reported.
 */
int load_report(struct load *l);

/* The "options" member. */
json_object *load_options_json(const struct load_cfg *cfg);

#endif
