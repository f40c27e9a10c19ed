// SPDX-License-Identifier: GPL-2.0
/* blklat trace: trace devices for a while, then print where the time went. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cmd/blklat_cmds.h"
#include "cmd/trace_changes.h"
#include "cmd/trace_interval.h"
#include "cmd/trace_stack.h"
#include "collect/links.h"
#include "collect/session.h"
#include "core/log.h"
#include "core/units.h"
#include "report/breakdown.h"
#include "report/facts.h"
#include "report/report.h"
#include "uapi/loglin.h"

/* How long I/Os under way at the end are waited for. */
#define DRAIN_NS 5000000000ULL
#define TICK_MS 100

struct trace_cfg {
	struct common_cfg common;
	uint64_t time;
	uint64_t interval;
	uint64_t ops;
	uint64_t pid;
	const char *comm;
	const char *cgroup;
	const char *json;
	bool up;
	bool check;
	bool spans;
	bool cost;
	bool submitter;
	bool strict;
};

static const char *const op_choices[] = {
#define OP(id, name) name,
	BLKLAT_OPS(OP)
#undef OP
	NULL
};

static const struct opt trace_opts[] = {
	{ "time", 't', OPT_TIME, offsetof(struct trace_cfg, time), NULL, "TIME",
	  "stop after this long; else when COMMAND ends or at Ctrl-C" },
	{ "interval", 'i', OPT_TIME, offsetof(struct trace_cfg, interval), NULL, "TIME",
	  "print a line per device this often" },
	{ "op", 0, OPT_SET, offsetof(struct trace_cfg, ops), "all", "LIST",
	  "only these kinds of I/O", op_choices },
	{ "up", 'u', OPT_FLAG, offsetof(struct trace_cfg, up),
	  .help = "trace what is on top of DEV, down to all disks, instead of DEV and below" },
	{ .type = OPT_HEADING, .help = "Whose I/O" },
	{ "pid", 'p', OPT_COUNT, offsetof(struct trace_cfg, pid), NULL, "PID",
	  "only this process and its threads", .min = 1, .max = 1 << 30 },
	{ "comm", 0, OPT_STRING, offsetof(struct trace_cfg, comm), NULL, "NAME",
	  "only tasks with this name (at most 15 characters)" },
	{ "cgroup", 0, OPT_STRING, offsetof(struct trace_cfg, cgroup), NULL, "DIR",
	  "only tasks in or below this cgroup" },
	{ .type = OPT_HEADING, .help = "Result" },
	{ "json", 0, OPT_STRING, offsetof(struct trace_cfg, json), NULL, "FILE",
	  "write the whole result as JSON; - is stdout, and the tables are left out" },
	{ "spans", 0, OPT_FLAG, offsetof(struct trace_cfg, spans),
	  .help = "print the gaps that btt has too: Q2G, G2I, I2D, D2C, Q2C (--json always has them)" },
	{ "strict", 0, OPT_FLAG, offsetof(struct trace_cfg, strict),
	  .help = "exit with 1 when any I/O was lost" },
	{ "cost", 0, OPT_FLAG, offsetof(struct trace_cfg, cost), "yes",
	  .help = "time the BPF programs, also within a layer; --no-cost makes tracing cheaper" },
	{ "submitter", 0, OPT_FLAG, offsetof(struct trace_cfg, submitter), "yes",
	  .help = "follow an I/O also in the system call it comes from, and until its submitter is told; --no-submitter makes tracing cheaper" },
	{ "check", 0, OPT_FLAG, offsetof(struct trace_cfg, check),
	  .help = "verify in the kernel that the stages of every I/O sum to its total" },
	OPT_COMMON(struct trace_cfg)
};

/* A trace under way. */
struct trace {
	const struct trace_cfg *cfg;
	struct trace_stack stack;
	struct trace_changes changes;
	struct breakdown *results;
	size_t nresults;
	struct session *session;
	int sigfd;
	pid_t child;
	int child_status;
	unsigned long long start_ns;
	unsigned long long elapsed_ns;
	struct trace_interval interval;
	struct progress progress;
};

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

/* Whether the result could be written: after the trace it would be lost. */
static int check_json(const struct trace_cfg *cfg)
{
	char *dir, *slash;
	int ret = 0;

	if (!cfg->json || !strcmp(cfg->json, "-"))
		return 0;
	dir = strdup(cfg->json);
	if (!dir)
		return err(-ENOMEM, "out of memory");
	slash = strrchr(dir, '/');
	if (slash)
		slash[slash == dir] = '\0';
	if (access(slash ? dir : ".", W_OK))
		ret = err(-errno, "%s: cannot be written: %s", cfg->json, strerror(errno));
	free(dir);
	return ret;
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
	bool to_stderr = t->cfg->json && !strcmp(t->cfg->json, "-");

	if (t->cfg->interval)
		trace_interval_print(&t->interval, &t->stack, t->session, now, to_stderr ? stderr : stdout);
	else
		show_progress(t, now);
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

static void trace_loop(struct trace *t)
{
	uint64_t every = t->cfg->interval ?: 1000000000ULL;

	trace_interval_begin(&t->interval, t->start_ns);
	for (;;) {
		unsigned long long now;

		trace_changes_poll(&t->changes, t->sigfd, TICK_MS);
		session_tick(t->session);
		if (handle_signals(t))
			break;
		now = now_ns();
		if (t->cfg->time && now - t->start_ns >= t->cfg->time)
			break;
		if (now - t->interval.last_ns >= every)
			print_interval(t, now);
		trace_changes_look(&t->changes, now);
	}
	progress_done(&t->progress);
}

/* The time is up and the command still runs: end it. */
static void end_command(struct trace *t)
{
	if (!t->child)
		return;
	kill(t->child, SIGTERM);
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

static int init_result(struct trace *t)
{
	if (breakdown_init(&t->results[t->nresults], &t->stack.devs[t->nresults]))
		return err(-ENOMEM, "out of memory");
	t->nresults++;
	return 0;
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
	trace_stack_layers(&t->stack, i, b);
}

static int collect(struct trace *t)
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
	}
	for (size_t i = 0; i < t->stack.ndevs; i++)
		t->results[i].cost = (struct trace_cost) {
			.per_io_ns = cost.run_ns && ios ? (double)cost.run_ns / ios : -1,
			.programs = cost.nr_progs,
			.runs = cost.runs,
			.misses = cost.misses,
			.attach_ns = cost.attach_ns,
		};
	return 0;
}

/* Of two names of the same hook, an old kernel has one and a new one the other. */
static bool hook_is_old_name(const struct trace *t, size_t i)
{
	const struct hook_status *st = session_hooks(t->session);

	for (size_t k = 0; k < nr_hooks; k++)
		if (k != i && st[k].state == HOOK_ATTACHED && hooks[k].type == hooks[i].type &&
		    !strncmp(hooks[k].symbol, hooks[i].symbol, 15) &&
		    !strcmp(hooks[k].marks, hooks[i].marks))
			return true;
	return false;
}

static void print_tops(const struct trace *t, FILE *f)
{
	if (!t->cfg->up)
		return;
	fprintf(f, "on top of %s:", t->stack.up);
	for (size_t i = 0; i < t->stack.ntops; i++)
		fprintf(f, " %s", t->stack.devs[i].name);
	fputc('\n', f);
}

static void print_header(const struct trace *t, FILE *f)
{
	const struct hook_status *st = session_hooks(t->session);
	struct utsname un;

	uname(&un);
	fprintf(f, "Linux %s, traced for %.1fs\n", un.release, t->elapsed_ns / 1e9);
	print_tops(t, f);
	for (size_t i = 0; i < t->stack.ndevs; i++) {
		report_facts_print(&t->stack.devs[i], f);
		if (!hook_family(&t->stack.devs[i]) && !t->stack.devs[i].bio_based)
			fprintf(f, "%s: no hooks for driver %s: sched+submit and submit+device are merged\n",
				t->stack.devs[i].name, *t->stack.devs[i].kind ? t->stack.devs[i].kind : "(unknown)");
	}
	for (size_t i = 0; i < nr_hooks; i++)
		if ((st[i].state == HOOK_MISSING || st[i].state == HOOK_FAILED) &&
		    hook_wanted(hooks[i].family, t->stack.devs, t->stack.ndevs) && !hook_is_old_name(t, i))
			fprintf(f, "missing: %s: %s\n", st[i].reason, hooks[i].without);
	trace_changes_print(&t->changes, f);
	unsplit_print(t->results, t->nresults, f);
	fputc('\n', f);
}

static json_object *tops_json(const struct trace *t)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < t->stack.ntops; i++)
		json_object_array_add(list, json_object_new_string(t->stack.devs[i].name));
	return list;
}

static int report(struct trace *t, json_object *doc)
{
	const char *json = t->cfg->json;
	json_object *list = json_object_new_array();
	uint64_t lost = 0, bad = 0;
	int ret = 0;

	for (size_t i = 0; i < t->stack.ndevs; i++) {
		json_object_array_add(list, breakdown_json(t->results, t->stack.ndevs, i));
		lost += breakdown_lost(&t->results[i]);
		bad += t->results[i].ledger.n[COUNT_CHECK_FAILED];
	}
	json_object_object_add(doc, "devices", list);
	if (t->cfg->up)
		json_object_object_add(doc, "tops", tops_json(t));
	json_object_object_add(doc, "changes", trace_changes_json(&t->changes));
	if (!json || strcmp(json, "-")) {
		print_header(t, stdout);
		ret = breakdown_print(t->results, t->stack.ntops, t->stack.ndevs, t->cfg->spans, stdout);
		if (ret)
			return err(ret, "cannot print the result: %s", strerror(-ret));
	}
	if (bad)
		return err(-EIO, "%llu I/Os whose stages do not sum to their total: a bug in blklat",
			   (unsigned long long)bad);
	if (lost && t->cfg->strict)
		return err(-EIO, "%llu I/Os were lost (--strict)", (unsigned long long)lost);
	return 0;
}

static int command_status(const struct trace *t)
{
	if (WIFSIGNALED(t->child_status))
		return 128 + WTERMSIG(t->child_status);
	return WEXITSTATUS(t->child_status);
}

static int run_trace(struct trace *t, char **command)
{
	int ret;

	if (command)
		ret = start_command(t, command);
	else
		ret = 0;
	if (ret)
		return ret;
	trace_loop(t);
	t->elapsed_ns = now_ns() - t->start_ns;
	session_stop(t->session, DRAIN_NS);
	trace_changes_end(&t->changes, now_ns());
	end_command(t);
	return collect(t);
}

static int open_trace(struct trace *t, struct opt_args *args)
{
	struct session_opts opts = {
		.devs = t->stack.devs,
		.roles = t->stack.roles,
		.op_mask = t->cfg->ops & ((1U << NR_OPS) - 1),
		.tgid = t->cfg->pid,
		.comm = t->cfg->comm,
		.cgroup = t->cfg->cgroup,
		.check = t->cfg->check,
		.spans = t->cfg->spans || t->cfg->json,
		.cost = t->cfg->cost,
		.submitter = t->cfg->submitter,
	};
	int ret = trace_stack_find(&t->stack, args, t->cfg->up);

	if (ret)
		return ret;
	/* Better to say so before attaching, which takes seconds. */
	if (args->rest && !command_exists(args->rest[0]))
		return err(-ENOENT, "%s: no such command, or it cannot be run", args->rest[0]);
	if (geteuid())
		return err(-EPERM, "tracing needs root (or CAP_BPF and CAP_PERFMON)");
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

static void close_trace(struct trace *t)
{
	session_close(t->session);
	for (size_t i = 0; i < t->nresults; i++)
		breakdown_free(&t->results[i]);
	free(t->results);
	trace_changes_free(&t->changes);
	trace_stack_free(&t->stack);
	if (t->sigfd >= 0)
		close(t->sigfd);
}

static int trace_run(void *config, struct opt_args *args)
{
	struct trace t = { .cfg = config, .sigfd = -1, .progress = { .plain_every_ns = 10000000000ULL } };
	json_object *doc;
	int ret;

	if (!args->npos)
		return usage_error("name a device, as in: blklat trace nvme0n1");
	if (args->npos > BLKLAT_MAX_DEVS && !t.cfg->up)
		return usage_error("at most %d devices at once", BLKLAT_MAX_DEVS);
	if (t.cfg->comm && strlen(t.cfg->comm) >= BLKLAT_COMM_LEN)
		return usage_error("--comm %s: a task's name has at most %d characters", t.cfg->comm,
				   BLKLAT_COMM_LEN - 1);
	ret = check_json(t.cfg);
	if (ret)
		return ret;
	doc = report_doc_new("blklat", args->argv);
	ret = open_trace(&t, args);
	if (!ret) {
		session_start(t.session);
		t.start_ns = now_ns();
		trace_changes_begin(&t.changes, &t.stack, t.session, t.start_ns);
		ret = run_trace(&t, args->rest);
	}
	if (!ret)
		ret = report(&t, doc);
	if (ret && ret != -EUSAGE)
		report_doc_error(doc, log_last_error());
	if (t.cfg->json && ret != -EUSAGE) {
		int written = report_doc_write(doc, t.cfg->json);

		ret = ret ?: written;
	}
	json_object_put(doc);
	close_trace(&t);
	return ret ?: command_status(&t);
}

const struct cmd cmd_trace = {
	.name = "trace",
	.brief = "split the latency of a device's I/O into app, kernel, driver and device",
	.usage = "DEV... [-- COMMAND...]",
	.about = "Follows every I/O of the devices from the submitting task to the device and\n"
		 "back, and prints how long each stage took. DEV is a name (nvme0n1), a path, a\n"
		 "link or a partition; I/O of a dm or md device is followed through all layers\n"
		 "down to the disks. Ends after --time, when COMMAND ends, or at Ctrl-C, and\n"
		 "prints the result in each case. Several devices print side by side.",
	.examples = "# a disk that is in use, for ten seconds\n"
		    "blklat trace nvme0n1 --time 10s\n"
		    "# one command's I/O, NVMe against AHCI\n"
		    "blklat trace nvme0n1 sda -- blkgen load nvme0n1 sda --qd 1 --time 5s\n"
		    "# what does each layer below a logical volume cost?\n"
		    "blklat trace /dev/vg/lv -- blkgen load /dev/vg/lv --qd 16 --time 5s\n"
		    "# what do the volumes on this disk do, and what do they cost?\n"
		    "blklat trace --up sda --time 10s\n"
		    "# fsync latency of the database\n"
		    "blklat trace nvme0n1p2 --comm postgres --op flush --interval 1s\n",
	.opts = trace_opts,
	.cfg_size = sizeof(struct trace_cfg),
	.takes_rest = true,
	.max_pos = 64,
	.run = trace_run,
};
