// SPDX-License-Identifier: GPL-2.0
/* Choose the order in which a comparison visits its devices. */
#include "core/rounds.h"

/* splitmix64: any seed is good, also 0 and small numbers next to each other. */
static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

void rounds_order(uint64_t seed, unsigned int round, size_t n, unsigned int *order)
{
	uint64_t pair = round / 2 + 1, state = seed ^ next(&pair);
	size_t i;

	for (i = 0; i < n; i++)
		order[i] = i;
	for (i = n; i > 1; i--) {
		size_t k = next(&state) % i;
		unsigned int v = order[i - 1];

		order[i - 1] = order[k];
		order[k] = v;
	}
	for (i = 0; round % 2 && i < n / 2; i++) {
		unsigned int v = order[i];

		order[i] = order[n - 1 - i];
		order[n - 1 - i] = v;
	}
}
