/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_PREEMPT_H
#define BLKLAT_PREEMPT_H

#include <stdbool.h>

/**
 * kernel_preempts() - find out if the kernel may preempt a task while a BPF program runs for it
 *
 * Return: true if it may; also if this cannot be found out.
 */
bool kernel_preempts(void);

#endif
