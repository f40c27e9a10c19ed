// SPDX-License-Identifier: GPL-2.0
/*
 * Give up on devices that do not complete their I/Os. The memory of these I/Os stays in use until
 * they complete, and the last process that closes the session waits for this in the kernel, where
 * no signal can end it. Let a child process be the last one, so that our process can end.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "blkgen/load/hang.h"
#include "blkgen/load/target.h"
#include "core/log.h"
#include "core/units.h"
#include "device/keeper.h"

/* load_leave() waits this long for I/Os that are about to complete, in ms per target. */
#define LEAVE_MS	200

/* Let a child process close the session after this process. Return: its pid or -errno, reported. */
static int leave_to_child(const struct load_target *t)
{
	const struct keeper_task task = { .fd = t->ctl };
	struct keeper k;
	int ret = keeper_start(&k, &task);

	/* The keeper closes the session when this process ends, however it ends. */
	return ret ? ret : k.pid;
}

/* Warn that a target has I/Os in flight, and which process waits for them. @what is their state. */
static void say_left(const struct load_target *t, const char *what)
{
	unsigned long long inflight = t->status.inflight;

	if (t->keeper)
		warn("%s: %llu I/Os %s; process %d waits for them, and the device stays in use "
		     "until they complete", t->on->dev.name, inflight, what, t->keeper);
	else
		warn("%s: %llu I/Os %s; this process cannot end before they complete",
		     t->on->dev.name, inflight, what);
}

static void give_up(struct load *l, struct load_target *t, uint64_t now)
{
	struct blkgen_worker_info w;
	char age[FMT_LEN], what[80];
	int pid;

	if (!kctl_worker(t->ctl, BLKGEN_ALL_WORKERS, &w) && w.oldest_ns && w.oldest_ns < now)
		t->oldest_ns = now - w.oldest_ns;
	pid = leave_to_child(t);
	t->keeper = pid > 0 ? pid : 0;
	t->running = false;
	t->hung = true;
	t->ended_ns = t->quiet_ns;
	t->left_ns = now;
	l->hung = true;
	l->errors += t->status.inflight;
	snprintf(what, sizeof(what), "do not complete, the oldest has been in flight for %s",
		 fmt_time(age, sizeof(age), t->oldest_ns));
	say_left(t, what);
}

/*
 * Return the number of sectors that the disk has written if the load is buffered, else 0. The
 * number of I/Os in flight does not show the progress of a buffered load, because an fsync counts
 * as one I/O, even if it writes back much data.
 */
static uint64_t written_back(const struct load_target *t)
{
	uint64_t stat[7] = { 0 };

	if (t->setup.engine == BLKGEN_ENGINE_BUFFERED)
		sys_nums(t->on->dev.disk_sys, "stat", stat, 7);
	return stat[6];
}

/* Give up on the target if it is stopped and has made no progress for --drain. */
static void look(struct load *l, struct load_target *t, uint64_t now)
{
	bool moved = t->status.inflight != t->quiet_inflight;
	uint64_t written;

	t->quiet_inflight = t->status.inflight;
	if (t->status.stop == BLKGEN_STOP_NONE)
		return;
	written = written_back(t);
	moved |= written != t->quiet_written;
	t->quiet_written = written;
	if (!t->quiet_ns || moved)
		t->quiet_ns = now;
	else if (t->cfg->drain && t->status.inflight && now - t->quiet_ns >= t->cfg->drain)
		give_up(l, t, now);
}

void load_stop(struct load *l)
{
	size_t i;

	for (i = 0; i < l->ntargets; i++)
		if (l->targets[i].running)
			kctl_stop(l->targets[i].ctl);
}

int load_look(struct load *l)
{
	uint64_t now = now_ns();
	int running = 0;
	size_t i;

	for (i = 0; i < l->ntargets; i++) {
		if (l->targets[i].running)
			look(l, &l->targets[i], now);
		running += l->targets[i].running;
	}
	return running;
}

uint64_t load_look_at(const struct load *l, uint64_t at)
{
	size_t i;

	for (i = 0; i < l->ntargets; i++) {
		const struct load_target *t = &l->targets[i];
		uint64_t limit = t->limit_ns;

		if (t->quiet_ns)
			limit = t->cfg->drain ? t->quiet_ns + t->cfg->drain : 0;

		if (t->running && limit && limit < at)
			at = limit;
	}
	return at;
}

void load_leave(struct load *l)
{
	struct pollfd p = { .events = POLLIN };
	size_t i;
	int pid;

	load_stop(l);
	for (i = 0; i < l->ntargets; i++) {
		struct load_target *t = &l->targets[i];

		if (!t->running)
			continue;
		p.fd = t->ctl;
		t->running = false;
		if (poll(&p, 1, LEAVE_MS) || kctl_status(t->ctl, &t->status))
			continue;
		pid = leave_to_child(t);
		t->keeper = pid > 0 ? pid : 0;
		l->hung = true;
		say_left(t, "are in flight");
	}
}

void load_outstanding_print(const struct load *l, FILE *f)
{
	char age[FMT_LEN];
	size_t i;

	for (i = 0; i < l->ntargets; i++) {
		const struct load_target *t = &l->targets[i];

		if (t->hung)
			fprintf(f, "%s: %llu I/Os outstanding, the oldest for %s; they are in none "
				"of the results\n", t->on->dev.name,
				(unsigned long long)t->status.inflight,
				fmt_time(age, sizeof(age), t->oldest_ns));
	}
}

/*
 * Members of the JSON object "outstanding":
 * @ios: integer: I/Os still in flight when the load was given up; 0 if all I/Os completed.
 * @oldest_ns: integer: How long the oldest of them had been in flight at that time.
 * @pid: integer: Process that waits for these I/Os. The device stays in use until it ends. 0: none.
 */
json_object *load_outstanding_json(const struct load_target *t)
{
	json_object *o = json_object_new_object();

	json_u64(o, "ios", t->hung ? t->status.inflight : 0);
	json_u64(o, "oldest_ns", t->oldest_ns);
	json_u64(o, "pid", t->keeper > 0 ? t->keeper : 0);
	return o;
}
