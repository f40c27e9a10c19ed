/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CMD_REPORT_H
#define BLKLAT_CMD_REPORT_H

#include "blklat/plot/plot.h"
#include "report/report.h"
#include "blklat/result/compare_stats.h"
#include "blklat/result/result.h"

/**
 * struct report_set - the results to report
 * @results: @n of them
 * @tops: the devices that were asked for, of all results side by side
 * @all: these and what lies below
 * @cmps: of each result the comparison in it, without rows where there is none
 */
struct report_set {
	struct result *results;
	size_t n;
	struct plot_set tops;
	struct plot_set all;
	struct comparison *cmps;
};

/* report_comparisons_free() it in each case. Return: 0 or -errno, reported. */
int report_comparisons(struct report_set *set);
void report_comparisons_free(struct report_set *set);

/* Members of results' documents: an absent one is NULL, 0 or "". */
json_object *doc_get(json_object *o, const char *key);
uint64_t doc_u64(json_object *o, const char *key);
double doc_real(json_object *o, const char *key);
const char *doc_str(json_object *o, const char *key);
size_t doc_len(json_object *list);

/* Events that the kernel did not show; in a file of several traces, of the one with the most, at least. */
uint64_t report_missed(const struct report_set *set);

/*
 * Tables, for the terminal, CSV and HTML. NULL where there is nothing to show, or no memory.
 */
struct report_table *report_summary(const struct plot_set *set);
struct report_table *report_stages(const struct plot_set *set);
struct report_table *report_legs(const struct plot_set *set);
struct report_table *report_ops(const struct plot_set *set);
struct report_table *report_ledgers(const struct plot_set *set);
struct report_table *report_compared(const struct comparison *c);
struct report_table *report_compared_stages(const struct comparison *c);
/* All stages of all devices, of the whole and of each part of the run: a row each. */
struct report_table *report_long(const struct report_set *set);

/* "sda: QEMU HARDDISK, 4GiB, LBA 512; ahci sata, 1 queue of 32, scheduler none" */
void report_facts_text(const struct result_dev *d, char *buf, size_t len);

/**
 * report_page() - one HTML page with everything, that needs no other file
 * Return: 0 or -errno, reported.
 */
int report_page(const struct report_set *set, const char *path);

/* One file with the result of several loads. */
bool report_has_scenarios(const struct report_set *set);

/* @part: what there is of the load @scenario. Return: 0 or -errno, reported. */
typedef int (*report_part_fn)(const struct report_set *part, const char *scenario, const void *arg);

/* Each load of report_has_scenarios() by itself. Return: 0, what @fn returned, or -errno, reported. */
int report_each_scenario(const struct report_set *set, report_part_fn fn, const void *arg);

/**
 * report_metrics() - the devices' distributions and counters for Prometheus
 * @path: "-" is stdout
 * Return: 0 or -errno, reported.
 */
int report_metrics(const struct report_set *set, const char *path);

#endif
