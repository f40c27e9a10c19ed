// SPDX-License-Identifier: GPL-2.0
/* Run a trace: attach, follow a command or wait, collect the results. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "blklat/trace/recording.h"
#include "blklat/trace/trace.h"
#include "blklat/trace/unfinished.h"
#include "core/reader.h"
#include "core/text.h"
#include "device/module.h"

/* Wait at most this many ns for I/Os that are in flight at the end of the trace. */
#define DRAIN_NS 5000000000ULL
#define TICK_MS 100
/* COMMAND may take this many ms to end after SIGTERM. */
#define COMMAND_END_MS 10000
/* The last interval of a trace is printed only if it lasted at least this many ns. */
#define INTERVAL_MIN_NS 10000000ULL
/* After this many intervals, the names of the columns are printed again. */
#define HEAD_EVERY 20

/* blkgen's tracepoints exist when its module is loaded. */
static void load_blkgen(const char *command)
{
	char why[256];

	if (!strcmp(path_base(command), "blkgen") &&
	    load_module("blkgen", NULL, why, sizeof(why)))
		verbose("module blkgen cannot be loaded: %s", why);
}

static int start_command(struct trace *t, char **command)
{
	/* A program that reads our stdout as JSON must not find the command's text in it. */
	struct child_opts opts = {
		.argv = (const char *const *)command,
		.in = CHILD_OURS,
		.out = trace_stdout_taken(t->cfg) ? STDERR_FILENO : CHILD_OURS,
		.err = CHILD_OURS,
	};
	struct child early = { 0 };
	int ret;

	/* The user may have pressed Ctrl-C during the seconds that attaching took. */
	child_look(t->sigfd, &early);
	if (early.signalled)
		return err(-EINTR, "a signal came before %s was started, so it was not run",
			   command[0]);
	ret = child_start(&opts, &t->child);
	t->child.asked = early.asked;
	return ret ? err(ret, "%s: cannot be run: %s", command[0], strerror(-ret)) : 0;
}

static void show_progress(struct trace *t, unsigned long long now)
{
	unsigned long long ios = 0;
	uint64_t count, sum;
	char more[32] = "";

	for (size_t i = 0; i < t->stack.ntops; i++) {
		session_sum(t->session, i, NR_OPS, ROW_OF_SPAN(SPAN_TOTAL), &count, &sum);
		ios += count;
	}
	if (t->stack.ntops > 1)
		snprintf(more, sizeof(more), " and %zu more", t->stack.ntops - 1);
	progress_line(&t->progress, "tracing, %.0fs; %s%s: %llu I/Os%s", (now - t->start_ns) / 1e9,
		      t->stack.devs[0].name, more, ios,
		      t->changes.n ? "; the stack has changed" : "");
}

/* Print a line per device. The names of the columns come again and again, as lines scroll away. */
static int print_interval(struct trace *t, unsigned long long now)
{
	FILE *f = trace_stdout_taken(t->cfg) ? stderr : stdout;
	struct view_how how = {
		.width = text_width(f), .color = log_color(f),
		.head = t->intervals % HEAD_EVERY == 0, .at = (now - t->start_ns) / 1e9,
	};

	if (view_take(&t->view, &t->stack, t->session, now))
		return err(-ENOMEM, "out of memory");
	/* The command may have a line of its own progress there. */
	if (t->child.pid && isatty(fileno(f)))
		fputs("\r\033[K", f);
	view_print(&t->view, &t->stack, &how, f);
	fflush(f);
	t->intervals++;
	return 0;
}

/* Return true if --count intervals were printed. */
static bool has_count(const struct trace *t)
{
	return t->cfg->count && t->intervals >= t->cfg->count;
}

/*
 * Show how far the trace is. With --interval this prints a line per device. Without --interval, and
 * in a recording, whose --interval is the length of its samples, it prints the progress line.
 */
static int show(struct trace *t, unsigned long long now)
{
	t->shown_ns = now;
	if (t->cfg->interval && !t->recording)
		return print_interval(t, now);
	show_progress(t, now);
	return 0;
}

/* Print the I/Os in flight: SIGUSR1 asks for this. */
static void answer(struct trace *t)
{
	struct unfinished v[BLKLAT_MAX_DEVS] = { 0 };
	struct text lines;
	bool any;

	t->child.asked = false;
	progress_done(&t->progress);
	session_unfinished(t->session, v);
	any = unfinished_print(&t->stack, v, now_ns(), text_open(&lines, stderr));
	text_close(&lines);
	if (!any)
		info("nothing is in flight that began in this trace; blklat stuck lists all");
}

/* Return how long to wait for the next tick, or until @until if that is earlier, in ms. */
static int wait_ms(unsigned long long until)
{
	unsigned long long now = now_ns();

	if (until <= now)
		return 0;
	until = (until - now + 999999) / 1000000;
	return until < TICK_MS ? until : TICK_MS;
}

bool trace_wait(struct trace *t, unsigned long long until)
{
	trace_changes_poll(&t->changes, t->sigfd, wait_ms(until));
	session_tick(t->session);
	/*
	 * A signal ends the command first, if there is one. A command that waits for a disk that
	 * hangs does not end, so a second signal ends the trace all the same.
	 */
	return child_look(t->sigfd, &t->child) || t->child.signalled > !!t->child.pid ||
	       reader_gone();
}

bool trace_is_over(const struct trace *t, unsigned long long now)
{
	return (t->cfg->time && now - t->start_ns >= t->cfg->time) || has_count(t);
}

/* Return the time @ns after @from, or the end of all times if the sum does not fit. */
static unsigned long long after(unsigned long long from, unsigned long long ns)
{
	return from + ns < from ? ULLONG_MAX : from + ns;
}

unsigned long long trace_next(const struct trace *t, unsigned long long since,
			      unsigned long long every)
{
	unsigned long long end = t->cfg->time ? after(t->start_ns, t->cfg->time) : ULLONG_MAX;
	unsigned long long next = after(since, every);

	return end < next ? end : next;
}

/* Return when to look again: at the end of an interval, or of the trace. */
static unsigned long long next_look(const struct trace *t, unsigned long long every)
{
	unsigned long long next = trace_next(t, t->shown_ns, every), sample;

	if (!t->recording)
		return next;
	sample = trace_next(t, t->recording->last_ns, t->recording->every_ns);
	return sample < next ? sample : next;
}

/*
 * Follow the trace until it is time to end. Return: 0 or -ENOMEM, reported; what was traced until
 * then stays valid.
 */
static int trace_loop(struct trace *t)
{
	uint64_t every = t->recording ? 1000000000ULL : t->cfg->interval ?: 1000000000ULL;
	unsigned long long now;
	int ret = 0;

	while (!ret && !has_count(t)) {
		if (trace_wait(t, next_look(t, every)) ||
		    trace_events_unread(t->events))
			break;
		if (t->child.asked)
			answer(t);
		now = now_ns();
		if (trace_is_over(t, now))
			break;
		if (now - t->shown_ns >= every)
			ret = show(t, now);
		trace_metrics_tick(t, now);
		trace_changes_look(&t->changes, now);
		trace_events_names(t->events, &t->stack);
		if (t->recording && !ret)
			ret = recording_take(t->recording, t, now, false);
	}
	/* The last interval may be shorter. */
	now = now_ns();
	if (!ret && t->cfg->interval && !t->recording && !has_count(t) &&
	    now - t->shown_ns >= INTERVAL_MIN_NS)
		ret = show(t, now);
	progress_done(&t->progress);
	return ret;
}

/*
 * End the command if it still runs when the time is up. Detaching takes seconds, and the command
 * must not run on for that long.
 */
static void end_command(const struct trace *t)
{
	if (t->child.pid)
		kill(t->child.pid, SIGTERM);
}

/* Wait for the command to end, but not for ever: it may itself wait for a disk that hangs. */
static void reap_command(struct trace *t, const char *command)
{
	if (!t->child.pid)
		return;
	/* This takes the signals that came until now, too. Most commands have ended by now. */
	child_look(t->sigfd, &t->child);
	if (!child_wait_for(&t->child, t->sigfd, 100)) {
		progress_line(&t->progress, "waiting for %s to end; Ctrl-C leaves it running",
			      command);
		child_wait_for(&t->child, t->sigfd, COMMAND_END_MS);
		progress_done(&t->progress);
		/* A Ctrl-C may have ended the command, too. */
		if (!child_wait_for(&t->child, t->sigfd, 100))
			warn("%s does not end, and is left running", command);
	}
	/* Ignore its status, because the trace itself has asked it to end. */
	t->child.status = 0;
}

int trace_command_status(const struct trace *t)
{
	return t->child.status;
}

void trace_begin(struct trace *t)
{
	session_start(t->session);
	t->start_ns = t->shown_ns = t->view.now_ns = now_ns();
	trace_changes_begin(&t->changes, &t->stack, t->session, t->start_ns);
}

void trace_stop(struct trace *t)
{
	t->elapsed_ns = now_ns() - t->start_ns;
	session_stop(t->session, DRAIN_NS);
	session_unfinished(t->session, t->unfinished);
	t->stop_ns = now_ns();
	trace_changes_end(&t->changes, now_ns());
}

/*
 * Follow the trace with a high priority, because session_tick() attaches programs that are needed
 * at once. The command runs already, so it does not inherit the priority.
 */
static int follow_in_time(struct trace *t)
{
	int nice = getpriority(PRIO_PROCESS, gettid()), ret;

	setpriority(PRIO_PROCESS, gettid(), SESSION_NICE);
	ret = trace_loop(t);
	setpriority(PRIO_PROCESS, gettid(), nice);
	return ret;
}

int trace_follow(struct trace *t, char **command)
{
	int ret = 0, collected;

	trace_begin(t);
	ret = trace_events_begin(t->events, &t->stack, t->session);
	if (ret)
		return ret;
	if (t->cfg->output)
		t->recording = recording_new(t->cfg->interval, t->start_ns);
	if (t->cfg->output && !t->recording)
		return -ENOMEM;
	if (command)
		ret = start_command(t, command);
	if (ret)
		return ret;
	ret = follow_in_time(t);
	end_command(t);
	trace_stop(t);
	trace_events_names(t->events, &t->stack);
	t->events_error = trace_events_end(t->events);
	if (command)
		reap_command(t, command[0]);
	if (t->recording && !ret)
		ret = recording_take(t->recording, t, t->start_ns + t->elapsed_ns, true);
	collected = trace_collect(t);
	return ret ?: collected;
}

/* Check that this is a process. A thread is in /proc, too, but its id matches no I/O. */
static int check_pid(unsigned long long pid)
{
	unsigned long long tgid = pid;
	char path[64], line[128];
	FILE *f;

	if (kill(pid, 0) && errno == ESRCH)
		return err(-ESRCH, "--pid %llu: there is no such process", pid);
	snprintf(path, sizeof(path), "/proc/%llu/status", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "Tgid: %llu", &tgid) == 1)
			break;
	if (f)
		fclose(f);
	if (tgid != pid)
		return err(-ESRCH, "--pid %llu: this is a thread of process %llu; use --pid %llu",
			   pid, tgid, tgid);
	return 0;
}

int trace_open(struct trace *t, struct opt_args *args)
{
	struct session_opts opts = {
		.devs = t->stack.devs,
		.roles = t->stack.roles,
		.op_mask = t->cfg->ops & ((1U << NR_OPS) - 1),
		.tgid = t->cfg->pid,
		.comm = t->cfg->comm,
		.cgroup = t->cfg->cgroup,
		.check = t->cfg->check,
		.spans = t->cfg->spans || t->cfg->json || t->cfg->output,
		.cost = t->cfg->cost,
		.steady = t->cfg->steady,
		.submitter = t->cfg->submitter,
		.plug = t->cfg->plug,
		.events = trace_events_wanted(&t->cfg->events),
		.slower_ns = t->cfg->events.slower_ns,
		.sample = t->cfg->events.sample,
		.ring = t->cfg->ring,
		.by = t->cfg->by,
	};
	char path[PATH_MAX];
	int ret = trace_stack_find(&t->stack, args, t->cfg->up);

	if (ret)
		return ret;
	ret = t->cfg->pid ? check_pid(t->cfg->pid) : 0;
	if (ret)
		return ret;
	t->names = args->pos;
	t->nnames = args->npos;
	t->argv = args->argv;
	/* Report this before attaching, because attaching takes seconds. */
	if (args->rest && !child_find(args->rest[0], false, path, sizeof(path)))
		return err(-ENOENT, "%s: no such command, or it cannot be run", args->rest[0]);
	ret = session_check(&opts) ?: trace_events_open(&t->cfg->events, t->argv, &t->events);
	if (ret)
		return ret;
	if (view_new(&t->view))
		return err(-ENOMEM, "out of memory");
	t->sigfd = child_signals(true, true, true);
	if (t->sigfd < 0)
		return t->sigfd;
	if (args->rest)
		load_blkgen(args->rest[0]);
	opts.ndevs = t->stack.ndevs;
	progress_line(&t->progress, "attaching");
	ret = session_open(&opts, &t->session);
	progress_done(&t->progress);
	return ret;
}

void trace_close(struct trace *t)
{
	trace_events_close(t->events);
	view_free(&t->view);
	session_close(t->session);
	for (size_t i = 0; t->devs && i < t->stack.ndevs; i++)
		result_dev_free(&t->devs[i]);
	free(t->devs);
	trace_changes_free(&t->changes);
	trace_stack_free(&t->stack);
	recording_free(t->recording);
	if (t->sigfd >= 0)
		close(t->sigfd);
}
