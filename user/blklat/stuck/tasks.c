// SPDX-License-Identifier: GPL-2.0
/* List the tasks that are in uninterruptible sleep, from /proc. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/stuck/tasks.h"
#include "core/log.h"
#include "core/utf8.h"
#include "device/device.h"

struct tasks {
	struct stuck_task *v;
	size_t n;
	bool stacks;
};

/* Read a stack without the offsets: "[<0>] io_schedule+0x42/0x70" becomes "io_schedule". */
static char *read_stack(const char *dir)
{
	char raw[4096], *text, *to, *save, *line;

	if (sys_read(dir, "stack", raw, sizeof(raw)) || !*raw)
		return NULL;
	text = to = calloc(1, sizeof(raw));
	line = text ? strtok_r(raw, "\n", &save) : NULL;
	for (; line; line = strtok_r(NULL, "\n", &save)) {
		char *name = strchr(line, ']');

		if (!name)
			continue;
		name += 1 + strspn(name + 1, " ");
		name[strcspn(name, "+ ")] = '\0';
		to += sprintf(to, "%s%s", to == text ? "" : "\n", name);
	}
	return text;
}

/*
 * Return true for the kernel's threads that wait for grace periods of RCU, maybe for one that
 * loading our program has caused.
 */
static bool waits_for_rcu(const struct sys_task *task)
{
	return task->kernel && !strncmp(task->comm, "rcu_", 4);
}

static int add_task(const char *dir, const char *name, void *arg)
{
	struct stuck_task *grown, t = { .tid = atoi(name) };
	struct tasks *tasks = arg;
	struct sys_task task;
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (!isdigit((unsigned char)*name) || !sys_task(path, &task) || task.state != 'D' ||
	    waits_for_rcu(&task))
		return 0;
	snprintf(t.comm, sizeof(t.comm), "%s", task.comm);
	utf8_one_line(t.comm);
	sys_read(path, "wchan", t.function, sizeof(t.function));
	if (!strcmp(t.function, "0"))
		*t.function = '\0';
	if (tasks->stacks)
		t.stack = read_stack(path);
	grown = realloc(tasks->v, (tasks->n + 1) * sizeof(*grown));
	if (!grown) {
		free(t.stack);
		return err(-ENOMEM, "out of memory");
	}
	tasks->v = grown;
	tasks->v[tasks->n++] = t;
	return 0;
}

static int add_process(const char *dir, const char *name, void *arg)
{
	char path[512];
	int ret;

	if (!isdigit((unsigned char)*name))
		return 0;
	snprintf(path, sizeof(path), "%s/%s/task", dir, name);
	ret = sys_each(path, add_task, arg);
	/* A process that has ended meanwhile is no error. */
	return ret == -ENOMEM ? ret : 0;
}

int stuck_tasks(bool stacks, struct stuck_task **out, size_t *n)
{
	struct tasks tasks = { .stacks = stacks };
	int ret = sys_each("/proc", add_process, &tasks);

	*out = tasks.v;
	*n = tasks.n;
	if (ret && ret != -ENOMEM)
		return err(ret, "/proc: %s", strerror(-ret));
	return ret;
}

void stuck_tasks_free(struct stuck_task *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(v[i].stack);
	free(v);
}
