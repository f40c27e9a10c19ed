// SPDX-License-Identifier: GPL-2.0
/* Start a process that cleans up when this process ends. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "core/child.h"
#include "core/log.h"
#include "device/keeper.h"

/* The keeper has these files open, beside stdin, stdout and stderr. */
enum { LIFELINE = STDERR_FILENO + 1, READY, KEPT, NR_FILES };

/* Detach from the terminal, the signals and the output of the parent. */
static void detach(void)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
	int null = open("/dev/null", O_RDWR);
	size_t i;

	/* Ctrl-C goes to the whole process group, but must not hit the keeper. */
	setsid();
	for (i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], SIG_IGN);
	if (chdir("/"))
		verbose("cannot leave the working directory: %s", strerror(errno));
	/* A reader of the parent's output must see its end: do not keep the pipe open. */
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	if (null > STDERR_FILENO)
		close(null);
}

/* Close all other files: lifelines of other keepers, and devices that must not stay open. */
static void take_files(int lifeline, int ready, int kept)
{
	int from[] = { lifeline, ready, kept };
	int i;

	/* Move the files up first: a file may have the number that another one is to get. */
	for (i = 0; i < 3; i++)
		from[i] = from[i] > 0 ? fcntl(from[i], F_DUPFD, NR_FILES) : -1;
	for (i = 0; i < 3; i++) {
		if (from[i] < 0)
			close(LIFELINE + i);
		else
			dup2(from[i], LIFELINE + i);
	}
	close_range(NR_FILES, ~0U, 0);
}

static void __attribute__((noreturn)) keep(int lifeline, int ready, const struct keeper_task *task)
{
	char c;

	detach();
	take_files(lifeline, ready, task->fd);
	if (task->begin)
		task->begin(task->arg);
	close(READY);
	while (read(LIFELINE, &c, 1) < 0 && errno == EINTR)
		;
	_exit(task->end ? task->end(task->arg) : 0);
}

int keeper_start(struct keeper *k, const struct keeper_task *task)
{
	int life[2], ready[2];
	char c;

	if (pipe2(life, O_CLOEXEC))
		return err(-errno, "cannot make a pipe: %s", strerror(errno));
	if (pipe2(ready, O_CLOEXEC)) {
		close(life[0]);
		close(life[1]);
		return err(-errno, "cannot make a pipe: %s", strerror(errno));
	}
	k->pid = child_fork();
	if (!k->pid) {
		/* Only the parent may have the write end: the keeper waits until it is closed. */
		close(life[1]);
		keep(life[0], ready[1], task);
	}
	close(life[0]);
	close(ready[1]);
	if (k->pid < 0) {
		err(-EAGAIN, "cannot start a process: %s", strerror(errno));
		k->pid = 0;
		close(life[1]);
		close(ready[0]);
		return -EAGAIN;
	}
	/* The keeper writes nothing: it closes the pipe when it is ready. */
	while (read(ready[0], &c, 1) < 0 && errno == EINTR)
		;
	close(ready[0]);
	k->lifeline = life[1];
	return 0;
}

pid_t keeper_leave(struct keeper *k)
{
	pid_t pid = k->pid;

	close(k->lifeline);
	k->pid = 0;
	return pid;
}

int keeper_end(struct keeper *k)
{
	int status = -1;

	if (k->pid <= 0)
		return 0;
	close(k->lifeline);
	while (waitpid(k->pid, &status, 0) < 0 && errno == EINTR)
		;
	k->pid = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -ECHILD;
}
