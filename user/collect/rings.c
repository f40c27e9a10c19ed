// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "collect/rings.h"

/* What is gone by now is none. */
static bool is_gone(int error)
{
	return error == ENOENT || error == ESRCH;
}

/* Whether a thread of this process is one, or may be. */
static bool process_has(const char *pid)
{
	char path[300], name[32];
	struct dirent *task;
	bool found;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%s/task", pid);
	tasks = opendir(path);
	found = !tasks && !is_gone(errno);
	while (tasks && !found && (task = readdir(tasks))) {
		ssize_t len;
		int fd;

		snprintf(path, sizeof(path), "%s/comm", task->d_name);
		fd = openat(dirfd(tasks), path, O_RDONLY | O_CLOEXEC);
		if (fd < 0) {
			found = !is_gone(errno);
			continue;
		}
		len = read(fd, name, sizeof(name));
		found = len < 0 ? !is_gone(errno) : len > 8 && !strncmp(name, "iou-sqp-", 8);
		close(fd);
	}
	if (tasks)
		closedir(tasks);
	return found;
}

bool rings_have_threads(void)
{
	DIR *proc = opendir("/proc");
	bool found = !proc;
	struct dirent *pid;

	while (proc && !found && (pid = readdir(proc)))
		found = isdigit((unsigned char)pid->d_name[0]) && process_has(pid->d_name);
	if (proc)
		closedir(proc);
	return found;
}
