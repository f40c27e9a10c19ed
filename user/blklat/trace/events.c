// SPDX-License-Identifier: GPL-2.0
/* Write the files of --events and --perfetto. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "blklat/trace/events.h"
#include "blklat/collect/events.h"
#include "core/child.h"
#include "core/clocks.h"
#include "core/log.h"
#include "core/reader.h"
#include "core/spool.h"
#include "core/units.h"
#include "blklat/trace/event_sink.h"
#include "output/file.h"
#include "output/json.h"

enum { OUT_JSON, OUT_PERFETTO, NR_OUTS };

static const struct {
	const char *key;
	const struct event_sink_ops *ops;
} kinds[NR_OUTS] = {
	[OUT_JSON] = { "file", &events_json_ops },
	[OUT_PERFETTO] = { "perfetto", &perfetto_ops },
};

struct out {
	const char *path;
	bool is_stdout;
	int fd;
	struct event_sink sink;
};

/*
 * @src, @outs: from the start of the reader until trace_events_end(), only the thread that makes
 *	lines may use these: the thread of @spool, or that of @reader without a spool
 * @spool: records that wait beside the file; NULL if lines are made at once
 * @names: what trace_events_names() knows the first @known devices by
 * @known: set with a release store, as the thread that makes lines reads it, too
 * @found: names that this thread had to find itself
 * @unread_back: records that did not become lines: they were left in the spool, or no file could
 *	be written any more. The thread that makes lines counts here, too, until it ends.
 * @unread: not 0 if the reader of a pipe is gone
 * @was_interrupted: true if a signal was already pending when the wait for the spool began
 */
struct trace_events {
	const struct trace_events_cfg *cfg;
	struct session *session;
	struct events *reader;
	struct spool *spool;
	struct event_source src;
	char names[BLKLAT_MAX_DEVS][DEV_TEXT];
	size_t known;
	char found[BLKLAT_MAX_DEVS][DEV_TEXT];
	struct out outs[NR_OUTS];
	size_t unread_back;
	int unread;
	bool was_interrupted;
	struct progress progress;
};

/* Return how to write: on a terminal, somebody reads the lines of --events. */
static const struct event_sink_ops *ops_of(unsigned int kind, int fd)
{
	return kind == OUT_JSON && isatty(fd) ? &events_table_ops : kinds[kind].ops;
}

bool trace_events_on_stdout(const struct trace_events_cfg *cfg)
{
	return report_is_stdout(cfg->json) || report_is_stdout(cfg->perfetto);
}

int trace_events_check(const struct trace_events_cfg *cfg, const char *taken)
{
	if (!!taken + report_is_stdout(cfg->json) + report_is_stdout(cfg->perfetto) > 1)
		return usage_error("only one of %s, --events and --perfetto can be on stdout",
				   taken ?: "--json");
	if (report_is_stdout(cfg->perfetto) && isatty(STDOUT_FILENO))
		return usage_error("--perfetto -: stdout must not be a terminal, because the trace "
				   "is binary");
	if (!trace_events_wanted(cfg) && (cfg->slower_ns || cfg->sample > 1))
		return usage_error("--%s needs --events FILE or --perfetto FILE",
				   cfg->slower_ns ? "slower" : "sample");
	return 0;
}

static int open_out(struct trace_events *e, unsigned int kind, const char *path)
{
	struct out *o = &e->outs[kind];

	o->is_stdout = report_is_stdout(path);
	o->path = o->is_stdout ? "stdout" : path;
	if (!o->is_stdout) {
		o->fd = report_file_open(path);
		return o->fd < 0 ? o->fd : 0;
	}
	o->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	return o->fd < 0 ? err(-errno, "stdout: cannot be written: %s", strerror(errno)) : 0;
}

int trace_events_open(const struct trace_events_cfg *cfg, char *const *argv,
		      struct trace_events **out)
{
	struct trace_events *e;
	int ret;

	*out = NULL;
	if (!trace_events_wanted(cfg))
		return 0;
	e = calloc(1, sizeof(*e));
	if (!e)
		return err(-ENOMEM, "out of memory");
	*out = e;
	e->cfg = cfg;
	e->src.argv = argv;
	e->src.slower_ns = cfg->slower_ns;
	e->src.sample = cfg->sample;
	for (unsigned int k = 0; k < NR_OUTS; k++)
		e->outs[k].fd = -1;
	ret = cfg->json ? open_out(e, OUT_JSON, cfg->json) : 0;
	if (!ret && cfg->perfetto)
		ret = open_out(e, OUT_PERFETTO, cfg->perfetto);
	return ret;
}

void trace_events_names(struct trace_events *e, const struct trace_stack *s)
{
	if (!e)
		return;
	for (size_t i = e->known; i < s->ndevs; i++) {
		snprintf(e->names[i], DEV_TEXT, "%s", s->devs[i].name);
		__atomic_store_n(&e->known, i + 1, __ATOMIC_RELEASE);
	}
}

/*
 * Make sure that a device has a name. The first I/O of a device that joined the stack may have
 * ended before trace_events_names() knew the device.
 */
static void need_name(struct trace_events *e, unsigned int dev)
{
	struct device d;

	if (e->src.names[dev])
		return;
	if (dev < __atomic_load_n(&e->known, __ATOMIC_ACQUIRE)) {
		e->src.names[dev] = e->names[dev];
		return;
	}
	if (device_from_dev(session_dev(e->session, dev), &d))
		snprintf(e->found[dev], DEV_TEXT, "device %u", dev);
	else
		snprintf(e->found[dev], DEV_TEXT, "%s", d.name);
	e->src.names[dev] = e->found[dev];
}

static void write_event(struct trace_events *e, const struct io_event *ev)
{
	bool written = false;

	for (unsigned int i = 0; i < ev->nr_path; i++)
		need_name(e, ev->path[i]);
	for (unsigned int k = 0; k < NR_OUTS; k++) {
		struct event_sink *sink = &e->outs[k].sink;

		if (!sink->ops || sink->error)
			continue;
		sink->ops->event(sink, &e->src, ev);
		written = true;
	}
	if (written)
		e->src.written++;
	else
		e->unread_back++;
}

static void write_records(void *arg, const char *first, size_t n)
{
	struct trace_events *e = arg;
	struct io_event ev;

	for (const char *p = first; n--; p += session_events(e->session)->size) {
		io_event_decode((const struct blklat_event *)p, &ev);
		write_event(e, &ev);
	}
}

/* Flush the files, so that a program that follows a file or a pipe sees all lines until now. */
static void write_now(void *arg)
{
	struct trace_events *e = arg;

	for (unsigned int k = 0; k < NR_OUTS; k++) {
		if (!e->outs[k].sink.ops)
			continue;
		event_sink_flush(&e->outs[k].sink);
		if (e->outs[k].sink.error == -EPIPE)
			__atomic_store_n(&e->unread, 1, __ATOMIC_RELAXED);
	}
}

/*
 * Return false to give up the @left records that wait in the spool. Only a signal that arrives
 * during the wait means that the user wants no more lines. If the signal that ended the trace is
 * still pending, nothing is given up.
 */
static bool wait_for_lines(void *arg, size_t left)
{
	struct trace_events *e = arg;

	/*
	 * The spool ran out of room during the trace. As long as the trace goes on, the trace
	 * itself handles signals and the progress line.
	 */
	if (e->reader)
		return true;
	if (end_signal_pending() && !e->was_interrupted)
		return false;
	progress_line(&e->progress, "writing %zu I/Os%s", left,
		      e->was_interrupted ? "" : "; Ctrl-C leaves these I/Os out");
	return true;
}

/* Let the records that wait become lines. */
static void empty_spool(struct trace_events *e)
{
	size_t unread = spool_close(e->spool);

	/* By now the thread that makes lines has ended. */
	e->unread_back += unread;
	e->spool = NULL;
}

/* Call this at the end of the trace, when the trace no longer uses the progress line. */
static void close_spool(struct trace_events *e)
{
	e->was_interrupted = end_signal_pending();
	empty_spool(e);
	progress_done(&e->progress);
}

static void put_records(void *arg, const char *first, size_t n)
{
	struct trace_events *e = arg;
	size_t done = e->spool ? spool_put(e->spool, first, n) : 0;

	if (done == n)
		return;
	/* There is no spool, or no room in it: write its records, then make the lines directly. */
	if (e->spool)
		empty_spool(e);
	write_records(e, first + done * session_events(e->session)->size, n - done);
}

static void put_pause(void *arg)
{
	struct trace_events *e = arg;

	if (!e->spool)
		write_now(e);
}

/*
 * Return the path of the file beside which records can wait. Return NULL if an output is stdout
 * or no regular file: then somebody may read the lines as they come.
 */
static const char *spool_path(const struct trace_events *e)
{
	const char *path = NULL;
	struct stat st;

	for (unsigned int k = 0; k < NR_OUTS; k++) {
		if (e->outs[k].fd < 0)
			continue;
		if (e->outs[k].is_stdout || fstat(e->outs[k].fd, &st) || !S_ISREG(st.st_mode))
			return NULL;
		path = e->outs[k].path;
	}
	return path;
}

static int start_reader(struct trace_events *e)
{
	const struct spool_user user = { write_records, write_now, wait_for_lines, e };
	const struct events_user put = { put_records, put_pause, e };
	const char *path = spool_path(e);
	sigset_t pipe, old;
	int ret;

	/*
	 * The threads inherit the signal mask. With SIGPIPE blocked, a write to a closed pipe
	 * fails and does not end blklat.
	 */
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe, &old);
	if (path && spool_open(path, session_events(e->session)->size, &user, &e->spool))
		e->spool = NULL;
	ret = events_open(e->session, &put, &e->reader);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ret;
}

int trace_events_begin(struct trace_events *e, const struct trace_stack *stack,
		       struct session *session)
{
	int ret;

	if (!e)
		return 0;
	e->session = session;
	e->src.start_ns = session_armed_ns(session);
	e->src.start_realtime_ns = e->src.start_ns + clock_offset(CLOCK_REALTIME);
	trace_events_names(e, stack);
	for (size_t i = 0; i < stack->ndevs; i++)
		e->src.names[i] = e->names[i];
	ret = events_flag_names(e->src.flags, EVENT_FLAGS);
	for (unsigned int k = 0; k < NR_OUTS && !ret; k++) {
		if (e->outs[k].fd < 0)
			continue;
		ret = event_sink_open(&e->outs[k].sink, ops_of(k, e->outs[k].fd), e->outs[k].fd,
				      &e->src);
		if (ret)
			return err(ret, "out of memory");
	}
	write_now(e);
	return ret ?: start_reader(e);
}

bool trace_events_unread(const struct trace_events *e)
{
	return e && __atomic_load_n(&e->unread, __ATOMIC_RELAXED);
}

/* Return the number of lost events of all traced devices. */
static uint64_t count_lost(const struct trace_events *e)
{
	struct blklat_ledger l;
	uint64_t lost = 0;

	for (size_t i = 0; i < session_ndevs(e->session); i++) {
		session_ledger(e->session, i, &l);
		lost += l.n[COUNT_EVENTS_LOST];
	}
	return lost;
}

int trace_events_end(struct trace_events *e)
{
	sigset_t pipe, old;
	bool unread = false;
	int ret = 0;

	if (!e || !e->reader)
		return 0;
	events_close(e->reader);
	e->reader = NULL;
	close_spool(e);
	e->src.lost = e->unread_back + count_lost(e);
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe, &old);
	for (unsigned int k = 0; k < NR_OUTS; k++) {
		struct out *o = &e->outs[k];

		event_sink_close(&o->sink, o->sink.ops ? &e->src : NULL);
		/* Some file systems report a failed write only here. */
		if (o->fd >= 0 && close(o->fd) && !o->sink.error)
			o->sink.error = -errno;
		o->fd = -1;
		if (o->is_stdout && o->sink.error == -EPIPE)
			unread = true;
		else if (o->sink.error)
			ret = err(o->sink.error, "%s: cannot write: %s", o->path,
				  strerror(-o->sink.error));
	}
	sigtimedwait(&pipe, NULL, &(struct timespec){ 0 });
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ret ?: unread ? reader_print_lost() : 0;
}

uint64_t trace_events_lost(const struct trace_events *e)
{
	return e ? e->src.lost : 0;
}

/*
 * Members of the JSON object "events file":
 * @file: string or null: FILE of ``--events``, null without this option.
 * @perfetto: string or null: FILE of ``--perfetto``, null without this option.
 * @slower_ns: integer: Value of ``--slower``: only I/Os that took at least this long were written.
 * @sample: integer: Value of ``--sample``: of these I/Os, one in this many was written.
 * @written: integer: Number of I/Os that were written.
 * @lost: integer: Number of records that were not written, because the ring had no room or Ctrl-C
 *	ended the writing. ``events_lost`` in the ledger counts only those without room.
 */
json_object *trace_events_json(const struct trace_events *e)
{
	json_object *o;

	if (!e)
		return NULL;
	o = json_object_new_object();
	for (unsigned int k = 0; k < NR_OUTS; k++)
		json_str(o, kinds[k].key, e->outs[k].path);
	json_u64(o, "slower_ns", e->src.slower_ns);
	json_u64(o, "sample", e->src.sample);
	json_u64(o, "written", e->src.written);
	json_u64(o, "lost", e->src.lost);
	return o;
}

void trace_events_print(const struct trace_events *e, FILE *f)
{
	char slower[FMT_LEN];

	if (!e)
		return;
	fprintf(f, "events: %llu I/Os", (unsigned long long)e->src.written);
	if (e->src.slower_ns)
		fprintf(f, " of at least %s", fmt_time(slower, sizeof(slower), e->src.slower_ns));
	if (e->src.sample > 1)
		fprintf(f, ", one in %llu", (unsigned long long)e->src.sample);
	for (unsigned int k = 0; k < NR_OUTS; k++)
		if (e->outs[k].path)
			fprintf(f, ", in %s", e->outs[k].path);
	fprintf(f, "; %llu lost\n", (unsigned long long)e->src.lost);
}

void trace_events_close(struct trace_events *e)
{
	if (!e)
		return;
	events_close(e->reader);
	e->reader = NULL;
	close_spool(e);
	for (unsigned int k = 0; k < NR_OUTS; k++) {
		event_sink_close(&e->outs[k].sink, NULL);
		if (e->outs[k].fd >= 0)
			close(e->outs[k].fd);
	}
	free(e);
}
