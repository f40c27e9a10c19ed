/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_OPENMETRICS_H
#define BLKLAT_OPENMETRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "blklat.h"
#include "core/hist.h"
#include "blklat/result/breakdown.h"

/*
 * OpenMetrics 1.0, limited to the part that parsers of Prometheus' older text format can read
 * too, because the textfile collector of the node exporter knows only that format. It has no type
 * "info", so the description of a device is a gauge.
 */

/* Value of a counter that is not known. */
#define METRICS_UNKNOWN LEDGER_UNKNOWN

/**
 * struct metrics_stage - the metrics of a stage of a device
 * @stage, @group, @layer: as in the JSON object "stage name"
 * @hist: histogram of the stage's times, not empty
 */
struct metrics_stage {
	const char *stage;
	const char *group;
	char layer[16];
	const struct hist *hist;
};

/**
 * struct metrics_dev - the metrics of a device; texts that are not known are NULL or ""
 * @name: the kernel's name of the device, or the user's
 * @kernel: release of the kernel
 * @top: the I/O comes from outside: the device does not lie below another traced device
 * @traced_ns: how long the device was traced
 * @ops: totals of each kind of I/O; NULL or empty if there are none
 * @counters: counters of the ledger; METRICS_UNKNOWN if not known
 * @stages: array of @nstages stages
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
 * struct metrics - the metrics of a trace
 * @start_ns: UNIX time when the trace began; 0 if not known
 * @missed: events that the programs did not see; METRICS_UNKNOWN if not known
 * @devs: array of @ndevs devices, with different names
 */
struct metrics {
	int64_t start_ns;
	uint64_t missed;
	struct metrics_dev *devs;
	size_t ndevs;
};

/**
 * metrics_of_dev() - take the metrics of a device
 * @to: overwritten; the caller sets @kernel. It borrows the histograms and the names of @d.
 * @d: the device
 */
void metrics_of_dev(struct metrics_dev *to, const struct result_dev *d);

/**
 * metrics_write() - write the metrics to a file that other users may read
 * @m: the metrics
 * @path: "-" is stdout. A file appears under its name complete or not at all, with mode 0644
 *	whatever the umask is, because exporters do not run as root.
 * Return: 0 or -errno, not reported.
 */
int metrics_write(const struct metrics *m, const char *path);

#endif
