// SPDX-License-Identifier: GPL-2.0
/* Read the results of a session. */
#include <stdlib.h>
#include <string.h>
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

void session_sum(const struct session *s, unsigned int dev, unsigned int op, unsigned int row,
		 uint64_t *count, uint64_t *sum)
{
	account_sum(s->account, dev, op, row, count, sum);
}

/* Return true if the doorbell of this batch was rung. Its requests have no mark for that. */
static bool batch_was_rung(const struct session *s, uint64_t seq)
{
	size_t n = sizeof(s->skel->bss->batches) / sizeof(s->skel->bss->batches[0]);

	return seq && s->skel->bss->batches[seq & (n - 1)].seq == seq &&
	       s->skel->bss->batches[seq & (n - 1)].b;
}

/* Return the last mark of a request that keeps its marks apart from its I/O. */
static unsigned int last_mark_of_rq(const struct session *s, const struct blklat_rq *rq)
{
	if (rq->c)
		return MARK_C;
	if (rq->requeued)
		return MARK_R;
	if (rq->v)
		return MARK_H;
	if (rq->b || batch_was_rung(s, rq->batch))
		return MARK_B;
	return rq->x ? MARK_X : rq->d ? MARK_D : MARK_G;
}

/* Return the last mark of an I/O that is in flight. */
static unsigned int last_mark(const struct session *s, const struct blklat_io *io)
{
	const struct blklat_rq *rq = io->rq ? &s->skel->bss->rqs[io->rq - 1] : NULL;
	unsigned int last = MARK_Q;

	if (io->in_rq == RQ_APART && rq && rq->gen == io->rq_gen)
		return last_mark_of_rq(s, rq);
	for (unsigned int i = 0; i < NR_MARKS; i++)
		if (io->m[i])
			last = i;
	/* Marks H, and B of a batch, are set when the I/O is charged. */
	if (io->reap_ns && last < MARK_H)
		return MARK_H;
	return last == MARK_X && batch_was_rung(s, io->batch) ? MARK_B : last;
}

/* Return true if an I/O that was made for this one has not ended. */
static bool is_below(const struct session *s, uint32_t idx)
{
	const struct blklat_io *slots = s->skel->bss->slots, *io = &slots[idx];
	uint32_t next = io->child;

	for (uint32_t n = 0; next && n <= s->skel->bss->state.window; n++) {
		const struct blklat_io *child = &slots[next - 1];

		if (child->parent != idx + 1 || child->parent_gen != io->gen)
			return false;
		if (!(child->flags & IO_DONE_Z))
			return true;
		next = child->sibling;
	}
	return false;
}

void session_unfinished(const struct session *s, struct unfinished *v)
{
	const struct blklat_state *state = &s->skel->bss->state;
	size_t ndevs = session_ndevs(s);

	memset(v, 0, ndevs * sizeof(*v));
	account_hold(s->account);
	for (uint32_t i = 0; i <= state->window; i++) {
		const struct blklat_io *io = &s->skel->bss->slots[i];
		uint64_t begin = io->key ? begin_of(io) : 0;
		struct unfinished *u;

		/*
		 * Leave out an I/O that has ended and only waits until its submitter is told. Leave
		 * out pieces of split bios, too: their slots have a parent but are no children.
		 */
		if (!begin || io->over || io->flags & IO_DONE_Z || io->dev >= ndevs ||
		    io_is_piece(io))
			continue;
		u = &v[io->dev];
		u->n++;
		if (u->begin_ns && u->begin_ns <= begin)
			continue;
		u->begin_ns = begin;
		u->bytes = io->bytes;
		u->op = io->op;
		u->mark = last_mark(s, io);
		u->made_below = io->child;
		u->below = is_below(s, i);
	}
	account_release(s->account);
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

uint32_t session_steady_ios(const struct session *s)
{
	return (s->skel->rodata->cfg.last_slot + 1) / STEADY_PART;
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
