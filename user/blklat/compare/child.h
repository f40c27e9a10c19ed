/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_CHILD_H
#define COMPARE_CHILD_H

#include "blklat/compare/compare.h"

/**
 * compare_child() - run a program to its end
 * @c: the comparison; its signals are read, and @interrupted, @left and @status are set as needed
 * @argv: the program's path or name and its arguments, ended by NULL
 * @out: file descriptor that becomes the program's stdout; -1 for /dev/null
 * @keep: file descriptor that stays open in the program under the same number; below 0 for none
 * @tick: called about ten times a second during the run; may be NULL
 * @cpu_ns: set to the CPU time of the program and its children, in ns
 *
 * After a second signal, a program that a hanging device holds up is left behind.
 *
 * Return: the exit status as a shell gives it (128 + signal); -EINTR after a signal, not reported;
 * -ECHILD if the program cannot be run, reported.
 */
int compare_child(struct compare *c, const char *const *argv, int out, int keep,
		  void (*tick)(struct compare *c), uint64_t *cpu_ns);

#endif
