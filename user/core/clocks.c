// SPDX-License-Identifier: GPL-2.0
/* Compare clocks. */
#include "core/clocks.h"

#define TRIES 32
/* A try that takes no longer than this, in ns, is good enough. */
#define SHORT_NS 2000

static int64_t read_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

int64_t clock_offset(clockid_t clock)
{
	int64_t offset = 0, least = INT64_MAX;

	for (int i = 0; i < TRIES && least > SHORT_NS; i++) {
		int64_t before = read_ns(CLOCK_MONOTONIC), at = read_ns(clock);
		int64_t took = read_ns(CLOCK_MONOTONIC) - before;

		if (took >= least)
			continue;
		least = took;
		offset = at - (before + took / 2);
	}
	return offset;
}
