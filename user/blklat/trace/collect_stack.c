// SPDX-License-Identifier: GPL-2.0
/* Tell from the session of a trace what each device is in its stack. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "blklat/collect/links.h"
#include "blklat/trace/collect.h"
#include "core/units.h"

/* Return the times of a stage that the device itself has as a layer. */
static const struct hist *own_row(const struct result_dev *d, unsigned int stage)
{
	return &result_row_find(&d->rows, stage_name(ROW_OF_LAYER(0, stage)), "0")->hist;
}

static const struct hist *span_of(const struct result_dev *d, enum blklat_span span)
{
	return &d->spans.v[span - SPAN_TOTAL - 1].total;
}

static struct result_self self_of(const struct result_dev *d)
{
	const struct hist *submit = span_of(d, SPAN_SUBMIT_COST);
	const struct hist *complete = span_of(d, SPAN_COMPLETE_COST);

	return (struct result_self){
		.known = true,
		.submit = result_per_io(own_row(d, LAYER_SUBMIT)->sum, &d->total),
		.complete = result_per_io(own_row(d, LAYER_COMPLETE)->sum, &d->total),
		.unsplit = result_per_io(own_row(d, LAYER_WHOLE)->sum, &d->total),
		.tracing_known = submit->count || complete->count,
		.submit_tracing = result_per_io(submit->sum, &d->total),
		.complete_tracing = result_per_io(complete->sum, &d->total),
	};
}

static uint64_t edge_ios(const struct blklat_edge *e)
{
	uint64_t n = 0;

	for (unsigned int op = 0; op < NR_OPS; op++)
		n += e->op[op].ios;
	return n;
}

static uint64_t edge_critical(const struct blklat_edge *e)
{
	uint64_t n = 0;

	for (unsigned int op = 0; op < NR_OPS; op++)
		n += e->critical[op];
	return n;
}

/* Return the percentage of the critical children of @above that were on this device. */
static double critical_pct(const struct trace *t, size_t above, const struct blklat_edge *e)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < t->stack.ndevs; i++)
		sum += edge_critical(session_edge(t->session, above, i));
	return percent(edge_critical(e), sum);
}

static void leg_of(const struct trace *t, size_t above, size_t place, struct result_leg *leg)
{
	const struct blklat_edge *e = session_edge(t->session, above, place);
	const struct hist *total = &t->devs[place].total;

	*leg = (struct result_leg){
		.place = place,
		.linked = edge_ios(e),
		.critical = edge_critical(e),
		.share_pct = percent(edge_ios(e), t->devs[above].ledger.n[COUNT_CHILDREN]),
		.critical_pct = critical_pct(t, above, e),
		.ios = total->count,
		.mean_ns = hist_mean(total),
		.p99_ns = hist_percentile(total, 99),
		.edge = *e,
		.total = total,
	};
	for (unsigned int op = 0; op < NR_OPS; op++)
		leg->bytes += e->op[op].bytes;
	snprintf(leg->device, sizeof(leg->device), "%s", t->devs[place].name);
}

/*
 * Return the I/Os of a device that were made for no single I/O of a layer above: all of its I/Os,
 * less those that are linked to an I/O above.
 */
static struct blklat_flow own_flow(const struct trace *t, size_t index, unsigned int op)
{
	struct blklat_flow own = t->devs[index].ledger.op[op];

	for (size_t i = 0; i < t->stack.ndevs; i++) {
		const struct blklat_flow *made = &session_edge(t->session, i, index)->op[op];

		own.ios -= made->ios < own.ios ? made->ios : own.ios;
		own.bytes -= made->bytes < own.bytes ? made->bytes : own.bytes;
	}
	return own;
}

static size_t layers_above(const struct trace_stack *s, size_t index)
{
	size_t count = 0;

	for (size_t i = 0; i < s->ndevs; i++)
		count += s->below[i] >> index & 1;
	return count;
}

/*
 * Return all I/Os that a layer sent below: those for its own I/Os, and those that it made itself
 * (parity, resync, superblocks). The latter are only counted if no other layer can have sent
 * them.
 */
static struct blklat_flow flow_below(const struct trace *t, size_t index, unsigned int op)
{
	struct blklat_flow sum = { 0 };

	for (size_t i = 0; i < t->stack.ndevs; i++) {
		const struct blklat_edge *e = session_edge(t->session, index, i);
		struct blklat_flow own = { 0 };

		if (!(t->stack.below[index] & DEV_BIT(i)))
			continue;
		if (layers_above(&t->stack, i) == 1)
			own = own_flow(t, i, op);
		sum.ios += e->op[op].ios + own.ios;
		sum.bytes += e->op[op].bytes + own.bytes;
	}
	return sum;
}

/* Return true if a device below got an I/O that was made for no single I/O above. */
static bool own_below(const struct trace *t, size_t index)
{
	for (size_t i = 0; i < t->stack.ndevs; i++)
		if (t->stack.below[index] & DEV_BIT(i) &&
		    t->devs[i].ledger.n[COUNT_STARTED] > t->devs[i].ledger.n[COUNT_LINKED])
			return true;
	return false;
}

/*
 * Describe in words why I/Os are not split. If these and the I/Os with children are together more
 * than all completed I/Os, some I/O is not split although it has children: the ends of these were
 * missed.
 */
static void describe_unsplit(const struct trace *t, size_t index, struct result_dev *d)
{
	const __u64 *n = d->ledger.n;
	bool missed = d->unsplit + n[COUNT_PARENTS] > n[COUNT_COMPLETED];
	const size_t len = sizeof(d->why_unsplit);

	if (!d->unsplit)
		return;
	if (*d->shared)
		snprintf(d->why_unsplit, len, "I/Os that go through its %s share the I/O below",
			 d->shared);
	else if (!d->nlegs)
		snprintf(d->why_unsplit, len, "nothing lies below");
	else
		snprintf(d->why_unsplit, len, "%s%s", own_below(t, index) ?
			 "nothing that was sent below can be tied to them" :
			 "nothing was sent below for them",
			 missed ? ", or its end was missed" : "");
}

int collect_stack(const struct trace *t, size_t i)
{
	struct result_dev *d = &t->devs[i];

	d->legs = calloc(t->stack.ndevs, sizeof(*d->legs));
	d->own = calloc(BLKLAT_ENDS, sizeof(*d->own));
	if (!d->legs || !d->own)
		return -ENOMEM;
	for (size_t k = 0; k < t->stack.ndevs; k++)
		if (t->stack.below[i] & DEV_BIT(k))
			leg_of(t, i, k, &d->legs[d->nlegs++]);
	for (unsigned int op = 0; op < NR_OPS; op++)
		d->flow[op] = (struct result_flow){
			.got = d->ledger.op[op],
			.own = own_flow(t, i, op),
			.below = flow_below(t, i, op),
		};
	if (d->nlegs)
		d->self = self_of(d);
	d->nr_own = session_own_ends(t->session, i, d->own);
	links_name_ends(d->own, d->nr_own);
	d->unsplit = own_row(d, LAYER_WHOLE)->count;
	snprintf(d->kind, sizeof(d->kind), "%s", t->stack.kinds[i]);
	snprintf(d->shared, sizeof(d->shared), "%s", t->stack.shared[i] ?: "");
	describe_unsplit(t, i, d);
	return 0;
}
