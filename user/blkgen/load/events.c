// SPDX-License-Identifier: GPL-2.0
/* Report stalls, cliffs, and rates that were not reached. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "blkgen/load/events.h"
#include "blkgen/load/interval.h"
#include "blkgen/load/result.h"
#include "blkgen/load/target.h"
#include "core/cliff.h"
#include "core/log.h"
#include "core/text.h"
#include "core/stall.h"
#include "core/units.h"

/* At most this many lines of one kind are printed for one device. JSON has all events. */
#define MOST_LINES	10

struct events {
	uint64_t zero_ns;
	struct stall *stalls;
	size_t nr_stalls;
	uint64_t unlisted;		/* most stalls of one job that the module did not keep */
	uint64_t *at;			/* CLOCK_MONOTONIC at the end of each second */
	double *rate;			/* I/Os per second in each second */
	struct cliff *cliffs;
	long ncliffs;
	double asked, got;		/* --rate and the rate reached, in its unit; 0: no --rate */
	uint64_t missed;	/* I/Os or bytes due but not submitted; 0: within tolerance */
};

/* This is memory for the stalls of a job. */
struct job_stalls {
	struct stall v[BLKGEN_NR_STALLS];
};

static int read_job(const struct load_target *t, unsigned int worker, struct stall_job *job,
		    struct job_stalls *js, uint64_t *unlisted)
{
	struct blkgen_worker_info w;
	struct blkgen_stalls st;
	unsigned int i;
	int ret;

	ret = kctl_worker(t->ctl, worker, &w);
	if (!ret)
		ret = kctl_stalls(t->ctl, worker, &st);
	if (ret)
		return ret;
	*job = (struct stall_job) { .start_ns = w.start_ns, .end_ns = w.end_ns, .stalls = js->v };
	for (i = 0; i < st.total && i < BLKGEN_NR_STALLS; i++)
		js->v[i] = (struct stall) {
			st.stall[i].start_ns, st.stall[i].start_ns + st.stall[i].length_ns,
			st.stall[i].inflight,
		};
	job->n = i;
	if (st.total - i > *unlisted)
		*unlisted = st.total - i;
	return 0;
}

/* Add a stall that still goes on. The module lists a stall only when it is over. */
static void add_last(const struct load_target *t, const struct stall_job *jobs, struct events *ev)
{
	uint64_t last = 0, now = t->hung ? t->left_ns : now_ns();
	struct stall *more;
	size_t i;

	for (i = 0; i < t->setup.workers; i++) {
		last = jobs[i].end_ns > last ? jobs[i].end_ns : last;
		last = jobs[i].start_ns > last ? jobs[i].start_ns : last;
	}
	if (t->status.state == BLKGEN_STATE_DONE || !t->status.inflight || !last ||
	    now < last + t->cfg->set.stall_ns)
		return;
	more = realloc(ev->stalls, (ev->nr_stalls + 1) * sizeof(*more));
	if (!more)
		return;
	ev->stalls = more;
	more[ev->nr_stalls++] = (struct stall) { last, now, t->status.inflight };
}

static void read_stalls(const struct load_target *t, const struct load_sum *s, struct events *ev)
{
	struct job_stalls *js = calloc(t->setup.workers, sizeof(*js));
	struct stall_job *jobs = calloc(t->setup.workers, sizeof(*jobs));
	size_t i, n = 0;
	int ret = js && jobs ? 0 : -ENOMEM;

	for (i = 0; i < t->setup.workers && !ret; i++)
		ret = read_job(t, i, &jobs[i], &js[i], &ev->unlisted);
	if (!ret)
		ret = stalls_of_device(jobs, i, t->cfg->set.stall_ns, &ev->stalls, &ev->nr_stalls);
	if (!ret)
		add_last(t, jobs, ev);
	else
		warn("%s: cannot read its stalls: %s", t->on->dev.name, strerror(-ret));
	/* @s may be a part of the load: keep only the stalls that began in this part. */
	for (i = 0; i < ev->nr_stalls; i++)
		if (ev->stalls[i].start_ns >= s->start_ns &&
		    (!s->end_ns || ev->stalls[i].start_ns <= s->end_ns))
			ev->stalls[n++] = ev->stalls[i];
	ev->nr_stalls = n;
	free(js);
	free(jobs);
}

static void read_cliffs(const struct load *l, size_t target, const struct load_sum *s,
			struct events *ev)
{
	long n = load_intervals_rates(l, target, s->start_ns - s->start_ns % 1000000000,
				      s->end_ns, &ev->at, &ev->rate);

	ev->cliffs = n > 0 ? calloc(n, sizeof(*ev->cliffs)) : NULL;
	ev->ncliffs = ev->cliffs ? cliffs_find(ev->rate, n, ev->cliffs) : 0;
	if (ev->ncliffs < 0)
		ev->ncliffs = 0;
}

/* Return how long, in ns, --rate made new I/Os due. */
static uint64_t due_time(const struct load *l, const struct load_target *t,
			 const struct load_sum *s)
{
	uint64_t zero = load_intervals_zero(l);

	if (t->status.stop == BLKGEN_STOP_TIME && t->setup.time_ns)
		return t->setup.time_ns;
	if (t->status.stop == BLKGEN_STOP_USER && l->interrupted_ns > zero)
		return l->interrupted_ns - zero;
	return load_sum_elapsed(s);
}

static void read_rate(const struct load *l, const struct load_target *t,
		      const struct load_sum *s, struct events *ev)
{
	uint64_t ns = due_time(l, t, s);
	double begun, due, slack;
	bool bytes = t->setup.flags & BLKGEN_SETUP_RATE_BYTES;

	if (!t->setup.rate || !ns)
		return;
	begun = bytes ? s->bytes + (double)s->errors * t->setup.bs : s->ios + s->errors;
	due = t->setup.rate * (ns / 1e9);
	ev->asked = t->setup.rate;
	ev->got = begun * 1e9 / ns;
	/*
	 * Tolerate that 0.5 % are missing, and the last burst of each job, which may be incomplete.
	 * With random arrivals, tolerate their random variation too.
	 */
	slack = due * 0.005 + (bytes ? t->setup.bs : 1.0) * t->setup.workers * (t->setup.burst + 1);
	if (t->setup.arrival == BLKGEN_ARRIVAL_POISSON)
		slack += 4 * sqrt(due * (bytes ? t->setup.bs : 1) * (t->setup.burst + 1));
	if (due - begun > slack)
		ev->missed = due - begun;
}

static void read_events(const struct load *l, size_t target, const struct load_result *r,
			struct events *ev)
{
	const struct load_target *t = &l->targets[target];

	memset(ev, 0, sizeof(*ev));
	ev->zero_ns = load_intervals_zero(l);
	read_stalls(t, &r->all, ev);
	read_cliffs(l, target, &r->all, ev);
	read_rate(l, t, &r->all, ev);
}

static void free_events(struct events *ev)
{
	free(ev->stalls);
	free(ev->at);
	free(ev->rate);
	free(ev->cliffs);
}

/*
 * Return the time of cliff @i, in ns from the start of measuring: the end of the last second with
 * the old rate.
 */
static uint64_t cliff_time(const struct events *ev, long i)
{
	return ev->at[ev->cliffs[i].at - 1] - ev->zero_ns;
}

/*
 * Members of the JSON object "stall":
 * @start_ns: integer: Time of the last completion before the stall, from the start of measuring,
 *	which is the end of ``--ramp``.
 * @length_ns: integer: Time from ``start_ns`` to the next completion; if there was none, to the
 *	time when blkgen gave up waiting for the I/Os.
 * @outstanding: integer: I/Os of all jobs that were in flight during the stall.
 */

/*
 * Members of the JSON object "cliff":
 * @at_ns: integer: Time of the change, from the start of measuring, exact to a second.
 * @before_iops: number: Mean rate of up to 10 seconds before the change, but only back to the
 *	previous cliff.
 * @after_iops: number: Mean rate of up to 10 seconds after the change, but only up to the next
 *	cliff.
 */

/*
 * Members of the JSON object "rate":
 * @asked: number: The rate of ``--rate``, in I/Os per second, or in bytes per second if
 *	``options.rate_unit`` is ``bytes``.
 * @got: number: The rate at which the load submitted I/O, in the same unit.
 * @missed: integer: I/Os or bytes that were due but not submitted when the load ended. 0 if they
 *	are at most 0.5 %, or within the random variation of the arrivals.
 */
void load_events_json(const struct load *l, size_t target, const struct load_result *r,
		      json_object *o)
{
	json_object *stalls = json_object_new_array(), *cliffs = json_object_new_array(), *x;
	struct events ev;
	long i;

	read_events(l, target, r, &ev);
	for (i = 0; i < (long)ev.nr_stalls; i++) {
		x = json_object_new_object();
		json_u64(x, "start_ns", ev.stalls[i].start_ns - ev.zero_ns);
		json_u64(x, "length_ns", ev.stalls[i].end_ns - ev.stalls[i].start_ns);
		json_u64(x, "outstanding", ev.stalls[i].inflight);
		json_object_array_add(stalls, x);
	}
	for (i = 0; i < ev.ncliffs; i++) {
		x = json_object_new_object();
		json_u64(x, "at_ns", cliff_time(&ev, i));
		json_real(x, "before_iops", ev.cliffs[i].before);
		json_real(x, "after_iops", ev.cliffs[i].after);
		json_object_array_add(cliffs, x);
	}
	json_object_object_add(o, "stalls", stalls);
	json_u64(o, "stalls_unlisted", ev.unlisted);
	json_object_object_add(o, "cliffs", cliffs);
	if (ev.asked) {
		x = json_object_new_object();
		json_real(x, "asked", ev.asked);
		json_real(x, "got", ev.got);
		json_u64(x, "missed", ev.missed);
		json_object_object_add(o, "rate", x);
	}
	free_events(&ev);
}

/* The function @line gets each line of text about a device. */
struct event_text {
	void (*line)(void *arg, const char *text);
	void *arg;
	char name[120];		/* begins each line */
};

static void __printf(2, 3) say(const struct event_text *t, const char *fmt, ...)
{
	char buf[400];
	va_list ap;
	int n;

	n = snprintf(buf, sizeof(buf), "%s: ", t->name);
	va_start(ap, fmt);
	vsnprintf(buf + n, sizeof(buf) - n, fmt, ap);
	va_end(ap);
	t->line(t->arg, buf);
}

static void say_stalls(const struct event_text *t, const struct events *ev)
{
	char at[FMT_LEN], length[FMT_LEN];
	size_t i;

	for (i = 0; i < ev->nr_stalls && i < MOST_LINES; i++)
		say(t, "stalled for %s, %s after the start, with %llu I/Os outstanding",
		    fmt_time(length, sizeof(length), ev->stalls[i].end_ns - ev->stalls[i].start_ns),
		    fmt_time(at, sizeof(at), ev->stalls[i].start_ns - ev->zero_ns),
		    (unsigned long long)ev->stalls[i].inflight);
	if (i < ev->nr_stalls)
		say(t, "and %zu more stalls", ev->nr_stalls - i);
	if (ev->unlisted)
		say(t, "only the first %d stalls of a job are kept: %llu more are not listed",
		    BLKGEN_NR_STALLS, (unsigned long long)ev->unlisted);
}

static void say_cliffs(const struct event_text *t, const struct events *ev)
{
	char at[FMT_LEN], before[FMT_LEN], after[FMT_LEN];
	long i;

	for (i = 0; i < ev->ncliffs && i < MOST_LINES; i++)
		say(t, "the rate changed from %s to %s IOPS, %s after the start",
		    fmt_count(before, sizeof(before), ev->cliffs[i].before),
		    fmt_count(after, sizeof(after), ev->cliffs[i].after),
		    fmt_time(at, sizeof(at), cliff_time(ev, i)));
	if (i < ev->ncliffs)
		say(t, "and %ld more changes of the rate", ev->ncliffs - i);
}

static void say_rate(const struct event_text *t, const struct events *ev, bool bytes)
{
	char asked[FMT_LEN], got[FMT_LEN], size[FMT_LEN];

	if (!ev->missed)
		return;
	if (bytes)
		say(t, "--rate was not reached: asked for %s, got %s; %s were due but not "
		    "submitted", fmt_bw(asked, sizeof(asked), ev->asked),
		    fmt_bw(got, sizeof(got), ev->got), fmt_size(size, sizeof(size), ev->missed));
	else
		say(t, "--rate was not reached: asked for %.0f/s, got %.0f/s; %llu I/Os were due "
		    "but not submitted", ev->asked, ev->got, (unsigned long long)ev->missed);
}

void load_events_text(const struct load *l, const struct load_results *rs,
		      void (*line)(void *arg, const char *text), void *arg)
{
	struct event_text t = { line, arg, "" };
	struct events ev;
	size_t i;

	for (i = 0; i < rs->n; i++) {
		const struct load_target *on = &l->targets[i];

		read_events(l, i, &rs->of[i], &ev);
		snprintf(t.name, sizeof(t.name), "%s%s%s", on->label ? on->label : "",
			 on->label ? " on " : "", on->on->dev.name);
		say_stalls(&t, &ev);
		say_cliffs(&t, &ev);
		say_rate(&t, &ev, on->setup.flags & BLKGEN_SETUP_RATE_BYTES);
		free_events(&ev);
	}
}

static void print_line(void *arg, const char *text)
{
	/* The text may have a name from a job file, so control characters must not be printed. */
	text_printf(stdout, "%s\n", text);
}

void load_events_print(const struct load *l, const struct load_results *rs)
{
	if (!load_stdout_taken(l))
		load_events_text(l, rs, print_line, NULL);
}
