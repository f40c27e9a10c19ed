/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_SEARCH_H
#define BLKLAT_CORE_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Looks for the largest number that holds, where no number above one that fails does:
 * doubles (or halves) until it is between two numbers, then goes to the middle.
 *
 *	search_init(&s, ...);
 *	while (search_next(&s, &v))
 *		search_tell(&s, v, try(v));
 *	s.held is the answer
 */
struct search {
	uint64_t min, max;
	uint64_t first;		/* the number to begin with */
	double precision;	/* per cent of the answer */
	uint64_t held;		/* largest that held; 0: none yet */
	uint64_t failed;	/* smallest that failed; 0: none yet */
};

/**
 * search_init() - a new search
 * @min: at least 1
 * @first: the first to try, brought within @min and @max
 * @precision: it ends when this many per cent more (at least 1 more) has failed
 */
void search_init(struct search *s, uint64_t min, uint64_t first, uint64_t max,
		 double precision);

/* The next to try. Return: false when the search is over. */
bool search_next(const struct search *s, uint64_t *v);

void search_tell(struct search *s, uint64_t v, bool held);

#endif
