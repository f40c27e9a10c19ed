// SPDX-License-Identifier: GPL-2.0
/* Read the results of a session. */
#include <stdlib.h>
#include "blklat/collect/session_parts.h"

const struct hook_status *session_hooks(const struct session *s)
{
	return s->status;
}

void session_hist(const struct session *s, struct hist *h, unsigned int dev, unsigned int op,
		  unsigned int row)
{
	account_hist(s->account, h, dev, op, row);
}

void session_sum(const struct session *s, unsigned int dev, unsigned int row,
		 uint64_t *count, uint64_t *sum)
{
	account_sum(s->account, dev, row, count, sum);
}

void session_tail(const struct session *s, struct blklat_tail *t, unsigned int dev,
		  unsigned int group)
{
	account_tail(s->account, t, dev, group);
}

static int more_first(const void *a, const void *b)
{
	const struct own_end *x = a, *y = b;

	return x->count < y->count ? 1 : x->count > y->count ? -1 : 0;
}

size_t session_own_ends(const struct session *s, unsigned int dev, struct own_end *ends)
{
	size_t n = 0;

	for (unsigned int i = 0; i < BLKLAT_ENDS; i++) {
		const struct blklat_end *e = &s->skel->bss->ends[dev * BLKLAT_ENDS + i];

		if (e->count)
			ends[n++] = (struct own_end){ .addr = e->end_io, .count = e->count };
	}
	qsort(ends, n, sizeof(*ends), more_first);
	return n;
}

const struct by *session_by(const struct session *s)
{
	return s->by;
}

struct event_ring *session_events(struct session *s)
{
	return &s->events;
}

uint64_t session_armed_ns(const struct session *s)
{
	return s->skel->bss->state.armed_ns;
}

void session_cost(const struct session *s, struct session_cost *cost)
{
	*cost = s->cost;
	cost->user_ns = account_cpu_ns(s->account);
}
