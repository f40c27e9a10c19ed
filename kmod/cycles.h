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

/* Read the counter. It can be used as a clock only if blkgen_cycles_mult() does not return 0. */
static __always_inline u64 blkgen_cycles(void)
{
#ifdef CONFIG_X86_64
	return rdtsc();
#else
	return ktime_get_ns();
#endif
}

/* Convert cycles to ns. @mult is from blkgen_cycles_mult(). */
static __always_inline u64 blkgen_cycles_to_ns(u64 cycles, u64 mult)
{
	return mul_u64_u64_shr(cycles, mult, BLKGEN_CYCLES_SHIFT);
}

#endif /* _BLKGEN_CYCLES_H */
