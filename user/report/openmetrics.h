/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_OPENMETRICS_H
#define BLKLAT_OPENMETRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "blklat.h"
#include "core/hist.h"
#include "report/breakdown.h"

/*
 * OpenMetrics 1.0, of which only as much is used as parsers of Prometheus' older text
 * format read too: the node exporter's textfile collector knows no other. So what
 * describes a device is a gauge, as that format has no type "info".
 */

/* A counter that is not known. */
#define METRICS_UNKNOWN (~0ULL)

/**
 * struct metrics_stage - a stage of a device
 * @stage, @group, @layer: as "stages" of Documentation/json.rst has them
 * @hist: not empty
 */
struct metrics_stage {
	const char *stage;
	const char *group;
	char layer[16];
	const struct hist *hist;
};

/**
 * struct metrics_dev - what there is of a device; texts that are not known are NULL or ""
 * @name: the kernel's, or what the user calls it
 * @kernel: its release
 * @top: its I/O comes from outside, it does not lie below another one that is traced
 * @traced_ns: how long it was traced
 * @ops: totals of each kind of I/O, NULL or empty for none
 * @counters: of the ledger; METRICS_UNKNOWN for none
 * @stages: @nstages of them
 */
struct metrics_dev {
	const char *name;
	const char *kernel;
	const char *driver;
	const char *model;
	const char *firmware;
	const char *scheduler;
	bool top;
	uint64_t traced_ns;
	const struct hist *ops[NR_OPS];
	uint64_t counters[NR_COUNTERS];
	struct metrics_stage stages[NR_LINES];
	size_t nstages;
};

/**
 * struct metrics - all of a trace
 * @start_ns: UNIX time when it began, 0 when not known
 * @missed: events that the programs did not see, METRICS_UNKNOWN when not known
 * @devs: @ndevs of them, with different names
 */
struct metrics {
	int64_t start_ns;
	uint64_t missed;
	struct metrics_dev *devs;
	size_t ndevs;
};

/* The device of a breakdown, whose histograms are pointed at. */
void metrics_of_breakdown(struct metrics_dev *d, const struct breakdown *b);

/* The counter of the ledger that has this name, if there is one. */
void metrics_set_counter(struct metrics_dev *d, const char *key, uint64_t v);

/* Return: 0 or -EIO, not reported. */
int metrics_print(const struct metrics *m, FILE *f);

/**
 * metrics_write() - the same into a file that others may read
 * @path: "-" is stdout. A file appears under its name complete or not at all, with mode
 *	0644 whatever the umask is: exporters are not root.
 * Return: 0 or -errno, not reported.
 */
int metrics_write(const struct metrics *m, const char *path);

#endif
