/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_REPORT_REPORT_H
#define BLKLAT_REPORT_REPORT_H

#include "blklat/plot/plot.h"
#include "blklat/result/compare_stats.h"
#include "blklat/result/result.h"

/**
 * struct report_set - the results to report
 * @results: the @n results
 * @tops: the devices that were asked for, of all results side by side
 * @all: the devices in @tops and the devices below them
 * @baseline: label of the device that others are compared with, borrowed; NULL: as in the files
 * @cmps: for each result, the comparison in it; without rows if there is none
 */
struct report_set {
	struct result *results;
	size_t n;
	struct plot_set tops;
	struct plot_set all;
	const char *baseline;
	bool detail;		/* print all stages of a comparison */
	struct comparison *cmps;
};

#endif
