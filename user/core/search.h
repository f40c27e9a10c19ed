/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_SEARCH_H
#define BLKLAT_CORE_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Search for the largest number that passes a test. If a number fails, all larger numbers must fail
 * too. First double (or halve) the number until one has passed and one has failed, then bisect.
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
	uint64_t held;		/* largest number that passed; 0: none yet */
	uint64_t failed;	/* smallest number that failed; 0: none yet */
};

/**
 * search_init() - begin a search
 * @s: the search
 * @min: smallest number to try, at least 1
 * @first: first number to try; moved into @min to @max
 * @max: largest number to try
 * @precision: end the search when the smallest number that failed is at most this many per cent,
 *	or 1, above the largest that passed
 */
void search_init(struct search *s, uint64_t min, uint64_t first, uint64_t max,
		 double precision);

/**
 * search_next() - choose the next number to try
 * @s: the search; search_tell() must have told it the result of the number before
 * @v: set to the number
 *
 * Return: false when the search is over: then @v is not to be tried.
 */
bool search_next(const struct search *s, uint64_t *v);

/**
 * search_tell() - tell the search the result of a test
 * @s: the search
 * @v: the number that was tried
 * @held: true if @v passed, false if it failed
 */
void search_tell(struct search *s, uint64_t v, bool held);

#endif
