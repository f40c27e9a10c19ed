// SPDX-License-Identifier: GPL-2.0
/*
 * Make stacks of md arrays. Arrays on scratch devices get superblocks, as arrays in use have them.
 * Temporary legs store nothing, so arrays on them have no superblocks. No array is resynchronised:
 * the data on the legs does not matter.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "core/log.h"
#include "blklat/stack/build.h"
#include "blklat/stack/command.h"

#define FIRST	900
#define LAST	999

static const char *const linear_mods[] = { "md_mod", "md-linear|linear", NULL };
static const char *const raid0_mods[] = { "md_mod", "raid0", NULL };
static const char *const raid1_mods[] = { "md_mod", "raid1", NULL };
static const char *const raid10_mods[] = { "md_mod", "raid10", NULL };

struct md {
	const char *argv[24 + STACK_LEGS];
	size_t n;
};

static void add(struct md *m, const char *arg)
{
	m->argv[m->n++] = arg;
}

static int free_number(void)
{
	char path[64];
	int i;

	for (i = FIRST; i <= LAST; i++) {
		snprintf(path, sizeof(path), "/sys/block/md%d", i);
		if (!access(path, F_OK))
			continue;
		snprintf(path, sizeof(path), "/dev/md%d", i);
		if (access(path, F_OK))
			return i;
	}
	return -1;
}

/* Write the lines of the journal for the superblocks and the array that are to be made. */
static int announce(struct stack_build *b, const char *name, const char *uuid)
{
	char line[STACK_LEGS * DEV_NAME] = "";
	size_t i;
	int ret;

	for (i = 0; i < b->nlegs; i++) {
		const struct device *d = &b->legs[i];

		strncat(line, " ", sizeof(line) - strlen(line) - 1);
		strncat(line, d->name, sizeof(line) - strlen(line) - 1);
		if (b->temporary)
			continue;
		ret = journal_write(b->j, "wipe %s %u:%u linux_raid_member %s", d->name,
				    major(d->dev), minor(d->dev), uuid);
		if (ret)
			return ret;
	}
	return journal_write(b->j, "md %s%s", name, line);
}

static void with_superblock(struct md *m, const struct stack_build *b, const char *uuid_opt,
			    const char *name_opt)
{
	add(m, "--run");
	add(m, "--homehost=any");
	add(m, "--metadata=1.2");
	add(m, uuid_opt);
	add(m, name_opt);
	if (!strcmp(b->type->kind, "raid1") || !strcmp(b->type->kind, "raid10"))
		add(m, "--bitmap=none");
}

static int run_mdadm(struct stack_build *b, const char *path, const char *uuid)
{
	char level[24], devices[40], uuid_opt[64], name_opt[64];
	struct md m = { .n = 0 };
	size_t i;

	snprintf(level, sizeof(level), "--level=%s", b->type->kind);
	snprintf(devices, sizeof(devices), "--raid-devices=%zu", b->nlegs);
	snprintf(uuid_opt, sizeof(uuid_opt), "--uuid=%s", uuid);
	snprintf(name_opt, sizeof(name_opt), "--name=blklat-%s-%u", b->j->id, b->seq);
	add(&m, "mdadm");
	add(&m, b->temporary ? "--build" : "--create");
	add(&m, path);
	add(&m, "--quiet");
	add(&m, "--assume-clean");
	if (!b->temporary)
		with_superblock(&m, b, uuid_opt, name_opt);
	add(&m, level);
	add(&m, devices);
	if (strcmp(b->type->kind, "raid1") && strcmp(b->type->kind, "linear"))
		add(&m, "--chunk=64");
	for (i = 0; i < b->nlegs; i++)
		add(&m, b->legs[i].path);
	add(&m, NULL);
	return command_run(m.argv);
}

/*
 * Make a new array ready for I/O: it is read-only until the first write. Refuse an array that
 * syncs, as that would disturb the measurement.
 */
static int make_ready(const char *dir)
{
	char text[32];

	if (!sys_read(dir, "array_state", text, sizeof(text)) && !strcmp(text, "read-auto"))
		sys_write(dir, "array_state", "active");
	if (!sys_read(dir, "sync_action", text, sizeof(text)) && strcmp(text, "idle"))
		return err(-EBUSY, "%s: the array does a '%s', which would disturb the measurement",
			   dir, text);
	return 0;
}

static int build_md(struct stack_build *b)
{
	char name[DEV_NAME], path[DEV_NAME + 8], dir[160], uuid[64];
	int nr = free_number(), ret;

	if (nr < 0)
		return err(-ENOSPC, "no md number from %d to %d is free", FIRST, LAST);
	snprintf(name, sizeof(name), "md%d", nr);
	snprintf(path, sizeof(path), "/dev/%s", name);
	snprintf(uuid, sizeof(uuid), "626c6b6c:61740000:00%s:%08x", b->j->id, b->seq);
	snprintf(dir, sizeof(dir), "/sys/block/%s", name);
	ret = announce(b, name, uuid);
	ret = ret ?: run_mdadm(b, path, uuid);
	if (ret)
		return ret;
	ret = build_result(b, sys_dev(dir));
	if (b->temporary)
		snprintf(b->note, sizeof(b->note), "without superblocks");
	strcat(dir, "/md");
	return ret ?: make_ready(dir);
}

const struct stack_type md_types[] = {
	{ { "md-linear", "md, linear", 2 }, .all = true, .modules = linear_mods, .tool = "mdadm",
	  .kind = "linear", .build = build_md },
	{ { "md-raid0", "md, raid0, 64 KiB", 2 }, .all = true, .modules = raid0_mods,
	  .tool = "mdadm", .kind = "raid0", .build = build_md },
	{ { "md-raid1", "md, raid1", 2 }, .all = true, .modules = raid1_mods, .tool = "mdadm",
	  .kind = "raid1", .build = build_md },
	{ { "md-raid10", "md, raid10, near copies, 64 KiB", 2 }, .all = true,
	  .modules = raid10_mods, .tool = "mdadm", .kind = "raid10", .build = build_md },
	{ }
};
