/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_KEEPER_H
#define BLKLAT_KEEPER_H

#include <sys/types.h>

/*
 * A process that waits for the end of this one, also by kill -9, to put in order
 * what must not stay behind, or to end what would keep this one.
 */
struct keeper {
	pid_t pid;
	int lifeline;
};

/* What it does; all are optional. */
struct keeper_task {
	/* First thing, away from the terminal and its signals. keeper_start() waits for it. */
	void (*begin)(void *arg);
	/* When this process ends, or calls keeper_end(). What it returns, 0 to 127, is its status. */
	int (*end)(void *arg);
	void *arg;		/* memory as it is now, so none of it is shared unless it was mapped so */
	int fd;			/* a file that it has open until it ends; 0: none */
};

/**
 * keeper_start() - start the process
 *
 * It holds none of the files that are open, but for the one it is given.
 * Return: 0 or -errno, reported.
 */
int keeper_start(struct keeper *k, const struct keeper_task *task);

/* Have the end called now and wait for it. Return: what it returned, or -ECHILD. */
int keeper_end(struct keeper *k);

/* Have the end called now, and go on, of one that was started. Return: its pid. */
pid_t keeper_leave(struct keeper *k);

#endif
