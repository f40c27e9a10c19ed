/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CORE_MEMORY_H
#define CORE_MEMORY_H

#include <stdint.h>
#include <unistd.h>

/* Return the bytes of memory that the machine has. */
static inline uint64_t machine_memory(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
}

#endif
