/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CORE_MEMORY_H
#define CORE_MEMORY_H

#include <stdint.h>

/**
 * machine_memory() - find out how much memory the machine has
 *
 * Return: the memory in bytes.
 */
uint64_t machine_memory(void);

/**
 * allowed_memory() - find out how much memory this process may use
 *
 * Return: the bytes of memory that the machine has, or the lowest limit (memory.max of cgroup v2)
 * of the process's control group and of those above it, if that is less.
 */
uint64_t allowed_memory(void);

#endif
