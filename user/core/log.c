// SPDX-License-Identifier: GPL-2.0
/* Print messages to the user: errors, notes, progress. */
#include <errno.h>
#include <langinfo.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "core/log.h"
#include "core/text.h"
#include "core/utf8.h"

static const char *progname = "?";
static int level = 1;
static enum log_color color_when;
static char last_error[1500];
static int last_code;	/* the @error of the last err() */
/* This returns the place to put before an error: see log_where(). */
static const char *(*error_where)(const void *from, const char *message);
static const void *error_from;
/* A progress line is on the terminal; it must be wiped before other text. */
static bool line_open;

void log_init(const char *name)
{
	progname = name;
}

const char *log_progname(void)
{
	return progname;
}

void log_set_level(int l)
{
	level = l;
}

int log_level(void)
{
	return level;
}

void log_set_color(enum log_color when)
{
	color_when = when;
}

bool log_color(FILE *f)
{
	const char *no = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (color_when != COLOR_AUTO)
		return color_when == COLOR_ALWAYS;
	if ((no && *no) || !term || !strcmp(term, "dumb"))
		return false;
	return isatty(fileno(f));
}

bool log_utf8(void)
{
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

const char *log_last_error(void)
{
	return last_error;
}

static void wipe_line(void)
{
	if (line_open)
		fputs("\r\033[K", stderr);
	line_open = false;
}

/* Print a message as one line. On a terminal, break the line between words if it is too long. */
static void put(const char *tag, const char *text)
{
	wipe_line();
	fprintf(stderr, "%s: %s", progname, tag);
	if (isatty(STDERR_FILENO))
		text_wrap(stderr, text, 2, strlen(progname) + 2 + strlen(tag), text_width(stderr));
	else
		fprintf(stderr, "%s\n", text);
}

static void say(const char *tag, const char *fmt, va_list ap)
{
	char *text;

	if (vasprintf(&text, fmt, ap) < 0)
		return;
	put(tag, utf8_one_line(text));
	free(text);
}

void log_where(const char *(*where)(const void *from, const char *message), const void *from)
{
	error_where = where;
	error_from = from;
}

int err(int error, const char *fmt, ...)
{
	char text[900];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	snprintf(last_error, sizeof(last_error), "%s%s",
		 error_where ? error_where(error_from, text) : "", text);
	utf8_one_line(last_error);
	put("", last_error);
	last_code = error;
	return error;
}

int no_memory(void)
{
	return err(-ENOMEM, "out of memory");
}

int log_memory(int ret)
{
	return ret == -ENOMEM && last_code != -ENOMEM ? no_memory() : ret;
}

void warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("warning: ", fmt, ap);
	va_end(ap);
}

void info(const char *fmt, ...)
{
	va_list ap;

	if (level < 1)
		return;
	va_start(ap, fmt);
	say("", fmt, ap);
	va_end(ap);
}

void verbose(const char *fmt, ...)
{
	va_list ap;

	if (level < 2)
		return;
	va_start(ap, fmt);
	say("", fmt, ap);
	va_end(ap);
}

void progress_line(struct progress *p, const char *fmt, ...)
{
	unsigned long long now = now_ns();
	bool tty = isatty(STDERR_FILENO);
	char text[400];
	va_list ap;

	if (level < 1)
		return;
	if (!tty && p->shown && now - p->last_ns < p->plain_every_ns)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	utf8_one_line(text);
	/* Cut the text to one line: the next progress line overwrites only one line. */
	if (tty)
		fprintf(stderr, "\r\033[K%.*s", (int)utf8_fitting(text, text_width(stderr) - 1),
			text);
	else
		fprintf(stderr, "%s\n", text);
	fflush(stderr);
	line_open = tty;
	p->shown = true;
	p->last_ns = now;
}

void progress_done(struct progress *p)
{
	wipe_line();
	fflush(stderr);
	p->shown = false;
}

unsigned long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}
