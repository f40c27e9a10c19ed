/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_OPENMETRICS_H
#define BLKLAT_OPENMETRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "blklat/result/result.h"

/*
 * OpenMetrics 1.0, limited to the part that parsers of Prometheus' older text format can read
 * too, because the textfile collector of the node exporter knows only that format. It has no type
 * "info", so the description of a device is a gauge.
 */

/**
 * struct metrics_dev - a device whose metrics are written
 * @dev: its result
 * @name: the kernel's name of the device, or the user's
 * @kernel: release of the kernel; NULL or "" if it is not known
 */
struct metrics_dev {
	const struct result_dev *dev;
	const char *name;
	const char *kernel;
};

/**
 * struct metrics - the metrics of a trace
 * @start_ns: UNIX time when the trace began; 0 if not known
 * @missed: events that the programs did not see; LEDGER_UNKNOWN if not known
 * @devs: array of @ndevs devices, with different names
 */
struct metrics {
	int64_t start_ns;
	uint64_t missed;
	struct metrics_dev *devs;
	size_t ndevs;
};

/**
 * metrics_write() - write the metrics to a file that other users may read
 * @m: the metrics
 * @path: "-" is stdout. A file appears under its name complete or not at all, with mode 0644
 *	whatever the umask is, because exporters do not run as root.
 * Return: 0 or -errno, not reported.
 */
int metrics_write(const struct metrics *m, const char *path);

#endif
