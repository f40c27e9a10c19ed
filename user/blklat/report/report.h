/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CMD_REPORT_H
#define BLKLAT_CMD_REPORT_H

#include "blklat/plot/plot.h"
#include "report/report.h"
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

/**
 * report_comparisons() - compare the devices of each result of blklat compare
 * @set: its @cmps are set, and @tops.cmp to the first comparison that has several devices. Call
 *	report_comparisons_free() in each case.
 *
 * Return: 0 or -errno, reported: -EINVAL if no comparison has a device that is called @baseline.
 */
int report_comparisons(struct report_set *set);
void report_comparisons_free(struct report_set *set);

/*
 * Return the label of a device without the name of its load, which a scenario puts before it:
 * "md-raid0" of "randread md-raid0".
 */
const char *report_own_label(const struct result_dev *d);

/*
 * Return true if a device of a result was measured with the first load. All loads of a scenario
 * have the same devices, so those of the first load are all devices.
 */
bool report_of_first_load(const struct result *r, size_t i);

/*
 * Return the number of events that the BPF programs missed. If a file has several traces, only the
 * trace that missed the most counts, so the number is a lower bound.
 */
uint64_t report_missed(const struct report_set *set);

/*
 * Make a table for the terminal, CSV or HTML. Return NULL if there is nothing to show, or without
 * memory.
 */
struct report_table *report_summary(const struct plot_set *set);
struct report_table *report_stages(const struct plot_set *set);
struct report_table *report_legs(const struct plot_set *set);
struct report_table *report_ops(const struct plot_set *set);
struct report_table *report_ledgers(const struct plot_set *set);
struct report_table *report_compared(const struct comparison *c);
/*
 * Make a table of all stages of all devices, with a row for the whole run and a row for each
 * sample.
 */
struct report_table *report_long(const struct report_set *set);

/**
 * heat_map_find_stage() - let the heat maps of some devices show a stage
 * @set: the devices; @set->stage is set
 * @name: label of the stage as in tables, or its name if only one layer has such a stage
 *
 * Return: 0, -EINVAL if there is no such stage, or -ENOMEM; reported.
 */
int heat_map_find_stage(struct plot_set *set, const char *name);

/* Return 0, or -EINVAL, reported, if no device has the samples for a heat map. */
int heat_map_check(const struct plot_set *set);

/* Print a heat map of each device. Return: 0 or -ENOMEM, not reported. */
int heat_map_print(const struct plot_set *set, FILE *f);

/* Return the heat maps of the devices as a list. */
json_object *heat_map_json(const struct plot_set *set);

/**
 * icicles_print() - print how the mean time of an I/O is nested in the layers of each device
 * @set: the devices. With @set->cmp, their differences to its baseline are drawn too.
 * @f: where to print; the widest icicle is as wide as its terminal
 *
 * Devices have one icicle of all I/Os, and one of those from the p99 on if these are known.
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int icicles_print(const struct plot_set *set, FILE *f);

/* Return the icicles of the devices as a list. */
json_object *icicles_json(const struct plot_set *set);

/**
 * report_plots_of() - write the plots that some devices have data for
 * @tops: the devices that were asked for
 * @all: these and the devices below them
 * @name: appended to the names of the files, or NULL
 * @dir: directory of the files; it is made if it does not exist
 *
 * Return: 0 or -errno, reported.
 */
int report_plots_of(const struct plot_set *tops, const struct plot_set *all, const char *name,
		    const char *dir);

/* Write the plots of a set, those of each load of a scenario apart. Return as report_plots_of(). */
int report_plots(const struct report_set *set, const char *dir);

/**
 * report_page() - write one HTML page with all results, which needs no other file
 * Return: 0 or -errno, reported.
 */
int report_page(const struct report_set *set, const char *path);

/* Return true if the set is one file with the results of several loads. */
bool report_has_scenarios(const struct report_set *set);

/* Report the results @part of the load @scenario. Return: 0 or -errno, reported. */
typedef int (*report_part_fn)(const struct report_set *part, const char *scenario, const void *arg);

/*
 * Call @fn for each load of the file. Call it only if report_has_scenarios(). Return: 0, what @fn
 * returned if not 0, or -errno, reported.
 */
int report_each_scenario(const struct report_set *set, report_part_fn fn, const void *arg);

/**
 * report_metrics() - write the devices' distributions and counters for Prometheus
 * @path: "-" is stdout
 * Return: 0 or -errno, reported.
 */
int report_metrics(const struct report_set *set, const char *path);

#endif
