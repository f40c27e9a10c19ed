/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_METRICS_H
#define REPORT_METRICS_H

#include "blklat/report/report.h"

/**
 * report_metrics() - write the devices' distributions and counters for Prometheus
 * @path: "-" is stdout
 * Return: 0 or -errno, reported.
 */
int report_metrics(const struct report_set *set, const char *path);

#endif
