/* SPDX-License-Identifier: GPL-2.0 */
/* Run other programs, and read the signals of this one. */
#ifndef BLKLAT_CORE_CHILD_H
#define BLKLAT_CORE_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/types.h>

/**
 * child_raise_files() - let this process open more files than its soft limit allows
 * @need: number of files
 *
 * The programs that this process runs get the soft limit that was there before.
 *
 * Return: 0; -EMFILE if the hard limit is lower than @need; not reported.
 */
int child_raise_files(rlim_t need);

/* child_opts.in, out and err are a file, or one of these. */
#define CHILD_NULL	(-1)	/* /dev/null */
#define CHILD_OURS	(-2)	/* the same as of this process */

/**
 * struct child_opts - how a program is run
 * @argv: its words, ended by NULL; child_find() looks for the first one
 * @env: variables to set, "NAME=value", ended by NULL; NULL: none
 * @dir: its working directory; NULL: that of this process
 * @in: its standard input
 * @out: its standard output; child_hear() sets it
 * @err: its standard error; child_hear() sets it
 * @keep: files that it inherits, although they are O_CLOEXEC
 * @nkeep: number of files in @keep
 * @sbin: also look for it in the directories of root's tools, which not every user has in PATH
 * @apart: give it a session of its own, without the terminal and its Ctrl-C
 * @ends_with_us: send it SIGTERM when this process ends, however it ends
 * @seconds: it is killed by SIGALRM after this time, even if this process is gone; 0: never
 */
struct child_opts {
	const char *const *argv;
	const char *const *env;
	const char *dir;
	int in;
	int out;
	int err;
	const int *keep;
	size_t nkeep;
	bool sbin;
	bool apart;
	bool ends_with_us;
	unsigned int seconds;
};

/**
 * struct child - a program that was started
 * @pid: its process, 0 when there is none, or it has ended
 * @status: when it has ended, its exit status, or 128 + the number of the signal that killed it
 * @use: when it has ended, the CPU time and other resources that it used
 * @signalled: how often child_look() has read a signal that asks this process to end; signals
 *	within a second count as one, because timeout(1) and a terminal that closes send two
 * @signal_ns: when it has read the last one that counts
 * @asked: child_look() has read SIGUSR1
 */
struct child {
	pid_t pid;
	int status;
	struct rusage use;
	unsigned int signalled;
	unsigned long long signal_ns;
	bool asked;
};

/**
 * child_find() - find a program in PATH
 * @name: its name; with a slash, its path
 * @sbin: as in struct child_opts
 * @path: set to its path
 * @len: bytes in @path
 *
 * Return: true if there is one that can be run.
 */
bool child_find(const char *name, bool sbin, char *path, size_t len);

/**
 * child_fork() - call fork(), so that no output is doubled and the status of the child is kept
 *
 * All buffers of stdio are written first, because both processes would write what is in them. A
 * parent may have passed SIGCHLD on as ignored, and then the kernel would drop the status of the
 * child, so this sets SIGCHLD to its default action.
 *
 * Return: as fork(): 0 in the child, its pid in this process, or -1 with errno set; not reported.
 */
pid_t child_fork(void);

/**
 * child_start() - run a program
 * @o: how to run it
 * @c: the child; zeroed first
 *
 * Return: 0 when it runs, or -errno, not reported; -ENOENT when it is not found.
 */
int child_start(const struct child_opts *o, struct child *c);

/**
 * child_wait_for() - wait a while for a program to end
 * @c: the program
 * @sigfd: from child_signals(), with SIGCHLD
 * @ms: the longest time to wait, in ms
 *
 * Another signal that asks this process to end also ends the wait.
 *
 * Return: true if the program has ended.
 */
bool child_wait_for(struct child *c, int sigfd, unsigned int ms);

/**
 * child_hear() - run a program to its end and keep what it prints
 * @o: how to run it; its output and its errors go to @text
 * @text: set to the first @len - 1 bytes of them
 * @len: bytes in @text
 *
 * Return: as child.status; or -errno, not reported: -ENOENT when it is not found, -ETIMEDOUT when
 * it was killed after @o->seconds.
 */
int child_hear(const struct child_opts *o, char *text, size_t len);

/**
 * end_signals() - list the signals that end this process
 * @set: set to those of SIGINT, SIGTERM and SIGHUP that are not ignored
 */
void end_signals(sigset_t *set);

/**
 * end_signal_pending() - tell if this process was asked to end while the signal was blocked
 *
 * The signal stays pending.
 *
 * Return: true if SIGINT, SIGTERM or SIGHUP is pending.
 */
bool end_signal_pending(void);

/**
 * child_signals() - open a file from which this process reads the signals that would end it
 * @children: read SIGCHLD there, too
 * @ignored: read SIGINT and SIGTERM also if they are ignored, as SIGINT is in the background of a
 *	script
 * @usr1: read SIGUSR1 there, too
 *
 * These signals are SIGINT, SIGTERM and SIGHUP. SIGHUP stays ignored after nohup(1).
 * Return: the file, which does not block, or -errno, reported.
 */
int child_signals(bool children, bool ignored, bool usr1);

/**
 * child_signals_act() - let signals end this process again
 * @sigfd: from child_signals()
 *
 * The signals that have come until now are forgotten. Those that were ignored stay ignored.
 */
void child_signals_act(int sigfd);

/**
 * child_look() - read the signals that have come, and see whether the child has ended
 * @sigfd: from child_signals()
 * @c: the child; its pid may be 0
 *
 * Ctrl-C reaches a child as well; a signal that was sent to this process alone is passed on, so
 * that the child ends and its result is seen.
 * SIGUSR1 only sets @c->asked.
 * Return: true if the child has ended now.
 */
bool child_look(int sigfd, struct child *c);

#endif
