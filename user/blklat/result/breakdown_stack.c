// SPDX-License-Identifier: GPL-2.0
/* Tell from the breakdowns of a trace what each device is in its stack. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "blklat/result/breakdown.h"
#include "core/units.h"

static double per_io(const struct breakdown *b, uint64_t sum)
{
	uint64_t n = breakdown_total(b)->count;

	return n ? (double)sum / n : 0;
}

/* Return the mean time per I/O that the device itself, as a layer, spent in a stage. */
static double own_stage(const struct breakdown *b, unsigned int stage)
{
	return per_io(b, b->rows[ROW_OF_LAYER(0, stage)].sum);
}

static struct result_self self_of(const struct breakdown *b)
{
	const struct hist *submit = &b->rows[ROW_OF_SPAN(SPAN_SUBMIT_COST)];
	const struct hist *complete = &b->rows[ROW_OF_SPAN(SPAN_COMPLETE_COST)];

	if (!b->below)
		return (struct result_self){ 0 };
	return (struct result_self){
		.known = true,
		.submit = own_stage(b, LAYER_SUBMIT),
		.complete = own_stage(b, LAYER_COMPLETE),
		.unsplit = own_stage(b, LAYER_WHOLE),
		.tracing_known = submit->count || complete->count,
		.submit_tracing = per_io(b, submit->sum),
		.complete_tracing = per_io(b, complete->sum),
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
static double critical_pct(const struct breakdown *above, const struct blklat_edge *e)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < BLKLAT_MAX_DEVS; i++)
		sum += edge_critical(&above->edges[i]);
	return percent(edge_critical(e), sum);
}

static void leg_of(const struct breakdown *above, const struct breakdown *all, size_t place,
		   struct result_leg *leg)
{
	const struct blklat_edge *e = &above->edges[place];
	const struct hist *total = breakdown_total(&all[place]);

	*leg = (struct result_leg){
		.place = place,
		.linked = edge_ios(e),
		.critical = edge_critical(e),
		.share_pct = percent(edge_ios(e), above->ledger.n[COUNT_CHILDREN]),
		.critical_pct = critical_pct(above, e),
		.ios = total->count,
		.mean_ns = hist_mean(total),
		.p99_ns = hist_percentile(total, 99),
		.edge = *e,
		.total = total,
	};
	for (unsigned int op = 0; op < NR_OPS; op++)
		leg->bytes += e->op[op].bytes;
	snprintf(leg->device, sizeof(leg->device), "%s", all[place].dev->name);
}

/*
 * Return the I/Os of a device that were made for no single I/O of a layer above: all of its I/Os,
 * less those that are linked to an I/O above.
 */
static struct blklat_flow own_flow(const struct breakdown *b, size_t n, size_t index,
				   unsigned int op)
{
	struct blklat_flow own = b[index].ledger.op[op];

	for (size_t i = 0; i < n; i++) {
		const struct blklat_flow *made = &b[i].edges[index].op[op];

		own.ios -= made->ios < own.ios ? made->ios : own.ios;
		own.bytes -= made->bytes < own.bytes ? made->bytes : own.bytes;
	}
	return own;
}

static size_t layers_above(const struct breakdown *b, size_t n, size_t index)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += b[i].below >> index & 1;
	return count;
}

/*
 * Return all I/Os that a layer sent below: those for its own I/Os, and those that it made itself
 * (parity, resync, superblocks). The latter are only counted if no other layer can have sent
 * them.
 */
static struct blklat_flow flow_below(const struct breakdown *b, size_t n, size_t index,
				     unsigned int op)
{
	struct blklat_flow sum = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct blklat_flow own = { 0 };

		if (!(b[index].below >> i & 1))
			continue;
		if (layers_above(b, n, i) == 1)
			own = own_flow(b, n, i, op);
		sum.ios += b[index].edges[i].op[op].ios + own.ios;
		sum.bytes += b[index].edges[i].op[op].bytes + own.bytes;
	}
	return sum;
}

/* Return true if a device below got an I/O that was made for no single I/O above. */
static bool own_below(const struct breakdown *b, size_t n, size_t index)
{
	for (size_t i = 0; i < n; i++)
		if (b[index].below >> i & 1 &&
		    b[i].ledger.n[COUNT_STARTED] > b[i].ledger.n[COUNT_LINKED])
			return true;
	return false;
}

/*
 * Describe in words why I/Os are not split. If these and the I/Os with children are together more
 * than all completed I/Os, some I/O is not split although it has children: the ends of these were
 * missed.
 */
static void describe_unsplit(const struct breakdown *b, size_t n, size_t index,
			     struct result_dev *d)
{
	const struct breakdown *own = &b[index];
	bool missed = d->unsplit + own->ledger.n[COUNT_PARENTS] > own->ledger.n[COUNT_COMPLETED];
	const size_t len = sizeof(d->why_unsplit);

	if (!d->unsplit)
		return;
	if (own->shared)
		snprintf(d->why_unsplit, len, "I/Os that go through its %s share the I/O below",
			 own->shared);
	else if (!own->below)
		snprintf(d->why_unsplit, len, "nothing lies below");
	else
		snprintf(d->why_unsplit, len, "%s%s", own_below(b, n, index) ?
			 "nothing that was sent below can be tied to them" :
			 "nothing was sent below for them",
			 missed ? ", or its end was missed" : "");
}

static void name_own(const struct breakdown *b, struct result_dev *d)
{
	for (size_t i = 0; i < b->nends; i++) {
		const struct own_end *e = &b->ends[i];
		struct result_own *own = &d->own[d->nr_own++];

		own->count = e->count;
		snprintf(own->what, sizeof(own->what), "%s", e->what ?: "");
		snprintf(own->end_io, sizeof(own->end_io), "%s", e->name);
		snprintf(own->module, sizeof(own->module), "%s", e->module);
	}
}

int breakdown_stack(const struct breakdown *b, size_t n, size_t index, struct result_dev *d)
{
	const struct breakdown *own = &b[index];

	d->legs = calloc(n, sizeof(*d->legs));
	d->own = calloc(own->nends + 1, sizeof(*d->own));
	if (!d->legs || !d->own)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (own->below & DEV_BIT(i))
			leg_of(own, b, i, &d->legs[d->nlegs++]);
	for (unsigned int op = 0; op < NR_OPS; op++)
		d->flow[op] = (struct result_flow){
			.got = own->ledger.op[op],
			.own = own_flow(b, n, index, op),
			.below = flow_below(b, n, index, op),
		};
	d->self = self_of(own);
	d->unsplit = own->rows[ROW_OF_LAYER(0, LAYER_WHOLE)].count;
	snprintf(d->kind, sizeof(d->kind), "%s", own->kind ?: "");
	snprintf(d->shared, sizeof(d->shared), "%s", own->shared ?: "");
	name_own(own, d);
	describe_unsplit(b, n, index, d);
	return 0;
}
