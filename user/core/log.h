/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_LOG_H
#define BLKLAT_CORE_LOG_H

#include <stdbool.h>
#include <stdio.h>

/* No function ends the process on an error: it reports the error with err() and returns -errno. */

#define __printf(f, a)	__attribute__((format(printf, f, a)))

enum log_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/**
 * log_init() - set the name that every message starts with ("blkgen: ...")
 * @progname: the name; not copied
 *
 * Call this first in main().
 */
void log_init(const char *progname);

/**
 * log_progname() - return the name that log_init() set
 *
 * Return: the name; "?" before log_init().
 */
const char *log_progname(void);

/**
 * log_set_level() - set how much is printed
 * @level: 0: errors and warnings only, 1: normal, 2: verbose
 */
void log_set_level(int level);

/**
 * log_level() - return how much is printed
 *
 * Return: the level that log_set_level() set, or 1 without such a call.
 */
int log_level(void);

/**
 * log_set_color() - set when log_color() allows colours
 * @when: without this call, log_color() decides as with COLOR_AUTO
 */
void log_set_color(enum log_color when);

/**
 * log_color() - tell if a file may get colours
 * @f: the file
 *
 * Return: as log_set_color() says; with COLOR_AUTO, true if @f is a terminal, NO_COLOR is unset or
 * empty, and TERM is set and not "dumb".
 */
bool log_color(FILE *f);

/**
 * log_utf8() - tell if block characters can be shown
 *
 * Return: true if the locale is UTF-8.
 */
bool log_utf8(void);

/**
 * log_last_error() - return the last message of err(), for "error" in JSON
 *
 * Return: the message without the program's name, "" if there is none; the next err() overwrites
 * it.
 */
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
 * @...: the values for @fmt
 *
 * Return: @error, so that "return err(-EBUSY, ...)" reads well.
 */
int err(int error, const char *fmt, ...) __printf(2, 3);

/**
 * no_memory() - report that there is not enough memory
 *
 * Return: -ENOMEM.
 */
int no_memory(void);

/**
 * log_memory() - report that there was not enough memory, unless the last error says so
 * @ret: return value of a command; functions that make a table or a document return -ENOMEM, and
 *	leave the message to the end of the command
 *
 * Return: @ret.
 */
int log_memory(int ret);

/**
 * warn() - print a warning in one line on stderr, at every level
 * @fmt: the warning without the program's name, "warning: " and the end of line
 * @...: the values for @fmt
 */
void warn(const char *fmt, ...) __printf(1, 2);

/**
 * info() - print a message in one line on stderr, from level 1 on
 * @fmt: the message without the program's name and the end of line
 * @...: the values for @fmt
 */
void info(const char *fmt, ...) __printf(1, 2);

/**
 * verbose() - print a message in one line on stderr, from level 2 on
 * @fmt: the message without the program's name and the end of line
 * @...: the values for @fmt
 */
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

/**
 * progress_line() - show how far a long job has come, unless the level is 0
 * @p: zeroed before the first call, except @p->plain_every_ns
 * @fmt: the text without the end of line; on a terminal, it is cut to one line
 * @...: the values for @fmt
 */
void progress_line(struct progress *p, const char *fmt, ...) __printf(2, 3);

/**
 * progress_done() - wipe the progress line from the terminal
 * @p: the line; the next text is shown at once
 */
void progress_done(struct progress *p);

/**
 * now_ns() - read the monotonic clock
 *
 * Return: CLOCK_MONOTONIC in ns.
 */
unsigned long long now_ns(void);

#endif
