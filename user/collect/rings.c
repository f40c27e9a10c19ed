// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "collect/rings.h"

/* Whether a thread of this process is one. A process that is gone by now has none. */
static bool process_has(const char *pid)
{
	char path[300], name[32];
	struct dirent *task;
	bool found = false;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%s/task", pid);
	tasks = opendir(path);
	while (tasks && !found && (task = readdir(tasks))) {
		ssize_t len = 0;
		int fd;

		snprintf(path, sizeof(path), "%s/comm", task->d_name);
		fd = openat(dirfd(tasks), path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		len = read(fd, name, sizeof(name));
		close(fd);
		found = len > 8 && !strncmp(name, "iou-sqp-", 8);
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
