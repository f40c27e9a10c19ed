/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CLOCKS_H
#define BLKLAT_CLOCKS_H

#include <stdint.h>
#include <time.h>

/**
 * clock_offset() - tell how far a clock is ahead of CLOCK_MONOTONIC
 * @clock: the clock, such as CLOCK_REALTIME
 *
 * Of a few tries the one counts that took least, because this process may lose the CPU between two
 * reads.
 *
 * Return: the difference in ns.
 */
int64_t clock_offset(clockid_t clock);

#endif
