// SPDX-License-Identifier: GPL-2.0
/*
 * This test will expect the rounds of a comparison to visit each device once, in orders that change
 * and are mirrored.
 */
/* needs: host */
#include <stdlib.h>
#include <string.h>
#include "core/rounds.h"
#include "unit.h"

#define N 5
#define PAIRS 6000

static bool each_once(const unsigned int *order)
{
	unsigned int seen = 0, i;

	for (i = 0; i < N; i++)
		seen |= order[i] < N ? 1u << order[i] : 0;
	return seen == (1u << N) - 1;
}

static void pairs(void)
{
	unsigned int at[N][N] = { 0 }, a[N], b[N], last[N] = { 0 };
	unsigned int r, i, least = PAIRS, most = 0, same = 0;
	bool once = true, mirrored = true;

	for (r = 0; r < 2 * PAIRS; r += 2) {
		rounds_order(7, r, N, a);
		rounds_order(7, r + 1, N, b);
		once &= each_once(a) && each_once(b);
		for (i = 0; i < N; i++) {
			mirrored &= a[i] == b[N - 1 - i];
			at[a[i]][i]++;
		}
		same += !memcmp(a, last, sizeof(a));
		memcpy(last, a, sizeof(a));
	}
	for (r = 0; r < N * N; r++) {
		unsigned int n = at[r / N][r % N];

		least = n < least ? n : least;
		most = n > most ? n : most;
	}
	check(once, "each round has each device once");
	check(mirrored, "each odd round is the mirror of the one before");
	/* Allow 155: 5 standard deviations of a binomial distribution. */
	check(least > PAIRS / N - 155 && most < PAIRS / N + 155,
	      "each device is at each place as often (%u to %u of %u)", least, most, PAIRS / N);
	/* There are 120 orders, so 50 repetitions are expected. */
	check(same > 15 && same < 85, "an order follows itself as often as chance has it (%u)",
	      same);
}

static void seeds(void)
{
	unsigned int a[N], b[N], s, same = 0;

	rounds_order(3, 4, N, a);
	rounds_order(3, 4, N, b);
	check(!memcmp(a, b, sizeof(a)), "a seed gives the same order again");
	for (s = 0; s < 1200; s++) {
		rounds_order(s, 0, N, a);
		rounds_order(s + 1, 0, N, b);
		same += !memcmp(a, b, sizeof(a));
	}
	check(same < 30, "neighbouring seeds give others (%u of 1200 alike)", same);
	rounds_order(1, 1, 1, a);
	check(a[0] == 0, "one device alone is in its place");
}

int main(void)
{
	pairs();
	seeds();
	return unit_end();
}
