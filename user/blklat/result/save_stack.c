// SPDX-License-Identifier: GPL-2.0
/* Write into a JSON document what a device is in its stack, its spans and the cost of tracing. */
#include "blklat/result/names.h"
#include "blklat/result/result.h"
#include "blklat/result/save.h"
#include "output/json.h"

/*
 * Members of the JSON object "leg op":
 * @op: string: ``read``, ``write``, ``flush`` or ``discard``.
 * @linked: integer: Number of I/Os of this kind that the device got from the layer.
 * @bytes: integer: Bytes of these I/Os.
 * @critical: integer: Number of these I/Os that were the critical child, the last one to end.
 */

/* Return the I/Os that a layer made on a leg, per kind, as JSON. */
static json_object *edge_json(const struct blklat_edge *e)
{
	json_object *list = json_object_new_array();

	for (unsigned int op = 0; op < NR_OPS; op++) {
		json_object *o;

		if (!e->op[op].ios)
			continue;
		o = json_object_new_object();
		json_str(o, "op", op_name(op));
		json_u64(o, "linked", e->op[op].ios);
		json_u64(o, "bytes", e->op[op].bytes);
		json_u64(o, "critical", e->critical[op]);
		json_object_array_add(list, o);
	}
	return list;
}

/*
 * Members of the JSON object "leg":
 * @device: string: Name of the device.
 * @linked: integer: Number of I/Os that the device got from the layer.
 * @share_pct: number: ``linked`` in per cent of the ``linked`` of all legs.
 * @bytes: integer: Bytes of the I/Os in ``linked``.
 * @critical: integer: Number of these I/Os that were the critical child, the last one to end.
 * @critical_pct: number: ``critical`` in per cent of the ``critical`` of all legs.
 * @ops[]: leg op: The same counts per kind of I/O, for the kinds that the device got.
 * @total: latency: Totals of all I/Os of the device, also of those that others made on it.
 */
json_object *result_legs_json(const struct result_dev *d)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < d->nlegs; i++) {
		const struct result_leg *leg = &d->legs[i];
		json_object *o = json_object_new_object();

		json_str(o, "device", leg->device);
		json_u64(o, "linked", leg->linked);
		json_real(o, "share_pct", leg->share_pct);
		json_u64(o, "bytes", leg->bytes);
		json_u64(o, "critical", leg->critical);
		json_real(o, "critical_pct", leg->critical_pct);
		json_object_object_add(o, "ops", edge_json(&leg->edge));
		json_object_object_add(o, "total", report_latency(NULL, leg->total));
		json_object_array_add(list, o);
	}
	return list;
}

/*
 * Members of the JSON object "span":
 * @span: string: ``Q2G``, ``G2I``, ``I2D``, ``D2C``, ``Q2C``, ``submit tracing``, ``complete
 *	tracing``, ``alloc tracing``, ``deliver tracing``.
 * @*: latency: The members of a latency object: the times of the span.
 */
static json_object *spans_json(const struct result_groups *spans)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < spans->n; i++) {
		json_object *o = json_object_new_object();

		json_str(o, "span", spans->v[i].name);
		report_latency(o, &spans->v[i].total);
		json_object_array_add(list, o);
	}
	return list;
}

/*
 * Members of the JSON object "unsplit":
 * @count: integer: Number of these I/Os.
 * @why: string or null: Reason why these I/Os could not be split. null if there are none.
 */
static json_object *unsplit_json(const struct result_dev *d)
{
	json_object *o = json_object_new_object();

	json_u64(o, "count", d->unsplit);
	json_str(o, "why", *d->why_unsplit ? d->why_unsplit : NULL);
	return o;
}

/*
 * Members of the JSON object "own":
 * @count: integer: Number of I/Os that this function ended.
 * @what: string or null: Purpose of such I/O: ``superblock``, ``stripe cache``, ``resync``... null
 *	if the purpose is not known: then single I/Os above may have waited for the I/O.
 * @end_io: string: Name of the function that ended these I/Os.
 * @module: string or null: Module that has the function, null for the kernel itself.
 */
static json_object *own_json(const struct result_dev *d)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < d->nr_own; i++) {
		const struct own_end *own = &d->own[i];
		json_object *o = json_object_new_object();

		json_u64(o, "count", own->count);
		json_str(o, "what", *own->what ? own->what : NULL);
		json_str(o, "end_io", own->name);
		json_str(o, "module", *own->module ? own->module : NULL);
		json_object_array_add(list, o);
	}
	return list;
}

/*
 * Members of the JSON object "flow":
 * @op: string: ``read``, ``write``, ``flush`` or ``discard``.
 * @count: integer: Number of I/Os that the device got, including lost ones.
 * @bytes: integer: Bytes of these I/Os.
 * @own: integer: Number of these I/Os that were made for no single I/O of a traced layer above. For
 *	a device at the top, these are all of its I/Os. Below a layer, they are parity, superblocks,
 *	resync or I/O of other users.
 * @own_bytes: integer: Bytes of the I/Os in ``own``.
 * @below: integer: Number of I/Os that the device sent to the devices directly below. A device
 *	below that no other layer uses counts with its ``own`` I/Os, too.
 * @below_bytes: integer: Bytes of these I/Os. Divided by ``bytes``, this is the amplification.
 */
static json_object *flow_json(const struct result_dev *d)
{
	json_object *list = json_object_new_array();

	for (unsigned int op = 0; op < NR_OPS; op++) {
		const struct result_flow *flow = &d->flow[op];
		json_object *o;

		if (!flow->got.ios && !flow->below.ios)
			continue;
		o = json_object_new_object();
		json_str(o, "op", op_name(op));
		json_u64(o, "count", flow->got.ios);
		json_u64(o, "bytes", flow->got.bytes);
		json_u64(o, "own", flow->own.ios);
		json_u64(o, "own_bytes", flow->own.bytes);
		json_u64(o, "below", flow->below.ios);
		json_u64(o, "below_bytes", flow->below.bytes);
		json_object_array_add(list, o);
	}
	return list;
}

/*
 * Members of the JSON object "self":
 * @submit_ns: number: Mean time per I/O in stage ``layer submit``.
 * @complete_ns: number: Mean time per I/O in stage ``layer complete``.
 * @unsplit_ns: number: Mean time per I/O in stage ``layer+below``, which has the time below, too.
 * @tracing_ns: number, optional: The part of ``submit_ns`` and ``complete_ns`` that blklat's own
 *	programs took, as far as it is known: see stage-model.rst. Absent if it is not known, and
 *	with ``--no-cost``.
 * @net_ns: number, optional: ``submit_ns`` + ``complete_ns`` - ``tracing_ns``. Absent if
 *	``tracing_ns`` is absent.
 * @net_submit_ns: number, optional: ``submit_ns`` less the part of it that tracing took.
 * @net_complete_ns: number, optional: ``complete_ns`` less the part of it that tracing took.
 */
static json_object *self_json(const struct result_self *s)
{
	double tracing = s->submit_tracing + s->complete_tracing;
	json_object *o = json_object_new_object();

	json_real(o, "submit_ns", s->submit);
	json_real(o, "complete_ns", s->complete);
	json_real(o, "unsplit_ns", s->unsplit);
	if (!s->tracing_known)
		return o;
	json_real(o, "tracing_ns", tracing);
	json_real(o, "net_ns", s->submit + s->complete - tracing);
	json_real(o, "net_submit_ns", s->submit - s->submit_tracing);
	json_real(o, "net_complete_ns", s->complete - s->complete_tracing);
	return o;
}

/*
 * Members of the JSON object "trace cost":
 * @bpf_ns_per_io: number, optional: Run time of all BPF programs divided by the completed I/Os of
 *	all devices. If no layer is traced, it is measured only in samples, about a twentieth of the
 *	time. Absent with ``--no-cost``, and if no I/O completed while it was measured.
 * @programs: integer: Number of programs that were attached.
 * @runs: integer: Number of program runs. If a layer is traced, all runs are counted except those
 *	in which the task was preempted. Otherwise the number is estimated from the samples. 0 with
 *	``--no-cost``.
 * @events_missed: integer: Events that a program did not see, because it would have interrupted or
 *	preempted itself, see limits.rst. Where a second program sees the same events, this is an
 *	upper limit.
 * @attach_ns: integer: Time to load and attach the programs.
 * @user_ns_per_io: number, optional: CPU time that blklat took to make samples of an I/O, in user
 *	space. Absent when no I/O was completed.
 */
static json_object *cost_json(const struct trace_cost *c)
{
	json_object *o = json_object_new_object();

	if (c->per_io_ns >= 0)
		json_real(o, "bpf_ns_per_io", c->per_io_ns);
	json_u64(o, "programs", c->programs);
	json_u64(o, "runs", c->runs);
	json_u64(o, "events_missed", c->misses);
	json_u64(o, "attach_ns", c->attach_ns);
	if (c->user_per_io_ns >= 0)
		json_real(o, "user_ns_per_io", c->user_per_io_ns);
	return o;
}

void result_stack_json(json_object *o, const struct result_dev *d)
{
	if (*d->kind)
		json_str(o, "kind", d->kind);
	if (d->joined_ns)
		json_u64(o, "joined_ns", d->joined_ns);
	if (d->left_ns)
		json_u64(o, "left_ns", d->left_ns);
	json_object_object_add(o, "spans", spans_json(&d->spans));
	json_str(o, "shared", *d->shared ? d->shared : NULL);
	json_object_object_add(o, "unsplit", unsplit_json(d));
	json_object_object_add(o, "own", own_json(d));
	json_object_object_add(o, "flow", flow_json(d));
	if (d->self.known)
		json_object_object_add(o, "self", self_json(&d->self));
	json_object_object_add(o, "cost", cost_json(&d->cost));
}
