// SPDX-License-Identifier: GPL-2.0
/*
 * Check that the counter of CPU cycles can be used as a clock.
 */
#include "compat.h"
#include "cycles.h"

/**
 * blkgen_cycles_mult() - compute the factor that converts blkgen_cycles() to nanoseconds
 *
 * The counter is trusted if the kernel itself uses it as its clock source at present: then the
 * kernel has found that the counter runs at a constant rate and is the same on all CPUs. The
 * kernel steers its time by up to 0.05 %; the counter is not steered, but the difference is
 * negligible for the duration of one I/O.
 *
 * Return: the factor to multiply by before shifting right by BLKGEN_CYCLES_SHIFT, or 0 if the
 * counter cannot be used
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
