/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STUCK_TASKS_H
#define BLKLAT_STUCK_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/**
 * struct stuck_task - a task in uninterruptible sleep, the state D of ps
 * @tid: its number
 * @comm: its name
 * @function: the kernel's function in which it waits, "" if only root may know
 * @stack: its kernel stack, a function per line, or NULL
 */
struct stuck_task {
	pid_t tid;
	char comm[64];
	char function[64];
	char *stack;
};

/**
 * stuck_tasks() - list the tasks in uninterruptible sleep
 * @stacks: read their kernel stacks as well
 * @out: the tasks; free them with stuck_tasks_free(), also after an error
 * @n: their number
 * Return: 0 or -errno, reported.
 */
int stuck_tasks(bool stacks, struct stuck_task **out, size_t *n);

/**
 * stuck_tasks_free() - free a list of tasks, and their stacks
 * @v: the tasks; may be NULL if @n is 0
 * @n: their number
 */
void stuck_tasks_free(struct stuck_task *v, size_t n);

#endif
