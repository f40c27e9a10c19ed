// SPDX-License-Identifier: GPL-2.0
/* Running the tools that make and remove stacks. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "core/log.h"
#include "blklat/stack/command.h"

#define SECONDS		60
#define MAX_KEPT	4

static int kept[MAX_KEPT];
static int nkept;

void command_keep(int fd)
{
	if (fd < 0)
		nkept = 0;
	else if (nkept < MAX_KEPT)
		kept[nkept++] = fd;
}

static const char *find(const char *name, char *path, size_t len)
{
	const char *from = getenv("PATH") ?: "";
	char *dirs, *dir, *save = NULL;
	bool found = false;

	if (asprintf(&dirs, "%s:/usr/sbin:/sbin:/usr/bin:/bin", from) < 0)
		return NULL;
	for (dir = strtok_r(dirs, ":", &save); dir && !found; dir = strtok_r(NULL, ":", &save)) {
		snprintf(path, len, "%s/%s", dir, name);
		found = !access(path, X_OK);
	}
	free(dirs);
	return found ? path : NULL;
}

bool command_there(const char *name)
{
	char path[512];

	return find(name, path, sizeof(path));
}

static void __attribute__((noreturn)) child(const char *path, const char *const argv[], int out)
{
	int null = open("/dev/null", O_RDONLY);
	sigset_t none;
	int i;

	/* Away from the terminal and its Ctrl-C. */
	setsid();
	for (i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(null, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	for (i = 0; i < nkept; i++)
		fcntl(kept[i], F_SETFD, 0);
	setenv("LC_ALL", "C", 1);
	/* It counts its open files and complains about ours. */
	setenv("LVM_SUPPRESS_FD_WARNINGS", "1", 1);
	/* Outlives this process, unlike a timeout that it would keep. */
	alarm(SECONDS);
	execv(path, (char *const *)argv);
	_exit(127);
}

/* Lines become one. What is too long is left out. */
static void hear(int fd, char *said, size_t len)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	unsigned long long end = now_ns() + (SECONDS + 5) * 1000000000ull;
	size_t n = 0;
	char buf[512];

	for (;;) {
		unsigned long long now = now_ns();
		ssize_t got, i;

		if (now >= end || (poll(&p, 1, (end - now) / 1000000 + 1) <= 0 && errno != EINTR))
			break;
		got = read(fd, buf, sizeof(buf));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		for (i = 0; i < got; i++) {
			char c = buf[i] == '\n' || buf[i] == '\t' ? ' ' : buf[i];

			if (n < len - 1 && (c != ' ' || (n && said[n - 1] != ' ')))
				said[n++] = c;
		}
	}
	while (n && said[n - 1] == ' ')
		n--;
	said[n] = 0;
}

/* Return: 0 or -errno; @said has what it said, or why it was not run. */
static int run(const char *const argv[], char *said, size_t len)
{
	char path[512];
	int fds[2], status = 0;
	pid_t pid;

	*said = 0;
	if (!find(argv[0], path, sizeof(path))) {
		snprintf(said, len, "is not installed");
		return -ENOENT;
	}
	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	fflush(NULL);
	pid = fork();
	if (!pid)
		child(path, argv, fds[1]);
	close(fds[1]);
	if (pid > 0)
		hear(fds[0], said, len);
	close(fds[0]);
	if (pid < 0)
		return -EAGAIN;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
		snprintf(said, len, "did not end within %u s", SECONDS);
		return -ETIMEDOUT;
	}
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -EIO;
}

int command_run(const char *const argv[])
{
	char said[800];
	int ret;

	verbose("running %s %s", argv[0], argv[1]);
	ret = run(argv, said, sizeof(said));
	if (ret)
		return err(ret, "%s %s: %s", argv[0], argv[1], *said ? said : "failed");
	return 0;
}

int command_try(const char *const argv[])
{
	char said[800];
	int ret = run(argv, said, sizeof(said));

	if (ret)
		verbose("%s %s: %s", argv[0], argv[1], *said ? said : "failed");
	return ret;
}
