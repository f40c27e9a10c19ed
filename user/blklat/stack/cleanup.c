// SPDX-License-Identifier: GPL-2.0
/* Take down the stacks of runs that were killed together with their keeper. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/log.h"
#include "device/device.h"
#include "blklat/stack/command.h"
#include "blklat/stack/journal.h"
#include "blklat/stack/stack.h"
#include "blklat/stack/undo.h"

struct found {
	size_t left, alive;
	int error;
};

static void say_removed(const char *what)
{
	printf("removed %s\n", what);
	fflush(stdout);
}

static void say_failed(const char *what)
{
	err(-EBUSY, "%s", what);
}

/* Return true if @path still is the open file: its owner removes the file when it ends. */
static bool still_there(int fd, const char *path)
{
	struct stat a, b;

	return !fstat(fd, &a) && !stat(path, &b) && a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}

static void name_owner(int fd, const char *path)
{
	char text[64] = "";
	int pid = 0;

	if (pread(fd, text, sizeof(text) - 1, 0) > 0)
		sscanf(text, "blklat %d", &pid);
	printf("%s is left alone: blklat (process %d) or its cleanup process still runs\n", path,
	       pid);
}

static int clean(const char *dir, const char *name, void *arg)
{
	struct found *f = arg;
	char path[600];
	int fd, ret;

	if (strncmp(name, "stacks-", 7))
		return 0;
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		name_owner(fd, path);
		f->alive++;
	} else if (still_there(fd, path)) {
		command_keep(fd);
		ret = journal_undo(path, 0, say_removed, say_failed);
		if (!ret)
			unlink(path);
		f->error = f->error ?: ret;
		f->left++;
		command_keep(-1);
	}
	close(fd);
	return 0;
}

int stacks_cleanup(void)
{
	struct found f = { .left = 0 };
	int ret;

	if (geteuid())
		return err(-EPERM, "removing stacks needs root");
	ret = sys_each(JOURNAL_DIR, clean, &f);
	if (ret && ret != -ENOENT)
		return err(ret, JOURNAL_DIR ": %s", strerror(-ret));
	if (!f.left && !f.alive)
		printf("nothing is left of an earlier run\n");
	return f.error;
}
