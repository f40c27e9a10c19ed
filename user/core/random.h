/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_RANDOM_H
#define BLKLAT_CORE_RANDOM_H

#include <stdint.h>

/**
 * splitmix64() - draw the next random number
 * @state: the state, a single number. Every start value gives good random numbers, also 0, and also
 *	small start values that differ by 1.
 *
 * See G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators",
 * OOPSLA 2014; the constants are those of S. Vigna's splitmix64.c.
 *
 * Return: any number of 64 bits.
 */
static inline uint64_t splitmix64(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

#endif
