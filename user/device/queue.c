// SPDX-License-Identifier: GPL-2.0
/* Change settings of request queues, and set them back. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/log.h"
#include "core/text.h"
#include "device/module.h"
#include "device/queue.h"

const char *const queue_attr_names[] = {
	[QUEUE_SCHEDULER] = "scheduler",
	[QUEUE_RQ_AFFINITY] = "rq_affinity",
};

#define VALUE	64
/* These characters separate the words of a list such as "none [mq-deadline] kyber". */
#define SEPARATORS	" []"

/* This is the old value of a file below the queue's directory. */
struct saved {
	char file[80];
	char value[VALUE];
};

struct queue_state {
	char dir[PATH_MAX];
	struct saved *files;
	size_t n;
};

static void queue_dir(const struct device *d, char *buf, size_t len)
{
	snprintf(buf, len, "%s/queue", d->disk_sys);
}

static int check_scheduler(const struct device *d, const char *dir, const char *value)
{
	char list[256], module[VALUE], why[200];
	size_t len = strlen(value);

	if (d->bio_based || sys_read(dir, "scheduler", list, sizeof(list)))
		return err(-EOPNOTSUPP, "%s: has no I/O scheduler: it takes bios, not requests",
			   d->disk);
	if (text_has_word(list, SEPARATORS, value, len))
		return 0;
	/* The list does not have schedulers whose module is not loaded: load it and look again. */
	if (*value && *value != '-' &&
	    !value[strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789-")]) {
		snprintf(module, sizeof(module), "%s-iosched", value);
		if (!load_module(module, NULL, why, sizeof(why)) &&
		    !sys_read(dir, "scheduler", list, sizeof(list)) &&
		    text_has_word(list, SEPARATORS, value, len))
			return 0;
	}
	return err(-EINVAL, "%s: has no scheduler '%s'; it has: %s", d->disk, value, list);
}

int queue_check(const struct device *d, enum queue_attr attr, const char *value)
{
	char dir[PATH_MAX], now[VALUE];

	queue_dir(d, dir, sizeof(dir));
	if (attr == QUEUE_SCHEDULER)
		return check_scheduler(d, dir, value);
	if (d->bio_based || sys_read(dir, "rq_affinity", now, sizeof(now)))
		return err(-EOPNOTSUPP, "%s: has no rq_affinity: it takes bios, not requests",
			   d->disk);
	if (strlen(value) != 1 || !strchr("012", *value))
		return err(-EINVAL, "%s: rq_affinity must be 0, 1 or 2, not '%s'", d->disk, value);
	return 0;
}

int queue_set(const struct device *d, enum queue_attr attr, const char *value)
{
	const char *file = queue_attr_names[attr];
	char dir[PATH_MAX], now[VALUE] = "";
	int ret;

	queue_dir(d, dir, sizeof(dir));
	if (!sys_read_chosen(dir, file, now, sizeof(now)) && !strcmp(now, value))
		return 0;
	ret = sys_write(dir, file, value);
	if (ret)
		return err(ret, "%s: cannot set its %s to %s: %s", d->disk, file, value,
			   strerror(-ret));
	if (sys_read_chosen(dir, file, now, sizeof(now)) || strcmp(now, value))
		return err(-EIO, "%s: its %s is %s after it was set to %s", d->disk, file, now,
			   value);
	return 0;
}

static void save(struct queue_state *s, const char *file)
{
	struct saved *files = realloc(s->files, (s->n + 1) * sizeof(*files));

	if (!files)
		return;
	s->files = files;
	snprintf(files[s->n].file, sizeof(files[s->n].file), "%s", file);
	if (!sys_read_chosen(s->dir, file, files[s->n].value, VALUE))
		s->n++;
}

static int save_iosched(const char *dir, const char *name, void *arg)
{
	char file[80];

	snprintf(file, sizeof(file), "iosched/%s", name);
	save(arg, file);
	return 0;
}

static void save_queue(struct queue_state *s, const struct device *d)
{
	char iosched[PATH_MAX + 16];

	queue_dir(d, s->dir, sizeof(s->dir));
	/* restore() keeps this order: setting the scheduler sets the others to its defaults. */
	save(s, "scheduler");
	save(s, "nr_requests");
	save(s, "async_depth");
	save(s, "wbt_lat_usec");
	save(s, "rq_affinity");
	snprintf(iosched, sizeof(iosched), "%s/iosched", s->dir);
	sys_each(iosched, save_iosched, s);
}

/* Set the queues back; runs in the keeper. Return: 1 if a setting could not be set back. */
static int restore(void *arg)
{
	struct queue_keep *k = arg;
	char now[VALUE];
	int failed = 0;
	size_t i, j;

	for (i = 0; i < k->n; i++) {
		const struct queue_state *s = &k->states[i];

		for (j = 0; j < s->n; j++) {
			const struct saved *f = &s->files[j];

			/* Do not write a value that is set already: that can turn wbt on. */
			if (sys_read_chosen(s->dir, f->file, now, sizeof(now)) ||
			    !strcmp(now, f->value))
				continue;
			if (sys_write(s->dir, f->file, f->value))
				failed = 1;
		}
	}
	return failed;
}

int queue_keep(struct queue_keep *k, const struct device *const *devs, size_t n)
{
	const struct keeper_task task = { .end = restore, .arg = k };
	size_t i, j;

	k->states = calloc(n ? n : 1, sizeof(*k->states));
	if (!k->states)
		return err(-ENOMEM, "out of memory");
	for (i = 0; i < n; i++) {
		for (j = 0; j < i && devs[j]->disk_dev != devs[i]->disk_dev; j++)
			;
		if (j == i)
			save_queue(&k->states[k->n++], devs[i]);
	}
	return keeper_start(&k->keeper, &task);
}

int queue_keep_end(struct queue_keep *k, bool leave)
{
	size_t i;
	int ret = 0;

	if (!k->states)
		return 0;
	/*
	 * To write a setting, the kernel freezes the queue and waits for all I/Os in flight. If
	 * these do not complete, let only the keeper wait.
	 */
	if (leave && k->keeper.pid > 0)
		warn("process %d will set the queue settings back when the I/Os in flight end",
		     keeper_leave(&k->keeper));
	else
		ret = keeper_end(&k->keeper);
	for (i = 0; i < k->n; i++) {
		if (ret)
			err(-EIO, "%s: some settings could not be set back", k->states[i].dir);
		free(k->states[i].files);
	}
	free(k->states);
	k->states = NULL;
	k->n = 0;
	return ret ? -EIO : 0;
}
