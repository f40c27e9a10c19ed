// SPDX-License-Identifier: GPL-2.0
/* Run one load on one or more devices, from the claim of the devices to the end. */
#include <errno.h>
#include <poll.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "blkgen/load/cfg.h"
#include "blkgen/load/check.h"
#include "blkgen/load/engine.h"
#include "blkgen/load/errors.h"
#include "blkgen/load/hang.h"
#include "blkgen/load/interval.h"
#include "blkgen/load/nvme.h"
#include "blkgen/load/run.h"
#include "blkgen/load/target.h"
#include "blkgen/load/verify.h"
#include "blkgen/load/where.h"
#include "core/child.h"
#include "core/log.h"
#include "core/reader.h"
#include "core/units.h"
#include "device/safety.h"

static void fill_mix(const struct load_cfg *c, struct blkgen_setup *s)
{
	/* Count in hundredths of a percent only if --mix has them: a short cycle mixes better. */
	double unit = c->mix == (unsigned int)c->mix ? 1 : 100;
	unsigned int r = (unsigned int)(c->mix * unit + 0.5), all = 100 * (unsigned int)unit;

	for (unsigned int op = 0; op < BLKGEN_NR_OPS; op++)
		s->mix[op] = load_has_op(c, op);
	if (load_has_op(c, BLKGEN_OP_READ) && load_has_op(c, BLKGEN_OP_WRITE)) {
		s->mix[BLKGEN_OP_READ] = r;
		s->mix[BLKGEN_OP_WRITE] = all - r;
	}
}

static void fill_rate(const struct load_cfg *c, struct blkgen_setup *s)
{
	s->rate = c->rate & ~RATE_BYTES;
	if (!s->rate)
		s->arrival = s->burst = 0;
	else if (c->rate & RATE_BYTES)
		s->flags |= BLKGEN_SETUP_RATE_BYTES;
}

/* Set what does not go to the module as the user gave it, or only with another option. */
static int fill_setup(struct load_target *t)
{
	const struct load_cfg *c = t->cfg;
	struct blkgen_setup *s = &t->setup;

	*s = c->set;
	s->dev_fd = t->on->fd;
	s->bs = c->sizes.max;
	if (t->endless)
		s->time_ns = 0;
	if (!(s->flags & BLKGEN_SETUP_VERIFY))
		s->generation = 0;
	load_errors_parse(c->on_errors, &s->error_limit, &s->error_max);
	fill_rate(c, s);
	fill_mix(c, s);
	return load_where_fill(c, &t->on->dev, s);
}

static int setup_error(const struct load_target *t, int ret)
{
	const char *name = t->on->dev.name;

	switch (ret) {
	case -ENOMEM:
		return err(ret,
			   "%s: not enough memory for --qd %u times --jobs %u buffers of --bs %u",
			   name, t->setup.qd, t->setup.workers, t->setup.bs);
	case -EOPNOTSUPP:
		if (t->cfg->set.engine == BLKGEN_ENGINE_POLLED)
			return err(ret, "%s: cannot be polled with this --bs and --align: some "
				   "I/Os would be split, and split I/Os are not polled", name);
		return err(ret, "%s: does not support the I/O of this load", name);
	case -EROFS:
		return err(ret, "%s: is read-only", name);
	case -EINTR:
		return err(ret, "%s: interrupted", name);
	default:
		return err(ret, "%s: the module blkgen refuses this load: %s", name,
			   strerror(-ret));
	}
}

static int claim(struct load_dev *d, bool force_signature)
{
	/*
	 * Drop the page cache, as a close of the device after the last load would. Otherwise the
	 * cache has the data already that this load is to read through it from the device.
	 */
	if (d->fd >= 0) {
		if (ioctl(d->fd, BLKFLSBUF, 0))
			verbose("%s: cannot drop its page cache: %s", d->dev.name, strerror(errno));
		return 0;
	}
	d->fd = device_claim(&d->dev, d->changes, force_signature || d->temp,
			     "--force-signature overwrites it");
	return d->fd < 0 ? d->fd : 0;
}

int load_check_device(const struct load_target *t)
{
	/* Check this first: that others need the device matters more than a wrong --offset. */
	int ret = t->on->not_in_use ? 0 : device_in_use(&t->on->dev);

	t->on->not_in_use = !ret;
	return ret ? ret : load_check_range(t->cfg, &t->on->dev);
}

static int features(struct load *l, int ctl)
{
	int ret = kctl_features(ctl, &l->feat);

	return ret ? err(ret, "the module blkgen has another version than this program: %s",
			 strerror(-ret)) : 0;
}

int load_features(struct load *l)
{
	int ctl = kctl_open(), ret;

	if (ctl < 0)
		return ctl;
	ret = features(l, ctl);
	close(ctl);
	return ret;
}

static int prepare(struct load *l, struct load_target *t)
{
	int ret;

	ret = load_check_device(t);
	if (!ret)
		ret = claim(t->on, t->cfg->force_signature);
	if (ret)
		return ret;
	t->ctl = kctl_open();
	if (t->ctl < 0)
		return t->ctl;
	ret = features(l, t->ctl);
	if (!ret)
		ret = load_check_limits(t->cfg, &l->feat);
	if (ret)
		return ret;
	ret = fill_setup(t);
	if (!ret)
		ret = load_place_jobs(t);
	if (!ret) {
		ret = kctl_setup(t->ctl, &t->setup);
		ret = ret ? setup_error(t, ret) : 0;
	}
	load_where_done(&t->setup);
	return ret;
}

int load_prepare(struct load *l)
{
	int ret = 0;
	size_t i;

	for (i = 0; i < l->ntargets && !ret; i++)
		ret = prepare(l, &l->targets[i]);
	return ret;
}

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

/* Wait until a target is done, a signal comes, or it is @until. */
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

	/* ret is the number of targets that still run. */
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

int load_execute(struct load *l)
{
	int ret = load_start(l);

	ret = ret ? ret : load_wait(l, 0);
	if (!ret)
		load_nvme_after(l);
	return ret ? ret : load_verify(l);
}

