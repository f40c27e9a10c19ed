/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_CPU_H
#define COMPARE_CPU_H

#include <stdint.h>

/* This measures the CPU time of kernel threads. */

struct compare_cpu;

/**
 * compare_cpu_begin() - read the CPU time of all kernel threads except blkgen's
 *
 * Return: the CPU times, which compare_cpu_end() frees; NULL without memory.
 */
struct compare_cpu *compare_cpu_begin(void);

/**
 * compare_cpu_end() - measure the CPU time of kernel threads since compare_cpu_begin()
 * @before: from compare_cpu_begin(), may be NULL; freed
 *
 * A thread that has ended meanwhile does not count.
 *
 * Return: the CPU time in ns; 0 if it is not known because there was no memory.
 */
uint64_t compare_cpu_end(struct compare_cpu *before);

#endif
