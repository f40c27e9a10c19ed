// SPDX-License-Identifier: GPL-2.0
/* Loading kernel modules. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "device/module.h"

static void run_modprobe(const char *name, const char *param, int out)
{
	/* BLKGEN_KO: a module that is built and not installed. */
	const char *ko = strcmp(name, "blkgen") ? NULL : getenv("BLKGEN_KO");

	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	if (ko)
		execlp("insmod", "insmod", ko, (char *)NULL);
	else
		execlp("modprobe", "modprobe", name, param, (char *)NULL);
	dprintf(STDERR_FILENO, "%s is not installed", ko ? "insmod" : "modprobe");
	_exit(127);
}

static void read_why(int fd, char *why, size_t len)
{
	size_t n = 0;
	ssize_t got;
	char *p;

	while (n < len - 1 && (got = read(fd, why + n, len - 1 - n)) > 0)
		n += got;
	why[n] = 0;
	p = strchr(why, '\n');
	if (p)
		*p = 0;
}

int load_module(const char *name, const char *param, char *why, size_t len)
{
	int fds[2], status;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	fflush(NULL);
	pid = fork();
	if (!pid)
		run_modprobe(name, param, fds[1]);
	close(fds[1]);
	if (pid < 0) {
		close(fds[0]);
		return -EAGAIN;
	}
	read_why(fds[0], why, len);
	close(fds[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -ENOENT;
}
