// SPDX-License-Identifier: GPL-2.0
/* Make the ledger of a device from what programs and user space count; count missed events. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>
#include <sys/sysmacros.h>
#include "blklat/collect/session_parts.h"

/*
 * Add two edges to the counters of a device. @up counts the I/Os that another device made on this
 * one, @down counts the I/Os that this device made on the other one.
 */
static void sum_edges(const struct blklat_edge *up, const struct blklat_edge *down,
		      struct blklat_ledger *l)
{
	for (unsigned int op = 0; op < NR_OPS; op++) {
		l->n[COUNT_LINKED] += up->op[op].ios;
		l->n[COUNT_CRITICAL] += up->critical[op];
		l->n[COUNT_CHILDREN] += down->op[op].ios;
		l->n[COUNT_CHILD_BYTES] += down->op[op].bytes;
	}
}

/* Sum up the counters of a device, with those that the programs leave to user space. */
static void sum_ledger(const struct session *s, unsigned int dev, struct blklat_ledger *l)
{
	uint64_t completed, sum, over;

	account_now(s->account);
	/*
	 * Read this before the counter of the started I/Os, so that no more I/Os have completed
	 * than started.
	 */
	session_sum(s, dev, NR_OPS, ROW_OF_SPAN(SPAN_TOTAL), &completed, &sum);
	*l = s->skel->bss->ledgers[dev];
	account_ledger(s->account, dev, l);
	l->n[COUNT_COMPLETED] = completed;
	l->n[COUNT_RQ_ISSUED] += l->n[COUNT_RQ_READS] + l->n[COUNT_RQ_WRITES] +
				 l->n[COUNT_RQ_DISCARDS] + l->n[COUNT_RQ_FLUSHES];
	/* A request may complete while the counters are read, and make this negative. */
	if ((__s64)l->n[COUNT_RQ_ISSUED] < 0)
		l->n[COUNT_RQ_ISSUED] = 0;
	for (unsigned int op = 0; op < NR_OPS; op++)
		l->n[COUNT_BYTES] += l->op[op].bytes;
	for (unsigned int d = 0; s->skel->rodata->cfg.stack && d < s->max_devs; d++)
		sum_edges(session_edge(s, d, dev), session_edge(s, dev, d), l);
	/* An I/O that has ended and is not charged yet counts as in flight. */
	over = completed + l->n[COUNT_LOST_FULL] + l->n[COUNT_LOST_END] + l->n[COUNT_LOST_QUEUE];
	l->n[COUNT_INFLIGHT] = l->n[COUNT_STARTED] > over ? l->n[COUNT_STARTED] - over : 0;
}

uint64_t session_counted(const struct session *s, enum blklat_counter c)
{
	struct blklat_ledger l;
	uint64_t n = 0;

	for (unsigned int d = 0; d < s->max_devs; d++) {
		sum_ledger(s, d, &l);
		n += l.n[c];
	}
	return n;
}

/*
 * Return the number of I/Os of a device that are in flight, UINT64_MAX if the kernel does not
 * tell. The kernel does not count the I/Os that wait in a suspended dm device, nor those of some
 * md levels in 6.1.
 */
static uint64_t under_way(dev_t dev)
{
	uint64_t reads_writes[2];
	char dir[64];

	snprintf(dir, sizeof(dir), "/sys/dev/block/%u:%u", major(dev), minor(dev));
	if (!sys_num(dir, "queue/iostats") || sys_nums(dir, "inflight", reads_writes, 2) != 2)
		return UINT64_MAX;
	return reads_writes[0] + reads_writes[1];
}

/* Return true if the programs cannot tell a start before the trace from a missed start. */
static bool hides_lost(const struct blklat_dev_cfg *d)
{
	return d->layer && !d->requests && !(d->flags & DEV_JOINED);
}

/*
 * The trace has begun already. So an I/O that was in flight when it began is either still in
 * flight, or has ended since then and was counted in COUNT_BEFORE: add up both.
 */
void session_note_under_way(struct session *s)
{
	for (size_t i = 0; i < s->ndevs; i++) {
		uint64_t n;

		if (!hides_lost(&s->skel->bss->state.devs[i]))
			continue;
		n = under_way(session_dev(s, i));
		if (n != UINT64_MAX)
			n += __atomic_load_n(&s->skel->bss->ledgers[i].n[COUNT_BEFORE],
					     __ATOMIC_SEQ_CST);
		s->unseen[i].under_way = n;
	}
}

/*
 * Some I/Os of a layer ended, and no program saw them start. Divide these into lost I/Os and I/Os
 * that began before the trace:
 *
 * - No more of them began before the trace than were in flight at that time. The others are lost.
 * - Each lost I/O needs a missed event of its own. So no more are lost than events were missed,
 *   less the events by which other devices lost I/Os.
 *
 * Both results are counters, so they must never become smaller.
 */
static void tell_lost_from_before(const struct session *s, unsigned int dev,
				  struct blklat_ledger *l)
{
	struct unseen_starts *u = &s->unseen[dev];
	uint64_t ended = l->n[COUNT_BEFORE], missed, lost;

	if (!hides_lost(&s->skel->bss->state.devs[dev]) || ended <= u->under_way)
		return;
	missed = session_missed(s);
	for (size_t i = 0; i < s->ndevs; i++)
		if (i != dev)
			missed -= missed < s->unseen[i].lost ? missed : s->unseen[i].lost;
	lost = ended - u->under_way;
	if (lost > missed)
		lost = missed;
	if (lost < u->lost)
		lost = u->lost;
	if (u->before < ended - lost)
		u->before = ended - lost;
	u->lost = ended - u->before;
	l->n[COUNT_BEFORE] -= u->lost;
	l->n[COUNT_STARTED] += u->lost;
	l->n[COUNT_LOST_QUEUE] += u->lost;
}

void session_ledger(const struct session *s, unsigned int dev, struct blklat_ledger *l)
{
	sum_ledger(s, dev, l);
	tell_lost_from_before(s, dev, l);
}

const struct blklat_edge *session_edge(const struct session *s, unsigned int above,
				       unsigned int below)
{
	return account_edge(s->account, above, below);
}

/*
 * Return the number of events that the program of a hook did not see. If a second program does its
 * work again (hook.again), an event is missed only if the kernel skips both programs. So the
 * smaller number of skips is an upper limit. But when slots have run out, the second program does
 * nothing for a while, so each skip of the first program counts.
 */
static uint64_t missed_with_second(const struct session *s, const struct hook *h)
{
	uint64_t misses = session_prog_misses(s->progs[h - hooks]);

	if (session_counted(s, COUNT_LOST_FULL))
		return misses;
	for (size_t i = 0; i < nr_hooks; i++)
		if (hooks[i].again && !strcmp(hooks[i].again, h->prog) &&
		    s->status[i].state == HOOK_ATTACHED)
			return MIN(misses, s->status[i].skipped_before +
				   session_prog_misses(s->progs[i]));
	return misses;
}

uint64_t session_missed(const struct session *s)
{
	uint64_t n = 0;

	for (size_t i = 0; i < nr_hooks; i++)
		if (s->status[i].state == HOOK_ATTACHED && !hooks[i].again)
			n += missed_with_second(s, &hooks[i]);
	return n;
}
