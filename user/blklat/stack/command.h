/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_COMMAND_H
#define BLKLAT_STACK_COMMAND_H

#include <stdbool.h>

/* Run the machine's tools, for things that no library makes and removes. */

/**
 * command_there() - check if a tool is installed
 * @name: its name; it is looked for in sbin too if PATH does not have it
 *
 * Return: true if it can be run.
 */
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

/**
 * command_try() - run a tool like command_run(), but do not report a failure
 * @argv: NULL-terminated
 *
 * Return: 0, or -errno, not reported: -ENOENT if the tool is not installed, -ETIMEDOUT if it did
 * not end, -EIO if it failed.
 */
int command_try(const char *const argv[]);

/**
 * command_keep() - let all tools from now on have a file open too
 * @fd: the file; a fifth one is ignored. -1: forget all such files
 *
 * If this process is killed meanwhile, processes that wait until the file is closed wait for the
 * tool too.
 */
void command_keep(int fd);

#endif
