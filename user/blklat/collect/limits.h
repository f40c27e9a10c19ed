/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COLLECT_LIMITS_H
#define COLLECT_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Return true if this process may trace. CAP_BPF and CAP_PERFMON would be enough for the programs,
 * but only CAP_SYS_ADMIN may read the types of modules, and most drivers are modules.
 */
bool may_trace(void);

/* Say that this process may not trace, and why. Return -EPERM. */
int limits_no_rights(void);

/**
 * limits_check() - find out whether this process has the rights, files and memory for a session
 * @rings: bytes for the slots of I/Os and for the records that wait to be written
 *
 * Raises the soft limit of open files if it is too low and the hard limit is not. Without the check
 * of memory, the kernel would kill the process when it uses more than its control group may.
 *
 * Return: 0; -EPERM, -EMFILE or -ENOMEM, with a message.
 */
int limits_check(uint64_t rings);

#endif
