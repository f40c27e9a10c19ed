/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_METRICS_H
#define REPORT_METRICS_H

#include "blklat/report/report.h"

/**
 * report_metrics() - write the devices' distributions and counters for Prometheus
 * @set: the results
 * @path: "-" is stdout
 *
 * Return: 0 or -errno, reported: -EINVAL if two devices have the same label, or if a file is so old
 * that its kinds of I/O have no distributions.
 */
int report_metrics(const struct report_set *set, const char *path);

#endif
