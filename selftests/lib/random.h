/* SPDX-License-Identifier: GPL-2.0 */
/* Make random numbers for tests, the same for the same seed. */
#ifndef SELFTESTS_RANDOM_H
#define SELFTESTS_RANDOM_H

#include <math.h>
#include <stdint.h>

/*
 * Return the next number of a generator, whose state is any number but 0 at the start.
 * G. Marsaglia, "Xorshift RNGs", J. Statist. Softw. 8 (2003), 14
 */
static inline uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Return the next number of a generator that begins with the same seed in each run. */
static inline uint64_t random_u64(void)
{
	static uint64_t state = 88172645463325252ull;

	return random_next(&state);
}

/* Return a number above 0 and below 1. */
static inline double random_uniform(void)
{
	return ((random_u64() >> 11) + 0.5) / (1ull << 53);
}

/* Return a normally distributed number of mean 0 and standard deviation 1. */
static inline double random_normal(void)
{
	/*
	 * Use two statements: within one expression the compiler may make the two calls in either
	 * order, and the numbers would differ.
	 */
	double r = sqrt(-2 * log(random_uniform()));

	return r * cos(2 * M_PI * random_uniform());
}

#endif
