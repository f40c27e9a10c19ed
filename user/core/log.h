/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_LOG_H
#define BLKLAT_CORE_LOG_H

#include <stdbool.h>
#include <stdio.h>

/* Functions never exit: they report with err() and return -errno. */

#define __printf(f, a)	__attribute__((format(printf, f, a)))

enum log_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* The name every message starts with: "blkgen: ...". Call it first in main(). */
void log_init(const char *progname);
const char *log_progname(void);

/* 0 quiet (errors only), 1 normal, 2 verbose. */
void log_set_level(int level);
int log_level(void);
void log_set_color(enum log_color when);
/* True when @f may get colours (terminal, not NO_COLOR, TERM not dumb). */
bool log_color(FILE *f);
/* True when the locale can show block characters. */
bool log_utf8(void);

/* The last err() line without the program name, "" when there was none; for "error" in JSON. */
const char *log_last_error(void);

/*
 * Until it is called with NULL, @where says what err() puts before a message: "job.fio:3: ". For
 * messages about what the user wrote somewhere else than on the command line.
 */
void log_where(const char *(*where)(const void *from, const char *message), const void *from);

/**
 * err() - report an error in one line on stderr
 * @error: negative errno, handed through
 * Return: @error, so that "return err(-EBUSY, ...)" reads well.
 */
int err(int error, const char *fmt, ...) __printf(2, 3);
void warn(const char *fmt, ...) __printf(1, 2);
void info(const char *fmt, ...) __printf(1, 2);
void verbose(const char *fmt, ...) __printf(1, 2);

/*
 * A line that shows where a long job stands: rewritten in place when stderr
 * is a terminal, else a plain line at most every @plain_every_ns.
 */
struct progress {
	unsigned long long plain_every_ns;
	unsigned long long last_ns;
	bool shown;
};
void progress_line(struct progress *p, const char *fmt, ...) __printf(2, 3);
void progress_done(struct progress *p);

/* CLOCK_MONOTONIC in ns. */
unsigned long long now_ns(void);

#endif
