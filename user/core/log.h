/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_LOG_H
#define BLKLAT_CORE_LOG_H

#include <stdbool.h>
#include <stdio.h>

/* No function ends the process on an error: it reports the error with err() and returns -errno. */

#define __printf(f, a)	__attribute__((format(printf, f, a)))

enum log_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* Set the name that every message starts with ("blkgen: ..."). Call this first in main(). */
void log_init(const char *progname);
/* Return the name that log_init() set. */
const char *log_progname(void);

/* Set how much is printed: 0 errors and warnings only, 1 normal, 2 verbose. */
void log_set_level(int level);
/* Return the level that log_set_level() set, or 1 without such a call. */
int log_level(void);
/* Set when log_color() allows colours. Without this call it decides as with COLOR_AUTO. */
void log_set_color(enum log_color when);
/*
 * Return true if @f may get colours: as log_set_color() says; with COLOR_AUTO if @f is a terminal,
 * NO_COLOR is unset or empty, and TERM is set and not "dumb".
 */
bool log_color(FILE *f);
/* Return true if the locale is UTF-8, so that block characters can be shown. */
bool log_utf8(void);

/* Return the last err() line without the program name, "" if there is none; for "error" in JSON. */
const char *log_last_error(void);

/**
 * log_where() - put a place such as "job.fio:3: " before the messages of err()
 * @where: returns the place for @message; NULL: no place from now on
 * @from: handed to @where
 *
 * This is for messages about text that the user wrote elsewhere than on the command line.
 */
void log_where(const char *(*where)(const void *from, const char *message), const void *from);

/**
 * err() - report an error in one line on stderr
 * @error: negative errno, returned as it is
 * @fmt: the message without the program's name and the end of line
 * Return: @error, so that "return err(-EBUSY, ...)" reads well.
 */
int err(int error, const char *fmt, ...) __printf(2, 3);
/* Report that there is not enough memory. Return: -ENOMEM. */
int no_memory(void);
/* Print a line on stderr: warn() always, info() from level 1, verbose() from level 2. */
void warn(const char *fmt, ...) __printf(1, 2);
void info(const char *fmt, ...) __printf(1, 2);
void verbose(const char *fmt, ...) __printf(1, 2);

/*
 * This is a line that shows the progress of a long job. On a terminal, each new text overwrites the
 * one before; elsewhere stderr gets a plain line at most every @plain_every_ns.
 */
struct progress {
	unsigned long long plain_every_ns;
	unsigned long long last_ns;
	bool shown;
};
/* Show the line, unless the level is 0. */
void progress_line(struct progress *p, const char *fmt, ...) __printf(2, 3);
/* Wipe the line from the terminal. The next line is shown at once. */
void progress_done(struct progress *p);

/* Return CLOCK_MONOTONIC in ns. */
unsigned long long now_ns(void);

#endif
