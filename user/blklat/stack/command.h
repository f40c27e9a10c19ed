/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_COMMAND_H
#define BLKLAT_STACK_COMMAND_H

#include <stdbool.h>

/* Run the machine's tools, for things that no library makes and removes. */

/* Return true if the tool is installed; looks in sbin too if PATH does not have it. */
bool command_there(const char *name);

/**
 * command_run() - run a tool and wait for its end
 * @argv: NULL-terminated
 *
 * The tool is ended after a minute. Ctrl-C does not reach it: a step that began is completed, or
 * undone later.
 * Return: 0 or -errno, reported with the tool's messages.
 */
int command_run(const char *const argv[]);

/* Do as command_run(), but do not report a failure. */
int command_try(const char *const argv[]);

/*
 * Let all tools from now on have this file open too. If this process is killed meanwhile, processes
 * that wait until the file is closed wait for the tool too. -1: forget all such files.
 */
void command_keep(int fd);

#endif
