/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_KEEPER_H
#define BLKLAT_KEEPER_H

#include <sys/types.h>

/*
 * A keeper is a child process that waits until this process ends, also by kill -9. Then it removes
 * or restores things that must not stay as they are, or closes a file whose close would keep this
 * process from ending.
 */
struct keeper {
	pid_t pid;
	int lifeline;
};

/* This is the work of a keeper. All members are optional. */
struct keeper_task {
	/* The keeper runs this first, without terminal and signals. keeper_start() waits for it. */
	void (*begin)(void *arg);
	/* The keeper runs this when this process ends or calls keeper_end(). Return: 0 to 127. */
	int (*end)(void *arg);
	void *arg;		/* the keeper has a copy, unless in a shared mapping */
	int fd;			/* a file that the keeper has open until it ends; 0: none */
};

/**
 * keeper_start() - start a keeper
 * @k: set on success
 * @task: the work of the keeper
 *
 * The keeper closes all open files, except @task->fd.
 * Return: 0 or -errno, reported.
 */
int keeper_start(struct keeper *k, const struct keeper_task *task);

/**
 * keeper_end() - let the keeper end now, and wait for it
 * @k: the keeper; zeroed if it was not started
 *
 * Return: what its end() returned, 0 if it was not started, or -ECHILD if a signal killed it; not
 * reported.
 */
int keeper_end(struct keeper *k);

/**
 * keeper_leave() - let the keeper end now, without waiting for it
 * @k: the keeper; it must have been started
 *
 * Return: its pid.
 */
pid_t keeper_leave(struct keeper *k);

#endif
