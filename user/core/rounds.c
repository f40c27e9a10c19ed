// SPDX-License-Identifier: GPL-2.0
/* Choose the order in which a comparison visits its devices. */
#include "core/random.h"
#include "core/rounds.h"

void rounds_order(uint64_t seed, unsigned int round, size_t n, unsigned int *order)
{
	uint64_t pair = round / 2 + 1, state = seed ^ splitmix64(&pair);
	size_t i;

	for (i = 0; i < n; i++)
		order[i] = i;
	for (i = n; i > 1; i--) {
		size_t k = splitmix64(&state) % i;
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
