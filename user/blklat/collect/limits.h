/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COLLECT_LIMITS_H
#define COLLECT_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * may_trace() - check if this process may trace
 *
 * Return: true if it has CAP_BPF and CAP_PERFMON, or CAP_SYS_ADMIN; false in a user namespace
 * like that of a container.
 */
bool may_trace(void);

/**
 * may_read_module_types() - check if this process may attach programs to the functions of modules
 *
 * Only CAP_SYS_ADMIN gets the types of a module from the kernel.
 *
 * Return: true if it has this capability; false in a user namespace like that of a container.
 */
bool may_read_module_types(void);

/**
 * limits_no_rights() - say that this process may not trace, and why
 *
 * Return: -EPERM, reported.
 */
int limits_no_rights(void);

/**
 * limits_check() - find out whether this process has the rights, files and memory for a session
 * @rings: bytes for the slots of I/Os and for the records that wait to be written
 * @programs: the most programs that it attaches
 *
 * Raises the soft limit of open files if it is too low and the hard limit is not. Without the check
 * of memory, the kernel would kill the process when it uses more than its control group may.
 *
 * Return: 0; -EPERM, -EMFILE, -ENOMEM or the error of reading the kernel's BTF, with a message.
 */
int limits_check(uint64_t rings, size_t programs);

#endif
