// SPDX-License-Identifier: GPL-2.0
/* Put the breakdowns of a trace into JSON. */
#include "blklat/result/breakdown.h"
#include "blklat/result/names.h"
#include "report/report.h"

/*
 * Members of the JSON object "span":
 * @span: string: ``Q2G``, ``G2I``, ``I2D``, ``D2C``, ``Q2C``, ``submit tracing``, ``complete
 *	tracing``, ``alloc tracing``, ``deliver tracing``.
 * @*: latency: The members of a latency object: the times of the span.
 */
static json_object *spans_json(const struct hist *rows)
{
	json_object *list = json_object_new_array();

	for (unsigned int s = SPAN_TOTAL + 1; s < NR_SPANS; s++) {
		json_object *o = json_object_new_object();

		json_str(o, "span", span_name(s));
		report_latency(o, &rows[ROW_OF_SPAN(s)]);
		json_object_array_add(list, o);
	}
	return list;
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

/*
 * Members of the JSON object "device":
 * @name: string: Name of the device in the kernel.
 * @facts: facts: Properties of the device.
 * @label: string, optional: In a result file: name that the user gave to the device.
 * @scenario: string, optional: In a result file of ``compare --scenario``: name of the load, with
 *	which ``label`` begins.
 * @top: boolean, optional: In a result file: true if the user asked for the device, false if it was
 *	only found below such a device.
 * @samples[]: sample, optional: In a result file: the intervals of a recording. Only devices that
 *	the user named have stages in their samples.
 * @elapsed_ns: integer: How long the device was traced: the length of the trace, less
 *	``joined_ns``.
 * @joined_ns: integer, optional: Time from the start of the trace until the device became a part of
 *	the stack. Absent if it was a part from the start.
 * @left_ns: integer, optional: Time from the start of the trace until the device ceased to be a
 *	part of the stack. The results until then are kept.
 * @total: latency: Totals of all I/Os, see stage-model.rst. In a comparison, these are all I/Os of
 *	the traces that have the device, also those made for a device above it. ``samples[]`` has
 *	only the I/Os of the device's own turns.
 * @stages[]: stage: One per stage that occurred, and ``unattributed`` always. See stage-model.rst.
 * @spans[]: span: Gaps of btt, and the time that tracing took in some stages. They overlap the
 *	stages, see stage-model.rst.
 * @ops[]: op: One per kind of I/O that occurred.
 * @by: groups, optional: With ``--by``, only for a device that was named: its I/Os in groups,
 *	without those that a device above made.
 * @tail[]: tail: The slowest I/Os: one entry each for p50, p90, p99 and p99.9.
 * @shared: string or null: Resource below that many I/Os of the device share, so that they cannot
 *	be told apart there: ``stripe cache``. null if there is none.
 * @unsplit: unsplit: For a layer: the I/Os whose time is one stage with the time of all devices
 *	below, ``layer+below``.
 * @own[]: own: I/Os that were sent to the device for no single I/O above. There is one entry for
 *	each function that ended such I/Os, at most 8, the most frequent first. Empty for a device
 *	that was named.
 * @flow[]: flow: One per kind of I/O that the device got or sent below.
 * @self: self, optional: Mean time per I/O that a layer itself took. Absent for a disk.
 * @legs[]: leg: One per device directly below. Empty for a disk.
 * @unfinished: unfinished, optional: The I/Os that were in flight when the trace had ended, if
 *	there were any.
 * @ledger: map of integer: The counters of stage-tables.rst under their names; and ``lost``, the
 *	sum of ``lost_full``, ``lost_end`` and ``lost_queue``. ``started`` = ``completed`` +
 *	``inflight`` + ``lost``.
 * @cost: trace cost: Cost of tracing for all devices together, so it is the same for each device.
 */
json_object *breakdown_json(const struct breakdown *list, size_t n, size_t index)
{
	const struct breakdown *b = &list[index];
	struct result_dev d;
	json_object *o;

	o = breakdown_dev(list, n, index, &d) ? NULL : result_dev_json(&d, b->buckets);
	result_dev_free(&d);
	if (!o)
		return NULL;
	if (b->joined_ns)
		json_u64(o, "joined_ns", b->joined_ns);
	if (b->left_ns)
		json_u64(o, "left_ns", b->left_ns);
	json_object_object_add(o, "spans", spans_json(b->rows));
	json_str(o, "shared", b->shared);
	json_object_object_add(o, "unsplit", unsplit_json(list, n, index));
	json_object_object_add(o, "own", own_json(b));
	json_object_object_add(o, "flow", flow_json(list, n, index));
	if (b->below)
		json_object_object_add(o, "self", self_json(b));
	json_object_object_add(o, "cost", cost_json(&b->cost));
	return o;
}
