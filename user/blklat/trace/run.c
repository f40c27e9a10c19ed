// SPDX-License-Identifier: GPL-2.0
/* A trace: attach, follow a command or wait, collect. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include "blklat/trace/record.h"
#include "blklat/trace/trace.h"
#include "blklat/trace/by.h"
#include "blklat/collect/links.h"
#include "core/reader.h"
#include "uapi/loglin.h"

/* How long I/Os under way at the end are waited for. */
#define DRAIN_NS 5000000000ULL
#define TICK_MS 100

/* Whether execvp() would find it. */
static bool command_exists(const char *name)
{
	const char *path = getenv("PATH"), *end;
	char file[4096];

	if (strchr(name, '/'))
		return !access(name, X_OK);
	for (path = path ? path : "/bin:/usr/bin"; *path; path = *end ? end + 1 : end) {
		end = strchrnul(path, ':');
		snprintf(file, sizeof(file), "%.*s/%s", (int)(end - path), path, name);
		if (!access(file, X_OK))
			return true;
	}
	return false;
}

/* blkgen's tracepoints exist once its module is there. */
static void load_blkgen(char **command)
{
	const char *base = strrchr(command[0], '/');
	pid_t pid;

	if (strcmp(base ? base + 1 : command[0], "blkgen"))
		return;
	pid = fork();
	if (!pid) {
		execlp("modprobe", "modprobe", "-q", "blkgen", NULL);
		_exit(127);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

static int watch_signals(struct trace *t)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	t->sigfd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return t->sigfd < 0 ? err(-errno, "signalfd: %s", strerror(errno)) : 0;
}

/* The pipe closes when exec succeeds; else it brings the error. */
static int start_command(struct trace *t, char **command)
{
	int fds[2], error = 0;
	ssize_t n;

	if (pipe2(fds, O_CLOEXEC))
		return err(-errno, "pipe: %s", strerror(errno));
	t->child = fork();
	if (t->child < 0) {
		close(fds[0]);
		close(fds[1]);
		return err(-errno, "fork: %s", strerror(errno));
	}
	if (!t->child) {
		sigset_t none;

		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		execvp(command[0], command);
		error = errno;
		n = write(fds[1], &error, sizeof(error));
		_exit(127);
	}
	close(fds[1]);
	n = read(fds[0], &error, sizeof(error));
	close(fds[0]);
	if (n == sizeof(error)) {
		waitpid(t->child, NULL, 0);
		t->child = 0;
		return err(-error, "%s: cannot be run: %s", command[0], strerror(error));
	}
	return 0;
}

static void show_progress(struct trace *t, unsigned long long now)
{
	uint64_t count, sum;

	session_sum(t->session, 0, ROW_OF_SPAN(SPAN_TOTAL), &count, &sum);
	progress_line(&t->progress, "tracing, %.0fs; %s: %llu I/Os%s", (now - t->start_ns) / 1e9,
		      t->stack.devs[0].name, (unsigned long long)count,
		      t->changes.n ? "; the stack has changed" : "");
}

/* A line per device, or else one of progress. */
static void print_interval(struct trace *t, unsigned long long now)
{
	FILE *f = trace_stdout_taken(t->cfg) ? stderr : stdout;

	if (!t->cfg->interval || t->recording) {
		show_progress(t, now);
	} else {
		/* The command may have a line of its own progress there. */
		if (t->child && isatty(fileno(f)))
			fputs("\r\033[K", f);
		trace_interval_print(&t->interval, &t->stack, t->session, now, f);
	}
	t->interval.last_ns = now;
}

/*
 * Ctrl-C reaches the command as well; a signal sent to us alone is passed on,
 * so that the command ends and its result is seen too.
 */
static bool handle_signals(struct trace *t)
{
	struct signalfd_siginfo si;
	bool stop = false;

	while (read(t->sigfd, &si, sizeof(si)) == sizeof(si)) {
		if (si.ssi_signo == SIGCHLD) {
			if (t->child && waitpid(t->child, &t->child_status, WNOHANG) == t->child) {
				t->child = 0;
				stop = true;
			}
			continue;
		}
		if (!t->child)
			stop = true;
		else if (si.ssi_code <= 0)
			kill(t->child, si.ssi_signo);
	}
	return stop;
}

static int init_result(struct trace *t)
{
	if (breakdown_init(&t->results[t->nresults], &t->stack.devs[t->nresults]))
		return err(-ENOMEM, "out of memory");
	t->nresults++;
	return 0;
}

/* Layers may have joined, whose names are those of rows. */
static int take_interval(struct trace *t, unsigned long long now, bool all)
{
	int ret = 0;

	while (t->nresults < t->stack.ndevs && !ret)
		ret = init_result(t);
	for (size_t i = 0; i < t->stack.ntops; i++)
		trace_stack_layers(&t->stack, i, &t->results[i]);
	return ret ?: recording_take(t->recording, t, now, all);
}

/* Return: 0 or -ENOMEM, reported: the trace has what it has by then. */
static int trace_loop(struct trace *t)
{
	uint64_t every = t->recording ? 1000000000ULL : t->cfg->interval ?: 1000000000ULL;
	int ret = 0;

	trace_interval_begin(&t->interval, t->start_ns);
	while (!ret) {
		unsigned long long now;

		trace_changes_poll(&t->changes, t->sigfd, TICK_MS);
		session_tick(t->session);
		if (handle_signals(t) || trace_events_unread(t->events) || reader_gone())
			break;
		now = now_ns();
		if (t->cfg->time && now - t->start_ns >= t->cfg->time)
			break;
		if (now - t->interval.last_ns >= every)
			print_interval(t, now);
		trace_metrics_tick(t, now);
		trace_changes_look(&t->changes, now);
		if (t->recording)
			ret = take_interval(t, now, false);
	}
	progress_done(&t->progress);
	return ret;
}

/* The time is up and the command still runs: end it. Detaching takes seconds, which it must not have as well. */
static void end_command(const struct trace *t)
{
	if (t->child)
		kill(t->child, SIGTERM);
}

static void reap_command(struct trace *t)
{
	if (!t->child)
		return;
	waitpid(t->child, NULL, 0);
	t->child = 0;
	t->child_status = 0;
}

static void collect_tail(const struct session *s, struct breakdown *b, unsigned int dev)
{
	const struct hist *total = &b->rows[ROW_OF_SPAN(SPAN_TOTAL)];

	for (unsigned int i = 0; i < NR_TAILS; i++) {
		struct tail_part *p = &b->tails[i];
		uint32_t first = loglin_index(hist_percentile(total, p->pct), BLKLAT_HIST_BITS) >>
				 BLKLAT_TAIL_SHIFT;

		if (!total->count)
			continue;
		if (first >= BLKLAT_TAIL_GROUPS)
			first = BLKLAT_TAIL_GROUPS - 1;
		p->from_ns = loglin_low(first << BLKLAT_TAIL_SHIFT, BLKLAT_HIST_BITS);
		for (uint32_t k = first; k < BLKLAT_TAIL_GROUPS; k++)
			session_tail(s, &p->sum, dev, k);
	}
}

/* What it is and lies on, also what it was and lay on. */
static void describe(struct trace *t, size_t i)
{
	struct breakdown *b = &t->results[i];

	b->kind = t->stack.kinds[i];
	b->shared = t->stack.shared[i];
	b->below = t->stack.below[i];
	b->joined_ns = t->changes.joined_ns[i];
	b->left_ns = t->changes.left_ns[i];
	b->elapsed_ns = t->elapsed_ns - b->joined_ns;
	b->buckets = t->cfg->output;
	trace_stack_layers(&t->stack, i, b);
}

int trace_collect(struct trace *t)
{
	struct session_cost cost;
	uint64_t ios = 0;

	while (t->nresults < t->stack.ndevs)
		if (init_result(t))
			return -ENOMEM;
	session_cost(t->session, &cost);
	for (size_t i = 0; i < t->stack.ndevs; i++) {
		struct breakdown *b = &t->results[i];

		describe(t, i);
		session_ledger(t->session, i, &b->ledger);
		for (size_t k = 0; k < t->stack.ndevs; k++)
			b->edges[k] = *session_edge(t->session, i, k);
		b->nends = session_own_ends(t->session, i, b->ends);
		links_name_ends(b->ends, b->nends);
		ios += b->ledger.n[COUNT_COMPLETED];
		for (unsigned int r = 0; r < NR_ALL_ROWS; r++) {
			session_hist(t->session, &b->rows[r], i, NR_OPS, r);
			for (unsigned int o = 0; o < NR_OPS; o++)
				session_hist(t->session, &b->ops[o][r], i, o, r);
		}
		collect_tail(t->session, b, i);
		if (t->cfg->by && i < t->stack.ntops &&
		    trace_by_collect(session_by(t->session), i, t->cfg->by, b))
			return -ENOMEM;
	}
	for (size_t i = 0; i < t->stack.ndevs; i++)
		t->results[i].cost = (struct trace_cost) {
			.per_io_ns = cost.run_ns && ios ? (double)cost.run_ns / ios : -1,
			.programs = cost.nr_progs,
			.runs = cost.runs,
			.misses = cost.misses,
			.attach_ns = cost.attach_ns,
			.user_per_io_ns = ios ? (double)cost.user_ns / ios : -1,
		};
	return 0;
}

int trace_command_status(const struct trace *t)
{
	if (WIFSIGNALED(t->child_status))
		return 128 + WTERMSIG(t->child_status);
	return WEXITSTATUS(t->child_status);
}

void trace_begin(struct trace *t)
{
	session_start(t->session);
	t->start_ns = now_ns();
	trace_changes_begin(&t->changes, &t->stack, t->session, t->start_ns);
}

void trace_stop(struct trace *t)
{
	t->elapsed_ns = now_ns() - t->start_ns;
	session_stop(t->session, DRAIN_NS);
	trace_changes_end(&t->changes, now_ns());
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
	ret = trace_loop(t);
	end_command(t);
	trace_stop(t);
	t->events_error = trace_events_end(t->events);
	reap_command(t);
	if (t->recording && !ret)
		ret = take_interval(t, t->start_ns + t->elapsed_ns, true);
	collected = trace_collect(t);
	return ret ?: collected;
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
		.events = trace_events_wanted(&t->cfg->events),
		.slower_ns = t->cfg->events.slower_ns,
		.sample = t->cfg->events.sample,
		.ring = t->cfg->ring,
		.by = t->cfg->by,
	};
	int ret = trace_stack_find(&t->stack, args, t->cfg->up);

	if (ret)
		return ret;
	t->names = args->pos;
	t->argv = args->argv;
	/* Better to say so before attaching, which takes seconds. */
	if (args->rest && !command_exists(args->rest[0]))
		return err(-ENOENT, "%s: no such command, or it cannot be run", args->rest[0]);
	if (geteuid())
		return err(-EPERM, "tracing needs root (or CAP_BPF and CAP_PERFMON)");
	ret = trace_events_open(&t->cfg->events, t->argv, &t->events);
	if (ret)
		return ret;
	t->results = calloc(BLKLAT_MAX_DEVS, sizeof(*t->results));
	if (!t->results)
		return err(-ENOMEM, "out of memory");
	while (t->nresults < t->stack.ndevs)
		if (init_result(t))
			return -ENOMEM;
	ret = watch_signals(t);
	if (ret)
		return ret;
	if (args->rest)
		load_blkgen(args->rest);
	opts.ndevs = t->stack.ndevs;
	progress_line(&t->progress, "attaching");
	ret = session_open(&opts, &t->session);
	progress_done(&t->progress);
	return ret;
}

void trace_close(struct trace *t)
{
	trace_events_close(t->events);
	session_close(t->session);
	for (size_t i = 0; i < t->nresults; i++) {
		trace_by_free(&t->results[i]);
		breakdown_free(&t->results[i]);
	}
	free(t->results);
	trace_metrics_free(&t->metrics);
	trace_changes_free(&t->changes);
	trace_stack_free(&t->stack);
	recording_free(t->recording);
	if (t->sigfd >= 0)
		close(t->sigfd);
}
