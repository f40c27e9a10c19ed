/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_TABLES_H
#define REPORT_TABLES_H

#include "blklat/report/report.h"
#include "output/table.h"

/* The tables are for the terminal, CSV or HTML. A lack of memory is not reported. */

/**
 * report_summary() - make the table of the totals of all traced I/Os, a row per device
 * @set: the devices
 *
 * Return: the table, or NULL without memory.
 */
struct report_table *report_summary(const struct plot_set *set);

/**
 * report_legs() - make the table of the devices directly below others
 * @set: the devices
 *
 * Return: the table; NULL if no device has another below, or without memory.
 */
struct report_table *report_legs(const struct plot_set *set);

/**
 * report_ledgers() - make the table of the traced and lost I/Os, a row per device
 * @set: the devices
 *
 * Return: the table, or NULL without memory.
 */
struct report_table *report_ledgers(const struct plot_set *set);

/**
 * report_missed() - count the events that the BPF programs missed
 * @set: the results
 *
 * If a file has several traces, only the trace that missed the most counts.
 *
 * Return: the number of events; a lower bound if a file has several traces.
 */
uint64_t report_missed(const struct report_set *set);

/**
 * report_missing() - write which hook a recording lacks, and what becomes of the stages, into @buf
 * @r: the result
 * @i: number of the missing hook, from 0
 * @buf: gets the text, cut off if it is too long
 * @len: bytes in @buf, at least 1
 *
 * Return: false if fewer hooks are missing; then @buf is as it was.
 */
bool report_missing(const struct result *r, size_t i, char *buf, size_t len);

#endif
