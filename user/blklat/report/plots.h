/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_PLOTS_H
#define REPORT_PLOTS_H

#include "blklat/report/report.h"

/**
 * report_plots_of() - write the plots that some devices have data for
 * @tops: the devices that were asked for
 * @all: these and the devices below them
 * @name: appended to the names of the files, with "-" for special characters; or NULL
 * @dir: directory of the files; it is made if it does not exist
 *
 * Return: 0 or -errno, reported.
 */
int report_plots_of(const struct plot_set *tops, const struct plot_set *all, const char *name,
		    const char *dir);

/**
 * report_plots() - write the plots of a set, those of each load of a scenario apart
 * @set: the results
 * @dir: as for report_plots_of()
 *
 * Return: 0 or -errno, reported.
 */
int report_plots(const struct report_set *set, const char *dir);

#endif
