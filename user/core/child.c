// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "core/child.h"
#include "core/log.h"

/*
 * A child that hangs on a disk does not die of its alarm, so stop reading its output this many s
 * after the alarm.
 */
#define GRACE_S 5
/*
 * Signals within this time count as one, because timeout(1) sends its signal twice in a row. A user
 * who presses Ctrl-C twice takes longer.
 */
#define SAME_SIGNAL_NS 1000000000ULL

bool child_find(const char *name, bool sbin, char *path, size_t len)
{
	const char *from = getenv("PATH") ?: "/bin:/usr/bin";
	char *dirs, *dir, *save = NULL;
	bool found = false;

	if (strchr(name, '/')) {
		snprintf(path, len, "%s", name);
		return !access(path, X_OK);
	}
	if (asprintf(&dirs, "%s%s", from, sbin ? ":/usr/sbin:/sbin:/usr/bin:/bin" : "") < 0)
		return false;
	for (dir = strtok_r(dirs, ":", &save); dir && !found; dir = strtok_r(NULL, ":", &save)) {
		snprintf(path, len, "%s/%s", dir, name);
		found = !access(path, X_OK);
	}
	free(dirs);
	return found;
}

/* Children get this limit of open files. If rlim_max is 0, they get that of this process. */
static struct rlimit childs_files;

int child_raise_files(rlim_t need)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur >= need)
		return 0;
	if (files.rlim_max < need)
		return -EMFILE;
	childs_files = files;
	files.rlim_cur = need;
	return setrlimit(RLIMIT_NOFILE, &files) ? -errno : 0;
}

static void set_signals(const struct child_opts *o, pid_t parent)
{
	sigset_t none;

	if (o->apart) {
		setsid();
		for (int i = 1; i < NSIG; i++)
			signal(i, SIG_DFL);
	}
	signal(SIGXFSZ, SIG_DFL);
	if (o->ends_with_us) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			_exit(127);
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void set_file(int to, int from, int null)
{
	if (from != CHILD_OURS)
		dup2(from == CHILD_NULL ? null : from, to);
}

/* Run the program in the child process. If this fails, write the errno to @report. */
static void __attribute__((noreturn)) become(const struct child_opts *o, const char *path,
					     int report, pid_t parent)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), error = 0;

	/* Move both above stderr: if a standard file was closed, one may have its number. */
	null = fcntl(null, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	report = fcntl(report, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	set_signals(o, parent);
	set_file(STDIN_FILENO, o->in, null);
	set_file(STDOUT_FILENO, o->out, null);
	set_file(STDERR_FILENO, o->err, null);
	for (size_t i = 0; i < o->nkeep; i++)
		fcntl(o->keep[i], F_SETFD, 0);
	for (const char *const *env = o->env; env && *env; env++)
		putenv((char *)*env);
	if (o->dir && chdir(o->dir))
		error = errno;
	if (childs_files.rlim_max)
		setrlimit(RLIMIT_NOFILE, &childs_files);
	/* An alarm works also after this process has ended, unlike a timeout in this process. */
	alarm(o->seconds);
	if (!error) {
		execvp(path, (char *const *)o->argv);
		error = errno;
	}
	if (write(report, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(127);
}

static void ended(struct child *c, int status)
{
	c->pid = 0;
	c->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Wait until the child has ended. Return: child.status. */
static int child_wait(struct child *c)
{
	int status = 0;

	while (c->pid && wait4(c->pid, &status, 0, &c->use) < 0 && errno == EINTR)
		;
	if (c->pid)
		ended(c, status);
	return c->status;
}

pid_t child_fork(void)
{
	fflush(NULL);
	signal(SIGCHLD, SIG_DFL);
	return fork();
}

int child_start(const struct child_opts *o, struct child *c)
{
	pid_t parent = getpid();
	int report[2], error = 0;
	char path[PATH_MAX];
	ssize_t n;

	memset(c, 0, sizeof(*c));
	if (!child_find(o->argv[0], o->sbin, path, sizeof(path)))
		return -ENOENT;
	if (pipe2(report, O_CLOEXEC))
		return -errno;
	c->pid = child_fork();
	if (!c->pid)
		become(o, path, report[1], parent);
	if (c->pid < 0)
		error = errno;
	close(report[1]);
	/* The pipe closes when exec succeeds; else it brings the error. */
	while (!error && (n = read(report[0], &error, sizeof(error))) < 0 && errno == EINTR)
		;
	close(report[0]);
	if (!error)
		return 0;
	if (c->pid > 0)
		child_wait(c);
	c->pid = 0;
	return -error;
}

/* Read the output until it ends, or until @end_ns. Return false if it did not end. */
static bool hear(int fd, char *text, size_t len, unsigned long long end_ns)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	bool over = false;
	size_t used = 0;
	char buf[512];

	for (;;) {
		unsigned long long now = now_ns();
		int ms = end_ns ? (int)((end_ns - now) / 1000000) + 1 : -1;
		ssize_t n;

		if (end_ns && now >= end_ns)
			break;
		if (poll(&p, 1, ms) < 0 && errno == EINTR)
			continue;
		if (!p.revents)
			break;
		n = read(fd, buf, sizeof(buf));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			over = true;
			break;
		}
		if ((size_t)n > len - 1 - used)
			n = len - 1 - used;
		memcpy(text + used, buf, n);
		used += n;
	}
	text[used] = '\0';
	return over;
}

/*
 * Kill a program that did not end in time. If it still does not end, do not wait for it: a program
 * that does I/O on a hung disk dies only when the disk answers, and this process must not hang too.
 */
static void kill_or_leave(struct child *c)
{
	const struct timespec pause = { .tv_nsec = 100000000 };

	kill(c->pid, SIGKILL);
	for (int i = 0; i < 20 && !waitpid(c->pid, NULL, WNOHANG); i++)
		nanosleep(&pause, NULL);
	c->pid = 0;
}

int child_hear(const struct child_opts *o, char *text, size_t len)
{
	struct child_opts to = *o;
	struct child c;
	int fds[2], ret;
	bool over = true;

	*text = '\0';
	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	to.out = to.err = fds[1];
	ret = child_start(&to, &c);
	close(fds[1]);
	if (!ret)
		over = hear(fds[0], text, len,
			    o->seconds ? now_ns() + (o->seconds + GRACE_S) * 1000000000ULL : 0);
	close(fds[0]);
	if (ret)
		return ret;
	if (!over) {
		kill_or_leave(&c);
		return -ETIMEDOUT;
	}
	ret = child_wait(&c);
	return o->seconds && ret == 128 + SIGALRM ? -ETIMEDOUT : ret;
}

static bool is_ignored(int sig)
{
	struct sigaction sa;

	return !sigaction(sig, NULL, &sa) && sa.sa_handler == SIG_IGN;
}

static const int ends[] = { SIGINT, SIGTERM, SIGHUP };

void end_signals(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (!is_ignored(ends[i]))
			sigaddset(set, ends[i]);
}

bool end_signal_pending(void)
{
	sigset_t pending;

	if (sigpending(&pending))
		return false;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (sigismember(&pending, ends[i]) == 1)
			return true;
	return false;
}

int child_signals(bool children, bool ignored, bool usr1)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (!is_ignored(ends[i]) || (ignored && ends[i] != SIGHUP))
			sigaddset(&set, ends[i]);
	if (children)
		sigaddset(&set, SIGCHLD);
	if (usr1)
		sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? err(-errno, "signalfd: %s", strerror(errno)) : fd;
}

/* Return true if the program has ended, and was not known to have ended. */
static bool take_end(struct child *c)
{
	int status;

	if (!c->pid || wait4(c->pid, &status, WNOHANG, &c->use) != c->pid)
		return false;
	ended(c, status);
	return true;
}

static void note_signal(struct child *c)
{
	unsigned long long now = now_ns();

	if (c->signalled && now - c->signal_ns < SAME_SIGNAL_NS)
		return;
	c->signalled++;
	c->signal_ns = now;
}

bool child_look(int sigfd, struct child *c)
{
	struct signalfd_siginfo si;
	bool has_ended = false;

	while (read(sigfd, &si, sizeof(si)) == sizeof(si)) {
		if (si.ssi_signo == SIGCHLD) {
			has_ended |= take_end(c);
			continue;
		}
		if (si.ssi_signo == SIGUSR1) {
			c->asked = true;
			continue;
		}
		note_signal(c);
		if (c->pid && si.ssi_code <= 0)
			kill(c->pid, si.ssi_signo);
	}
	return has_ended;
}

void child_signals_act(int sigfd)
{
	struct child none = { 0 };
	sigset_t set;

	child_look(sigfd, &none);
	end_signals(&set);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

bool child_wait_for(struct child *c, int sigfd, unsigned int ms)
{
	unsigned long long now = now_ns(), end = now + ms * 1000000ULL;
	struct pollfd p = { .fd = sigfd, .events = POLLIN };
	unsigned int signalled = c->signalled;

	/* SIGCHLD may have been read before the child had ended, so look again. */
	take_end(c);
	while (c->pid && c->signalled == signalled && now < end) {
		poll(&p, 1, (end - now) / 1000000 + 1);
		child_look(sigfd, c);
		now = now_ns();
	}
	return !c->pid;
}
