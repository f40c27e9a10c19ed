/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_COMMAND_H
#define BLKLAT_STACK_COMMAND_H

#include <stdbool.h>

/* The tools of the machine that make and remove what has no library. */

/* Whether there is such a tool, also in sbin when that is not in PATH. */
bool command_there(const char *name);

/**
 * command_run() - run a tool and wait for its end
 * @argv: NULL-terminated
 *
 * It is ended after a minute. Ctrl-C does not reach it: what it began is finished or undone.
 * Return: 0 or -errno, reported with what it said.
 */
int command_run(const char *const argv[]);

/* The same, not reported. */
int command_try(const char *const argv[]);

/*
 * From now on all tools have this file open too: whoever waits for its end waits for them, should
 * this process be killed meanwhile. -1: none of those so far.
 */
void command_keep(int fd);

#endif
