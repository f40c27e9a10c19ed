/* SPDX-License-Identifier: GPL-2.0 */
#ifndef OUTPUT_HISTLOG_H
#define OUTPUT_HISTLOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "core/hist.h"

/*
 * Histograms of intervals, as lines of JSON. The first line of a file is its head; each other
 * line is an interval of one op on one device. The code that merges intervals is in blkgen log.
 */
#define HISTLOG_SCHEMA "blkgen-log/1"

/* An interval. It does not own its texts and its histogram. */
struct histlog_entry {
	const char *step, *device, *name, *op;	/* step, name: may be NULL */
	bool service;				/* service times, not latencies */
	uint64_t start_ns, end_ns;		/* CLOCK_MONOTONIC of one machine */
	uint64_t bytes, errors;			/* the number of I/Os is the histogram's count */
	const struct hist *hist;
};

/**
 * histlog_head() - begin a log
 * @f: the log
 *
 * The head relates CLOCK_MONOTONIC to the time of day.
 *
 * Return: 0 or -EIO, not reported.
 */
int histlog_head(FILE *f);

/**
 * histlog_write() - add an interval to a log
 * @f: the log; flush it to see all errors of writing
 * @e: the interval, with a histogram
 *
 * Return: 0 or -EIO, not reported.
 */
int histlog_write(FILE *f, const struct histlog_entry *e);

/* State of reading a log. */
struct histlog {
	const char *path;
	FILE *f;
	char *line;
	size_t room;
	unsigned long number;		/* number of the line */
	int64_t day_ns;			/* time of day at 0 of CLOCK_MONOTONIC, UNIX time */
	char *host;
	struct json_object *entry;	/* owns the texts of the last entry */
	struct hist hist;		/* histogram of the last entry */
};

/**
 * histlog_open() - open a log and read its head
 * @lg: zeroed; the caller must call histlog_close() also after a failure
 * @path: "-" is stdin; the text must live until histlog_close()
 *
 * Return: 0 or -errno, reported; with the line, if the log is not valid.
 */
int histlog_open(struct histlog *lg, const char *path);

/**
 * histlog_read() - read the next entry of a log
 * @lg: a log that histlog_open() has opened
 * @e: set to the entry, which is valid until the next call
 *
 * A last line that is not complete counts as the end, after a warning: its writer was killed.
 *
 * Return: 1 with an entry; 0 at the end; -errno, reported.
 */
int histlog_read(struct histlog *lg, struct histlog_entry *e);

/**
 * histlog_close() - close a log and free its memory
 * @lg: the log, may be zeroed; zeroed afterwards
 */
void histlog_close(struct histlog *lg);

#endif
