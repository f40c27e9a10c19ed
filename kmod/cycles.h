/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read the counter of CPU cycles as the time of a completion, because ktime_get_ns() takes about 50
 * instructions, most of them to convert the counter to nanoseconds.
 */
#ifndef _BLKGEN_CYCLES_H
#define _BLKGEN_CYCLES_H

#include <linux/math64.h>
#include <linux/ktime.h>
#ifdef CONFIG_X86_64
#include <asm/msr.h>
#include <asm/tsc.h>
#endif

#define BLKGEN_CYCLES_SHIFT	32

u64 blkgen_cycles_mult(void);

/**
 * blkgen_cycles() - read the counter of CPU cycles
 *
 * It can be used as a clock only if blkgen_cycles_mult() does not return 0.
 *
 * Context: any
 * Return: the counter, in cycles; CLOCK_MONOTONIC in ns if the CPU is not an x86-64
 */
static __always_inline u64 blkgen_cycles(void)
{
#ifdef CONFIG_X86_64
	return rdtsc();
#else
	return ktime_get_ns();
#endif
}

/**
 * blkgen_cycles_to_ns() - convert a time in cycles to ns
 * @cycles: time, in cycles
 * @mult: factor from blkgen_cycles_mult(), not 0
 *
 * Return: the time, in ns
 */
static __always_inline u64 blkgen_cycles_to_ns(u64 cycles, u64 mult)
{
	return mul_u64_u64_shr(cycles, mult, BLKGEN_CYCLES_SHIFT);
}

#endif /* _BLKGEN_CYCLES_H */
