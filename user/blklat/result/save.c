// SPDX-License-Identifier: GPL-2.0
/* Write results into JSON documents. */
#include <math.h>
#include <string.h>
#include <unistd.h>
#include "core/memory.h"
#include "core/units.h"
#include "device/device.h"
#include "blklat/result/names.h"
#include "blklat/result/result.h"
#include "blklat/result/save.h"
#include "output/facts.h"
#include "output/json.h"

/* Read the processor's name from the first "model name : ..."; each processor has such a line. */
static void cpu_model(char *buf, size_t len)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	char line[512], *colon;

	*buf = '\0';
	while (f && fgets(line, sizeof(line), f)) {
		if (strncmp(line, "model name", 10))
			continue;
		colon = strchr(line, ':');
		if (!colon)
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(buf, len, "%s", colon + 1 + strspn(colon + 1, " \t"));
		break;
	}
	if (f)
		fclose(f);
}

/*
 * Members of the JSON object "machine":
 * @name: string: Host name of the machine.
 * @product: string or null: Name of the product, as the firmware reports it.
 * @cpu: string or null: Model of the first processor.
 * @cpus: integer: Number of processors that are online.
 * @memory: integer: Size of the memory in bytes.
 * @clocksource: string or null: Clock of the kernel from which times are read.
 */
static json_object *machine_json(void)
{
	json_object *o = json_object_new_object();
	char text[256] = "";

	gethostname(text, sizeof(text) - 1);
	json_str(o, "name", text);
	cpu_model(text, sizeof(text));
	json_str(o, "cpu", *text ? text : NULL);
	json_u64(o, "cpus", sysconf(_SC_NPROCESSORS_ONLN));
	json_u64(o, "memory", machine_memory());
	sys_read("/sys/devices/system/clocksource/clocksource0", "current_clocksource", text,
		 sizeof(text));
	json_str(o, "clocksource", *text ? text : NULL);
	sys_read("/sys/class/dmi/id", "product_name", text, sizeof(text));
	json_str(o, "product", *text ? text : NULL);
	return o;
}

/*
 * Members of the JSON object "result":
 * @format: integer: Version of the format: 1. It rises when a program that knows only the older
 *	format would misread the file.
 * @kind: string: ``record`` or ``compare``.
 */
void result_head(json_object *doc, const char *kind)
{
	json_object *o = json_object_new_object();

	json_u64(o, "format", RESULT_FORMAT);
	json_str(o, "kind", kind);
	json_object_object_add(doc, "result", o);
	json_object_object_add(doc, "machine", machine_json());
}

static json_object *latency_json(json_object *o, const struct hist *h, bool buckets)
{
	o = report_latency(o, h);
	if (buckets)
		report_buckets(o, h);
	return o;
}

/*
 * Members of the JSON object "stage name":
 * @stage: string: Name of the stage.
 * @group: string: Group of the stage.
 * @layer: string: ``leaf``, or for the stages of a layer its depth: ``0`` is the traced device.
 * @device: string: Name of the device that has the stage. For a stage of a layer, the names of all
 *	devices at that depth.
 * @kind: string, optional: Kind of layer that the device is: ``dm-linear``. Absent for a disk.
 */
static void row_json(json_object *o, const struct result_row *row)
{
	json_str(o, "stage", row->stage);
	json_str(o, "group", row->group);
	json_str(o, "layer", row->layer);
	json_str(o, "device", row->device);
	if (*row->kind)
		json_str(o, "kind", row->kind);
}

/*
 * Members of the JSON object "stage":
 * @*: stage name: The members that name the stage.
 * @tracing_ns: integer, optional: The part of ``sum_ns`` that tracing itself took, as far as it is
 *	measured.
 * @*: latency: The members of a latency object: the stage's times, over the I/Os that have it.
 *	Divide ``sum_ns`` by ``total.count`` for means that add up.
 */

/* Leave out stages without I/O. Keep "unattributed", to show that it has no time. */
static json_object *rows_json(const struct result_rows *rows, bool buckets)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < rows->n; i++) {
		const struct result_row *row = &rows->v[i];
		json_object *o;

		if (!row->hist.count && strcmp(row->group, group_name(GROUP_UNATTRIBUTED)))
			continue;
		o = json_object_new_object();
		row_json(o, row);
		if (row->tracing_ns)
			json_u64(o, "tracing_ns", row->tracing_ns);
		json_object_array_add(list, latency_json(o, &row->hist, buckets));
	}
	return list;
}

/*
 * Members of the JSON object "group":
 * @name: string: Name of the group: ``read``, ``4KiB``, ``1234 fio``, ``fio``, ``/system.slice``.
 *	``(none)`` has the I/O of no cgroup, ``N (gone)`` is a cgroup that is gone. ``others`` is
 *	the last entry.
 * @id: integer, optional: Size in bytes, pid, or id of the control group. Absent for ``others``,
 *	and for groups by name or by kind of I/O.
 * @others: integer, optional: Only for ``others``: number of groups that it sums up. An entry
 *	without this member is one group. A device has at most 256 separate groups; all I/Os of
 *	further groups count as one group here.
 * @total: latency: Totals of the I/Os of this group.
 * @stages[]: stage: One per stage that these I/Os have.
 */

/*
 * Members of the JSON object "op":
 * @op: string: ``read``, ``write``, ``flush``, ``discard``.
 * @total: latency: Totals of the I/Os of this kind.
 * @stages[]: stage: One per stage that these I/Os have.
 */

/* Return the groups; the name of each is in member @key. */
static json_object *groups_json(const struct result_groups *groups, const char *key, bool buckets)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < groups->n; i++) {
		const struct result_group *g = &groups->v[i];
		json_object *o = json_object_new_object();

		json_str(o, key, g->name);
		if (g->has_id)
			json_u64(o, "id", g->id);
		if (g->others)
			json_u64(o, "others", g->others);
		json_object_object_add(o, "total", latency_json(NULL, &g->total, buckets));
		json_object_object_add(o, "stages", rows_json(&g->rows, buckets));
		json_object_array_add(list, o);
	}
	return list;
}

/*
 * Members of the JSON object "groups":
 * @key: string: Property by which the I/Os are grouped: ``op``, ``size``, ``pid``, ``comm``,
 *	``cgroup``.
 * @groups[]: group: The 20 groups with the largest sum of totals, the largest first; then
 *	``others``, the sum of all other groups.
 */
static json_object *by_json(const struct result_dev *d, bool buckets)
{
	json_object *o = json_object_new_object();

	json_str(o, "key", d->by_key);
	json_object_object_add(o, "groups", groups_json(&d->by, "name", buckets));
	return o;
}

/*
 * Members of the JSON object "tail":
 * @percentile: number: Percentile of the totals from which the entry counts I/Os: 50, 90, 99, 99.9.
 * @from_ns: integer: The I/Os that are counted have a total of at least this. It is at most 6 %
 *	below the percentile.
 * @count: integer: Number of these I/Os.
 * @sum_ns: integer: Sum of their totals.
 * @stages[]: tail stage: One per stage that took time in these I/Os.
 */

/*
 * Members of the JSON object "tail stage":
 * @*: stage name: The members that name the stage.
 * @sum_ns: integer: Time that the I/Os of the entry spent in the stage.
 * @share_pct: number: ``sum_ns`` in per cent of the ``sum_ns`` of all stages.
 */
static json_object *tails_json(const struct result_dev *d)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < d->ntails; i++) {
		const struct result_tail *t = &d->tails[i];
		json_object *o = json_object_new_object(), *stages = json_object_new_array();

		json_real(o, "percentile", t->pct);
		json_u64(o, "from_ns", t->from_ns);
		json_u64(o, "count", t->count);
		json_u64(o, "sum_ns", t->sum_ns);
		for (size_t r = 0; r < t->rows.n; r++) {
			json_object *st = json_object_new_object();

			row_json(st, &t->rows.v[r]);
			json_u64(st, "sum_ns", t->rows.v[r].hist.sum);
			json_real(st, "share_pct", percent(t->rows.v[r].hist.sum, t->sum_ns));
			json_object_array_add(stages, st);
		}
		json_object_object_add(o, "stages", stages);
		json_object_array_add(list, o);
	}
	return list;
}

static json_object *ledger_json(const struct result_dev *d)
{
	json_object *o = json_object_new_object();

	for (unsigned int c = 0; c < NR_COUNTERS; c++)
		json_u64(o, counter_name(c), d->ledger.n[c]);
	json_u64(o, "lost", ledger_lost(&d->ledger));
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
 * @kind: string, optional: What the device is as a layer, ``dm-linear`` or ``md raid1``; for a
 *	device that is no layer, ``partition`` or its driver. Absent if it is not known.
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
json_object *result_dev_json(const struct result_dev *d, bool buckets)
{
	json_object *o = json_object_new_object();

	json_str(o, "name", d->name);
	json_object_object_add(o, "facts", report_facts(&d->facts));
	json_u64(o, "elapsed_ns", d->elapsed_ns);
	json_object_object_add(o, "total", latency_json(NULL, &d->total, buckets));
	json_object_object_add(o, "stages", rows_json(&d->rows, buckets));
	json_object_object_add(o, "ops", groups_json(&d->ops, "op", buckets));
	if (d->by_key)
		json_object_object_add(o, "by", by_json(d, buckets));
	json_object_object_add(o, "tail", tails_json(d));
	json_object_object_add(o, "legs", result_legs_json(d));
	json_object_object_add(o, "ledger", ledger_json(d));
	result_stack_json(o, d);
	return o;
}

/*
 * Members of the JSON object "sample stage":
 * @stage: string: Name of the stage.
 * @layer: string: Layer of the stage. ``stages[]`` of the device has the same stage, with its group
 *	and its device.
 * @sum_ns: integer: Sum of the times of all I/Os that had the stage.
 * @tracing_ns: integer, optional: The part of ``sum_ns`` that tracing itself took, as far as it is
 *	measured.
 * @min_ns: integer: Shortest time: exact, or the edge of a bucket.
 * @max_ns: integer: Longest time: exact, or the edge of a bucket.
 * @buckets: array of array of integer: Distribution of the times, see json.rst.
 */

/* The stages of a sample have fewer members: the whole run says what a stage is. */
static json_object *sample_rows_json(const struct result_rows *rows)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < rows->n; i++) {
		json_object *o = json_object_new_object();

		json_str(o, "stage", rows->v[i].stage);
		json_str(o, "layer", rows->v[i].layer);
		json_u64(o, "sum_ns", rows->v[i].hist.sum);
		if (rows->v[i].tracing_ns)
			json_u64(o, "tracing_ns", rows->v[i].tracing_ns);
		json_u64(o, "min_ns", rows->v[i].hist.min);
		json_u64(o, "max_ns", rows->v[i].hist.max);
		report_buckets(o, &rows->v[i].hist);
		json_object_array_add(list, o);
	}
	return list;
}

/*
 * Members of the JSON object "sample":
 * @round: integer: Number of the interval, or in a comparison number of the round.
 * @traced: boolean: False for the turns of a comparison that were not traced.
 * @at_ns: integer: Time from the start of the run to the begin of the sample.
 * @elapsed_ns: integer: Length of the sample.
 * @ios: integer: Number of I/Os that ended in the sample.
 * @bytes: integer: Bytes of the I/Os that ended in the sample. The last sample also has the bytes
 *	of the I/Os in flight at the end.
 * @cpu_ns_per_io: number, optional: CPU time per I/O, in a comparison.
 * @total: latency: Totals of the I/Os that ended in the sample, with ``buckets``. In a turn that
 *	was not traced, the latency that the load measured.
 * @stages[]: sample stage: One per stage that occurred in the sample.
 */
static json_object *sample_json(const struct result_sample *s)
{
	json_object *o = json_object_new_object(), *total = report_latency(NULL, &s->total);

	json_u64(o, "round", s->round);
	json_flag(o, "traced", s->traced);
	json_u64(o, "at_ns", s->at_ns);
	json_u64(o, "elapsed_ns", s->elapsed_ns);
	json_u64(o, "ios", s->ios);
	json_u64(o, "bytes", s->bytes);
	if (!isnan(s->cpu_ns))
		json_real(o, "cpu_ns_per_io", s->cpu_ns);
	report_buckets(total, &s->total);
	json_object_object_add(o, "total", total);
	json_object_object_add(o, "stages", sample_rows_json(&s->rows));
	return o;
}

void result_samples_json(json_object *o, const struct result_dev *d)
{
	json_object *list = json_object_new_array();

	json_str(o, "label", d->label);
	json_flag(o, "top", d->top);
	for (size_t i = 0; i < d->nsamples; i++)
		json_object_array_add(list, sample_json(&d->samples[i]));
	json_object_object_add(o, "samples", list);
}
