// SPDX-License-Identifier: GPL-2.0
/*
 * This test will compare the arithmetic of histograms with its definition, computed the slow way,
 * and the code for BPF with the code for all others.
 */
// needs: host
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../kmod/uapi/loglin.h"

/* Include the header again as BPF programs see it, under other names. */
#undef _UAPI_LOGLIN_H
#undef LOGLIN_BUCKETS
#define __bpf__
#define loglin_log2 bpf_loglin_log2
#define loglin_index bpf_loglin_index
#define loglin_low bpf_loglin_low
#define loglin_high bpf_loglin_high
#include "../../kmod/uapi/loglin.h"
#undef loglin_log2
#undef loglin_index
#undef loglin_low
#undef loglin_high
#undef __bpf__

static int nr, failed;

static void check(bool ok, const char *what, unsigned int bits)
{
	printf("%sok %d - %s, %u bits\n", ok ? "" : "not ", ++nr, what, bits);
	failed += !ok;
}

/*
 * Build the buckets one after another from 0: the first 2^(bits+1) are one wide, and each 2^bits
 * buckets after these are twice as wide as those before. Return true if all are as the header
 * says.
 */
static bool walk(unsigned int bits, uint64_t top)
{
	uint64_t low = 0, width = 1;
	uint32_t idx;

	for (idx = 0; low < top; idx++) {
		if (idx >= 2u << bits && !(idx & ((1u << bits) - 1)))
			width *= 2;
		if (loglin_low(idx, bits) != low || loglin_high(idx, bits) != low + width - 1 ||
		    loglin_index(low, bits) != idx || loglin_index(low + width - 1, bits) != idx ||
		    loglin_index(low + width / 2, bits) != idx)
			return false;
		/* A bucket is at most 2^-bits of its low end wide, plus 1: the precision. */
		if (idx && (width - 1) << bits > low)
			return false;
		low += width;
	}
	return idx == loglin_index(top - 1, bits) + 1;
}

/* Check every value from 0 on. */
static bool every(unsigned int bits)
{
	uint64_t v;

	for (v = 0; v < 1 << 20; v++) {
		uint32_t idx = loglin_index(v, bits);

		if (v < loglin_low(idx, bits) || v > loglin_high(idx, bits) ||
		    idx != bpf_loglin_index(v, bits))
			return false;
	}
	return true;
}

static bool same_as_bpf(unsigned int bits)
{
	unsigned int i, s;

	for (i = 0; i < 64; i++) {
		for (s = 0; s < 1000; s++) {
			uint64_t r = (uint64_t)rand() << 32 ^ (uint64_t)rand() << 16 ^ rand();
			uint64_t v = r >> i;
			uint32_t idx = loglin_index(v, bits);

			if (idx != bpf_loglin_index(v, bits) ||
			    loglin_low(idx, bits) != bpf_loglin_low(idx, bits) ||
			    loglin_high(idx, bits) != bpf_loglin_high(idx, bits))
				return false;
		}
	}
	return true;
}

int main(void)
{
	unsigned int bits;

	printf("KTAP version 1\n");
	for (bits = 1; bits <= 10; bits++) {
		check(walk(bits, 1ULL << 42), "buckets follow one another up to 2^42", bits);
		check(every(bits), "every value is in its bucket", bits);
		check(same_as_bpf(bits), "BPF's arithmetic agrees", bits);
		check(loglin_index((1ULL << 42) - 1, bits) == LOGLIN_BUCKETS(42, bits) - 1,
		      "LOGLIN_BUCKETS is enough, and no more", bits);
		check(loglin_high(loglin_index(UINT64_MAX, bits), bits) == UINT64_MAX,
		      "the largest value is the end of the last bucket", bits);
	}
	printf("1..%d\n", nr);

	return failed ? 1 : 0;
}
