// SPDX-License-Identifier: GPL-2.0
/* blklat top: show live what the devices do, a screen per second. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include "blklat/cmds.h"
#include "blklat/trace/trace.h"
#include "core/reader.h"
#include "core/text.h"

struct top_cfg {
	struct trace_cfg trace;
	int sort;
};

#define DST(member) OPT_AT(struct top_cfg, member)
static const struct opt top_opts[] = {
	{ "interval", 'i', OPT_TIME, DST(trace.interval), "1s", "TIME",
	  "show new numbers this often", .min = 100000000 },
	{ "count", 'n', OPT_COUNT, DST(trace.count), NULL, "N", "end after N intervals", .min = 1 },
	{ "time", 't', OPT_TIME, DST(trace.time), NULL, "TIME", "end after this long" },
	{ "sort", 's', OPT_ENUM, DST(sort), "iops", "KEY",
	  "which devices come first; those below a device stay below it", view_sorts },
	{ "op", 0, OPT_SET, DST(trace.ops), "all", "LIST", "count only these kinds of I/O",
	  op_names },
	{ "up", 'u', OPT_FLAG, DST(trace.up),
	  .help = "instead of DEV, show the devices on top of it, down to all disks" },
	{ "submitter", 0, OPT_FLAG, DST(trace.submitter), "yes",
	  .help = "follow an I/O also in the system call that it comes from; --no-submitter makes "
		  "tracing cheaper" },
	OPT_COMMON(struct trace_cfg)	/* struct top_cfg begins with one */
};

/**
 * struct top - a view under way
 * @cfg: the options
 * @trace: the trace that it shows
 * @screen: true if stdout is a terminal, which is then drawn anew each time
 * @raw: true if the settings of stdin were changed
 * @keys: true if keys can be read from stdin
 * @termios: the settings of stdin before
 * @paused: true while the numbers stay as they are
 * @quit: true if the user has asked for the end
 */
struct top {
	const struct top_cfg *cfg;
	struct trace trace;
	bool screen;
	bool raw;
	bool keys;
	struct termios termios;
	bool paused;
	bool quit;
};

/*
 * Use the terminal's second screen, so that the text on the first one is there again at the end.
 * The keys for SIGTSTP and SIGQUIT would leave the terminal as it is now, so they do nothing.
 */
static void screen_open(struct top *t)
{
	struct termios raw;

	t->screen = isatty(STDOUT_FILENO);
	t->raw = t->screen && isatty(STDIN_FILENO) && !tcgetattr(STDIN_FILENO, &t->termios);
	t->keys = t->raw;
	if (t->raw) {
		raw = t->termios;
		raw.c_lflag &= ~(ICANON | ECHO);
		raw.c_cc[VSUSP] = raw.c_cc[VQUIT] = _POSIX_VDISABLE;
		tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	}
	if (t->screen)
		fputs("\033[?1049h\033[?25l", stdout);
}

static void screen_close(struct top *t)
{
	if (t->raw)
		tcsetattr(STDIN_FILENO, TCSANOW, &t->termios);
	if (t->screen)
		fputs("\033[?25h\033[?1049l", stdout);
	fflush(stdout);
}

static size_t screen_lines(void)
{
	struct winsize w;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) || !w.ws_row ? 24 : w.ws_row;
}

/* Print @text from the top of the screen on, as many lines as fit. */
static void screen_put(const char *text, size_t lines)
{
	fputs("\033[H", stdout);
	for (; *text && lines > 1; lines--) {
		size_t len = strcspn(text, "\n");

		printf("%.*s\033[K\n", (int)len, text);
		text += len + (text[len] == '\n');
	}
	fputs("\033[J", stdout);
}

static void print_head(const struct top *t, size_t width, FILE *f)
{
	int most = width < 200 ? (int)width : 200;
	time_t now = time(NULL);
	char clock[16], line[200];

	strftime(clock, sizeof(clock), "%H:%M:%S", localtime(&now));
	snprintf(line, sizeof(line),
		 "%s, the last %.1fs; mean of: k kernel, d driver, D device, + not split", clock,
		 t->trace.view.seconds);
	fprintf(f, "%.*s\n", most, line);
	if (!t->keys)
		return;
	snprintf(line, sizeof(line), "q quit  p %s  s sort (%s)  up, down, Enter: stages",
		 t->paused ? "go on" : "pause", view_sorts[t->trace.view.sort]);
	fprintf(f, "%.*s\n", most, line);
}

static void draw(struct top *t)
{
	struct view_how how = {
		.width = text_width(stdout), .color = t->screen && log_color(stdout),
		.head = true, .at = -1,
	};
	size_t len;
	char *text = NULL;
	FILE *f = t->screen ? open_memstream(&text, &len) : stdout;

	if (!f)
		return;
	print_head(t, how.width, f);
	view_print(&t->trace.view, &t->trace.stack, &how, f);
	if (t->screen) {
		fclose(f);
		screen_put(text, screen_lines());
		free(text);
	} else {
		fputc('\n', f);
	}
	fflush(stdout);
}

/* Return true if the device of a row is not in a row before. */
static bool is_first(const struct view *v, size_t row)
{
	for (size_t i = 0; i < row; i++)
		if (v->rows[i] == v->rows[row])
			return false;
	return true;
}

/* Choose the next device in the direction of @step, 1 or -1. */
static void choose(struct view *v, int step)
{
	size_t at = 0;

	while (at < v->nrows && v->rows[at] != v->chosen)
		at++;
	/* Begin beside the chosen device. If none is chosen, begin at the first or the last row. */
	if (at == v->nrows && step > 0)
		at = SIZE_MAX;
	for (at += step; at < v->nrows; at += step)
		if (is_first(v, at)) {
			v->chosen = v->rows[at];
			return;
		}
}

/* Handle one key. Return how many bytes of @keys it has. */
static size_t handle_key(struct top *t, const char *keys)
{
	struct view *v = &t->trace.view;
	bool cursor = !strncmp(keys, "\033[", 2) && keys[2];
	char key = cursor ? keys[2] : *keys;

	if (cursor ? key == 'A' : key == 'k')
		choose(v, -1);
	else if (cursor ? key == 'B' : key == 'j')
		choose(v, 1);
	else if (cursor)
		return 3;
	else if (key == '\n' || key == '\r')
		v->open = v->open == v->chosen ? SIZE_MAX : v->chosen;
	else if (key == 's')
		v->sort = (v->sort + 1) % NR_SORTS;
	else if (key == 'p' || key == ' ')
		t->paused = !t->paused;
	else if (key == 'q')
		t->quit = true;
	return cursor ? 3 : 1;
}

/* Handle the keys that were pressed. Return true if there were any. */
static bool read_keys(struct top *t)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	char keys[64];
	ssize_t n;

	if (!t->keys || poll(&in, 1, 0) <= 0)
		return false;
	n = read(STDIN_FILENO, keys, sizeof(keys) - 1);
	if (n <= 0) {
		t->keys = false;
		return false;
	}
	keys[n] = '\0';
	for (ssize_t i = 0; i < n;)
		i += handle_key(t, keys + i);
	return true;
}

static int take(struct top *t, unsigned long long now)
{
	t->trace.intervals++;
	return view_take(&t->trace.view, &t->trace.stack, t->trace.session, now);
}

/* Show the devices until the end. Return: 0 or -ENOMEM, not reported. */
static int follow(struct top *t)
{
	struct trace *trace = &t->trace;
	unsigned long long now = trace->start_ns;
	int ret = 0;

	while (!ret && !t->quit && !trace_is_over(trace, now)) {
		bool draws = false;

		/* While the view is paused, only keys and the end of the trace matter. */
		if (trace_wait(trace, trace_next(trace, t->paused ? now : trace->view.now_ns,
						 trace->cfg->interval)))
			break;
		now = now_ns();
		trace_changes_look(&trace->changes, now);
		if (!t->paused && (trace_is_over(trace, now) ||
				   now - trace->view.now_ns >= trace->cfg->interval)) {
			ret = take(t, now);
			draws = true;
		}
		if (!ret && (read_keys(t) || draws))
			draw(t);
	}
	return ret;
}

static int show(struct top *t)
{
	int ret;

	trace_begin(&t->trace);
	t->trace.view.sort = t->cfg->sort;
	screen_open(t);
	ret = follow(t);
	screen_close(t);
	/* The messages about changes were on the second screen, which is gone. */
	if (t->screen)
		trace_changes_print(&t->trace.changes, stdout);
	session_stop(t->trace.session, 0);
	return ret ? err(ret, "out of memory") : 0;
}

static int top_run(void *config, struct opt_args *args)
{
	const struct top_cfg *cfg = config;
	struct top t = {
		.cfg = cfg,
		.trace = { .cfg = &cfg->trace, .sigfd = -1 },
	};
	int ret;

	if (!args->npos && cfg->trace.up)
		return usage_error("name a device, as in: blklat top --up nvme0n1");
	reader_hold();
	ret = trace_open(&t.trace, args);
	if (!ret)
		ret = show(&t);
	trace_close(&t.trace);
	return ret;
}

const struct cmd cmd_top = {
	.name = "top",
	.brief = "show live what the devices do, and what their latency is made of",
	.usage = "[DEV...]",
	.about = "Shows a screen per second: of each device the I/Os and bytes per second, the\n"
		 "I/Os in flight, the mean, the 99th percentile and the maximum of the latency in\n"
		 "that second, and a bar of what the mean is made of. Devices below a dm or md\n"
		 "device follow it, indented. An I/O that is in flight for longer than the\n"
		 "interval is named. Without DEV, all devices on top, which are no part of\n"
		 "another device, are shown, and all devices below them. If stdout is no\n"
		 "terminal, each interval is printed after the one before.",
	.examples = "blklat top\n"
		    "# the slowest first\n"
		    "blklat top --sort p99 nvme0n1 nvme1n1\n"
		    "# five intervals, into a file\n"
		    "blklat top --interval 10s --count 5 /dev/vg/lv >log\n",
	.opts = top_opts,
	.cfg_size = sizeof(struct top_cfg),
	.max_pos = BLKLAT_MAX_DEVS,
	.run = top_run,
};
