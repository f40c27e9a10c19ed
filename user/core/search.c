// SPDX-License-Identifier: GPL-2.0
/* Search for the largest number that passes a test. */
#include "core/search.h"

void search_init(struct search *s, uint64_t min, uint64_t first, uint64_t max,
		 double precision)
{
	*s = (struct search) { .min = min, .max = max, .precision = precision };
	s->first = first < min ? min : first > max ? max : first;
}

bool search_next(const struct search *s, uint64_t *v)
{
	if (!s->held && !s->failed)
		*v = s->first;
	else if (!s->failed)
		*v = s->held > s->max / 2 ? s->max : s->held * 2;
	else if (!s->held)
		*v = s->failed / 2 < s->min ? s->min : s->failed / 2;
	else
		*v = s->held + (s->failed - s->held) / 2;
	if (!s->held)
		return s->failed != s->min;
	if (!s->failed)
		return s->held != s->max;
	return s->failed - s->held > 1 &&
	       s->failed - s->held > s->held * (s->precision / 100);
}

void search_tell(struct search *s, uint64_t v, bool held)
{
	if (held && v > s->held)
		s->held = v;
	else if (!held && (!s->failed || v < s->failed))
		s->failed = v;
}
