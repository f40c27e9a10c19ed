/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CLOCKS_H
#define BLKLAT_CLOCKS_H

#include <stdint.h>
#include <time.h>

/**
 * clock_offset() - tell how far a clock is ahead of CLOCK_MONOTONIC
 * @clock: the clock, such as CLOCK_REALTIME
 *
 * The clocks are read several times, and the reads that took the least time count: the process may
 * lose the CPU between two of them.
 *
 * Return: the difference in ns.
 */
int64_t clock_offset(clockid_t clock);

#endif
