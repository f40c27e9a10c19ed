// SPDX-License-Identifier: GPL-2.0
/* Start the targets of a load, and wait until they are done or a signal ends them. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include "blkgen/load/cfg.h"
#include "blkgen/load/hang.h"
#include "blkgen/load/interval.h"
#include "blkgen/load/nvme.h"
#include "blkgen/load/target.h"
#include "blkgen/load/wait.h"
#include "core/child.h"
#include "core/log.h"
#include "core/reader.h"
#include "core/units.h"

static void show_progress(struct load *l)
{
	struct load_pace *p = &l->pace;
	const struct load_target *first = l->targets;
	uint64_t of_ns = first->endless ? 0 : first->cfg->set.time_ns;
	uint64_t ios = 0, bytes = 0, inflight = 0, errors = 0, ns = 0, now = now_ns();
	char iops[FMT_LEN], bw[FMT_LEN], of[FMT_LEN], errs[40] = "";
	double per_s = now > p->at_ns ? 1e9 / (now - p->at_ns) : 0;
	bool stopping = true;
	size_t i, op;

	for (i = 0; i < l->ntargets; i++) {
		const struct blkgen_status *s = &l->targets[i].status;

		for (op = 0; op < BLKGEN_NR_OPS; op++) {
			ios += op == BLKGEN_OP_FLUSH ? 0 : s->ios[op];
			bytes += s->bytes[op];
		}
		inflight += s->inflight;
		errors += s->errors;
		ns = s->elapsed_ns > ns ? s->elapsed_ns : ns;
		stopping &= s->stop != BLKGEN_STOP_NONE;
	}
	if (errors)
		snprintf(errs, sizeof(errs), ", %llu failed", (unsigned long long)errors);
	if (stopping)
		progress_line(&p->line, "%swaiting for the last %llu I/Os%s", l->what,
			      (unsigned long long)inflight, errs);
	else if (now > p->at_ns && ios >= p->ios)
		progress_line(&p->line, "%s%3.0fs%s%s: %s IOPS, %s, %llu in flight%s", l->what,
			      ns / 1e9, of_ns ? " of " : "",
			      of_ns ? fmt_time(of, sizeof(of), of_ns) : "",
			      fmt_count(iops, sizeof(iops), (ios - p->ios) * per_s),
			      fmt_bw(bw, sizeof(bw), (bytes - p->bytes) * per_s),
			      (unsigned long long)inflight, errs);
	p->ios = ios;
	p->bytes = bytes;
	p->at_ns = now;
}

/* Read the status of all targets. Return: number of targets that still run, or -errno. */
static int update(struct load *l)
{
	int running = 0, ret;
	size_t i;

	for (i = 0; i < l->ntargets; i++) {
		struct load_target *t = &l->targets[i];

		if (!t->running)
			continue;
		ret = kctl_status(t->ctl, &t->status);
		if (ret)
			return err(ret, "%s: cannot read the state of its load: %s",
				   t->on->dev.name, strerror(-ret));
		t->running = t->status.state != BLKGEN_STATE_DONE;
		running += t->running;
	}
	return running;
}

static void interrupt(struct load *l)
{
	if (l->interrupted_ns)
		return;
	l->interrupted_ns = now_ns();
	load_stop(l);
}

static int handle_signal(struct load *l)
{
	if (l->sigfd >= 0)
		child_look(l->sigfd, &l->signals);
	if (l->signals.signalled > 1)
		return err(-EINTR, "interrupted again while I/O is in flight: there is no result");
	if (l->signals.signalled)
		interrupt(l);
	return 0;
}

/* Wait until a target is done, a signal comes, or the time is @until. */
static int wait_event(struct load *l, struct pollfd *p, uint64_t until)
{
	uint64_t now = now_ns();
	size_t i;

	for (i = 0; i < l->ntargets; i++) {
		p[i].fd = l->targets[i].running ? l->targets[i].ctl : -1;
		p[i].events = POLLIN;
	}
	p[i].fd = l->sigfd;
	p[i].events = POLLIN;
	if (poll(p, i + 1, until > now ? (until - now) / 1000000 + 1 : 0) < 0 && errno != EINTR)
		return err(-errno, "poll: %s", strerror(errno));
	return p[i].revents & POLLIN ? handle_signal(l) : 0;
}

int load_wait(struct load *l, uint64_t until_ns)
{
	struct pollfd *p = calloc(l->ntargets + 1, sizeof(*p));
	struct load_pace *pace = &l->pace;
	int ret = p ? 0 : err(-ENOMEM, "out of memory");

	/* From here on ret is the number of targets that still run, or an error. */
	for (size_t i = 0; p && i < l->ntargets; i++)
		ret += l->targets[i].running;
	while (ret > 0 && !(until_ns && now_ns() >= until_ns)) {
		uint64_t next = load_intervals_next(l);

		next = next < pace->next_ns ? next : pace->next_ns;
		next = load_look_at(l, next);
		ret = wait_event(l, p, until_ns && until_ns < next ? until_ns : next);
		if (ret >= 0)
			ret = update(l);
		if (ret > 0)
			ret = load_look(l);
		if (ret >= 0 && load_intervals_tick(l, !ret))
			ret = -EIO;
		if (ret > 0 && now_ns() >= pace->next_ns) {
			if (!load_intervals_live(l))
				show_progress(l);
			pace->next_ns = now_ns() + 1000000000;
		}
		if (reader_gone())
			interrupt(l);
	}
	if (ret <= 0)
		progress_done(&pace->line);
	free(p);
	return ret > 0 ? 1 : ret;
}

int load_catch_signals(struct load *l)
{
	l->sigfd = child_signals(false, false, false);
	return l->sigfd < 0 ? l->sigfd : 0;
}

bool load_interrupted(struct load *l)
{
	handle_signal(l);
	return l->interrupted_ns != 0 || l->hung || load_intervals_failed(l);
}

int load_start(struct load *l)
{
	size_t i;
	int ret;

	load_nvme_before(l);
	l->pace = (struct load_pace) {
		.line.plain_every_ns = 5000000000ull,
		.at_ns = now_ns(),
		.next_ns = now_ns() + 1000000000,
	};
	ret = load_intervals_begin(l);
	if (ret)
		return ret;
	for (i = 0; i < l->ntargets; i++) {
		struct load_target *t = &l->targets[i];

		ret = kctl_start(t->ctl);
		if (ret)
			return err(ret, "%s: cannot start: %s", t->on->dev.name, strerror(-ret));
		t->running = true;
		t->quiet_ns = 0;
		t->limit_ns = t->setup.time_ns ? now_ns() + t->setup.ramp_ns + t->setup.time_ns : 0;
	}
	return 0;
}
