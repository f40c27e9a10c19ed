/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_RANDOM_H
#define BLKLAT_CORE_RANDOM_H

#include <stdint.h>

/*
 * Return the next random number. The whole state is one number, and any first one is good: also 0
 * and small numbers next to each other.
 */
static inline uint64_t splitmix64(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

#endif
