// SPDX-License-Identifier: GPL-2.0
/* Read dm tables and their state by libdevmapper; blklat/stack/dm.c makes and removes devices. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <libdevmapper.h>
#include "core/text.h"
#include "device/topo.h"

static __attribute__((format(printf, 5, 6)))
void say_nothing(int level, const char *file, int line, int dm_errno, const char *fmt, ...)
{
}

struct dm_task *topo_dm_task(int type)
{
	dm_log_with_errno_init(say_nothing);
	return dm_task_create(type);
}

/* Run @type (DM_DEVICE_TABLE or _STATUS) on @dev. Return NULL on failure: @error has the errno. */
static struct dm_task *run_task(int type, dev_t dev, int *error)
{
	struct dm_task *task = topo_dm_task(type);

	*error = ENOMEM;
	if (!task)
		return NULL;
	/*
	 * Tables may have keys, so treat the data as secret. Without no_flush, reading the status
	 * makes a thin pool commit its metadata.
	 */
	if (dm_task_set_major_minor(task, major(dev), minor(dev), 0) &&
	    dm_task_secure_data(task) && dm_task_no_flush(task) && dm_task_no_open_count(task) &&
	    dm_task_run(task))
		return task;
	*error = dm_task_get_errno(task) ?: EIO;
	dm_task_destroy(task);
	return NULL;
}

static int add_target(struct topo_dm *dm, uint64_t start, uint64_t length, const char *type,
		      const char *params)
{
	struct topo_target *v = realloc(dm->targets, (dm->ntargets + 1) * sizeof(*v));

	if (!v)
		return -ENOMEM;
	dm->targets = v;
	v += dm->ntargets;
	memset(v, 0, sizeof(*v));
	snprintf(v->type, sizeof(v->type), "%s", type);
	v->start = start * 512;
	v->length = length * 512;
	v->params = strdup(params ? params : "");
	if (!v->params)
		return -ENOMEM;
	dm_table_hide_keys(v->type, v->params);
	dm->ntargets++;
	return 0;
}

static int read_table(struct dm_task *task, struct topo_dm *dm)
{
	uint64_t start, length;
	char *type, *params;
	void *next = NULL;

	do {
		next = dm_get_next_target(task, next, &start, &length, &type, &params);
		/* The library gives one target without a type for a device without a table. */
		if (type && add_target(dm, start, length, type, params))
			return -ENOMEM;
	} while (next);
	return 0;
}

/* Take the status lines that fit the targets: the table may have been changed meanwhile. */
static void read_status(struct dm_task *task, struct topo_dm *dm)
{
	uint64_t start, length;
	char *type, *params;
	void *next = NULL;
	size_t i = 0;

	do {
		next = dm_get_next_target(task, next, &start, &length, &type, &params);
		for (; i < dm->ntargets && dm->targets[i].start < start * 512; i++)
			;
		if (i < dm->ntargets && type && params && *params &&
		    dm->targets[i].start == start * 512 && !strcmp(dm->targets[i].type, type))
			dm->targets[i].status = strdup(params);
	} while (next);
}

static void load_targets(const struct device *d, struct topo_dm *dm)
{
	struct dm_task *task;
	int error;

	task = run_task(DM_DEVICE_TABLE, d->dev, &error);
	if (!task) {
		if (geteuid() || error == EACCES || error == EPERM)
			snprintf(dm->no_table, sizeof(dm->no_table), "needs root");
		else
			snprintf(dm->no_table, sizeof(dm->no_table), "%s", strerror(error));
		return;
	}
	if (read_table(task, dm))
		snprintf(dm->no_table, sizeof(dm->no_table), "out of memory");
	dm_task_destroy(task);
	task = run_task(DM_DEVICE_STATUS, d->dev, &error);
	if (!task)
		return;
	read_status(task, dm);
	dm_task_destroy(task);
}

void topo_dm_load(const struct device *d, struct topo_dm *dm)
{
	char dir[600];
	size_t n;

	snprintf(dir, sizeof(dir), "%s/dm", d->sys);
	sys_read(dir, "name", dm->name, sizeof(dm->name));
	sys_read(dir, "uuid", dm->uuid, sizeof(dm->uuid));
	dm->suspended = sys_num(dir, "suspended");
	/* The uuid is "LVM-...", "CRYPT-LUKS2-...", "mpath-...". */
	n = strcspn(dm->uuid, "-");
	if (dm->uuid[n] == '-')
		snprintf(dm->origin, sizeof(dm->origin), "%.*s", (int)n, dm->uuid);
	load_targets(d, dm);
	/* Close the library's descriptor: the traced command would inherit it. */
	dm_lib_release();
}

struct role_search {
	const struct topo_target *target;
	dev_t dev;
	struct topo_link *link;
	unsigned int position;
	bool found;
};

/* Add to the role of a device: one device may be several legs, "leg 0+leg 1". */
static void add_role(const struct dm_ref *ref, void *arg)
{
	struct role_search *s = arg;
	struct topo_link *link = s->link;
	const char *state;
	size_t n;

	s->position++;
	if (ref->dev != s->dev)
		return;
	n = strlen(link->role);
	if (!s->found) {
		link->order = s->position;
		link->leg = ref->leg;
	} else if (!*ref->role ||
		   text_has_word(link->role, "+,", ref->role, strlen(ref->role))) {
		return;
	}
	s->found = true;
	state = dm_status_leg(s->target->type, s->target->status, ref);
	snprintf(link->role + n, sizeof(link->role) - n, "%s%s%s%s", n ? "+" : "", ref->role,
		 state && *ref->role ? ", " : "", state && *ref->role ? state : "");
}

void topo_dm_link(const struct topo_dm *dm, dev_t below, struct topo_link *link)
{
	struct role_search s = { .dev = below, .link = link };

	for (size_t i = 0; i < dm->ntargets; i++) {
		s.target = &dm->targets[i];
		dm_table_refs(s.target->type, s.target->params, add_role, &s);
	}
	/* This device is not among those found in the table: an unknown target may use it. */
	if (!s.found && s.position)
		link->order = TOPO_NO_ORDER;
}

void topo_dm_free(struct topo_dm *dm)
{
	for (size_t i = 0; i < dm->ntargets; i++) {
		free(dm->targets[i].params);
		free(dm->targets[i].status);
	}
	free(dm->targets);
}
