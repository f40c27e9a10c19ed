/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_CPU_H
#define COMPARE_CPU_H

#include <stdint.h>

/* This measures the CPU time of kernel threads. */

struct compare_cpu;
/*
 * Read the CPU time of all kernel threads except blkgen's. Return NULL without memory, which
 * compare_cpu_end() accepts.
 */
struct compare_cpu *compare_cpu_begin(void);
/* Return the CPU time of kernel threads since compare_cpu_begin(), in ns, and free @before. */
uint64_t compare_cpu_end(struct compare_cpu *before);

#endif
