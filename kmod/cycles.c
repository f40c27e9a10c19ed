// SPDX-License-Identifier: GPL-2.0
/*
 * Whether the counter of CPU cycles can be used as a clock.
 */
#include "compat.h"
#include "cycles.h"

/**
 * blkgen_cycles_mult - what makes nanoseconds of blkgen_cycles()
 *
 * The counter is trusted if the kernel itself takes the time from it at present: then
 * it has been found to go at one rate, and to be the same on all CPUs. Time of day
 * is steered, by no more than 0.05 %: this is not, but serves for one I/O at a time.
 *
 * Returns what to multiply by before shifting right by BLKGEN_CYCLES_SHIFT, or 0 if
 * the counter can't be used.
 */
u64 blkgen_cycles_mult(void)
{
#ifdef CONFIG_X86_64
	u64 before = rdtsc_ordered();
	u64 snap = blkgen_clock_cycles();
	u64 after = rdtsc_ordered();

	if (tsc_khz && !check_tsc_unstable() && snap - before <= after - before)
		return div_u64(1000000ULL << BLKGEN_CYCLES_SHIFT, tsc_khz);
#endif
	return 0;
}
