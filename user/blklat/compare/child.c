// SPDX-License-Identifier: GPL-2.0
/* Running the load of a comparison. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include "blklat/compare/compare.h"

#define TICK_MS 100

static void __attribute__((noreturn)) become(char *const *argv, int out, int keep, pid_t parent)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t none;

	/* When we are killed it must not go on. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(127);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(null, STDIN_FILENO);
	dup2(out >= 0 ? out : null, STDOUT_FILENO);
	if (keep >= 0)
		fcntl(keep, F_SETFD, 0);
	execvp(argv[0], argv);
	err(-errno, "%s: cannot be run: %s", argv[0], strerror(errno));
	_exit(127);
}

/*
 * Ctrl-C reaches the child as well; a signal sent to us alone is passed on, so that it ends.
 * Return: whether the child has ended.
 */
static bool handle_signals(struct compare *c, pid_t child, int *status, struct rusage *use)
{
	struct signalfd_siginfo si;
	bool ended = false;

	while (read(c->sigfd, &si, sizeof(si)) == sizeof(si)) {
		if (si.ssi_signo == SIGCHLD) {
			ended |= wait4(child, status, WNOHANG, use) == child;
			continue;
		}
		c->interrupted = true;
		if (si.ssi_code <= 0 && !ended)
			kill(child, si.ssi_signo);
	}
	return ended;
}

static uint64_t ns_of(struct timeval tv)
{
	return tv.tv_sec * 1000000000ull + tv.tv_usec * 1000ull;
}

int compare_child(struct compare *c, char *const *argv, int out, int keep,
		  void (*tick)(struct compare *c), uint64_t *cpu_ns)
{
	struct pollfd pfd = { .fd = c->sigfd, .events = POLLIN };
	pid_t parent = getpid(), child;
	struct rusage use = { 0 };
	int status = 0;

	fflush(NULL);
	child = fork();
	if (child < 0)
		return err(-errno, "fork: %s", strerror(errno));
	if (!child)
		become(argv, out, keep, parent);
	do {
		poll(&pfd, 1, TICK_MS);
		if (tick)
			tick(c);
	} while (!handle_signals(c, child, &status, &use));
	*cpu_ns = ns_of(use.ru_utime) + ns_of(use.ru_stime);
	if (c->interrupted)
		return -EINTR;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
