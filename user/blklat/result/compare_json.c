// SPDX-License-Identifier: GPL-2.0
/* Make JSON of comparisons. */
#include <math.h>
#include "report/report.h"
#include "blklat/result/compare_stats.h"
#include "blklat/result/verdict.h"

const char *const compare_keys[NR_COMPARE] = {
	[COMPARE_IOPS] = "iops",
	[COMPARE_CPU] = "cpu_ns_per_io",
	[COMPARE_MEAN] = "mean_ns",
	[COMPARE_P50] = "p50_ns",
	[COMPARE_P90] = "p90_ns",
	[COMPARE_P99] = "p99_ns",
	[COMPARE_P999] = "p99.9_ns",
	[COMPARE_NET] = "net_ns",
};

static void diff_json(json_object *o, const struct compare_value *v, double of, bool corrected)
{
	json_real(o, "difference", v->diff.estimate);
	if (of > 0)
		json_real(o, "percent", 100 * v->diff.estimate / of);
	if (!v->diff.interval)
		return;
	json_real(o, "low", v->diff.low);
	json_real(o, "high", v->diff.high);
	json_real(o, "p", v->diff.p);
	if (corrected)
		json_real(o, "p_corrected", v->p);
	json_flag(o, "significant", v->significant);
}

/*
 * Members of the JSON object "figure":
 * @value: number: Mean of the samples.
 * @samples: integer: How many.
 * @bucket: number, optional: For percentiles: the true value may be lower by up to this much,
 *	because a bucket has a width.
 * @difference: number, optional: To the baseline, or in a verdict to the device ``than``, from the
 *	mean of the rounds that both have. Absent for the baseline, and where either does not have
 *	the figure.
 * @percent: number, optional: The same in per cent of the baseline's value.
 * @low: number, optional: Lower end of the interval that has the difference with ``confidence``; of
 *	percentiles it is wider by ``bucket``. Absent when there are less than 3 rounds.
 * @high: number, optional: Its upper end.
 * @p: number, optional: The p-value of Student's t test: how likely it is that chance alone makes a
 *	difference of at least this size.
 * @p_corrected: number, optional: Of stages: the same after Holm's correction over all their
 *	figures.
 * @significant: boolean, optional: 0 is not in the interval; and of stages, ``p_corrected`` is at
 *	most 1 - ``confidence``.
 */
static void figure_json(json_object *o, enum compare_what what, const struct compare_value *v,
			double of, bool corrected)
{
	json_object *at;

	if (!isfinite(v->value))
		return;
	at = json_object_new_object();
	json_real(at, "value", v->value);
	json_u64(at, "samples", v->n);
	if (v->below > 0)
		json_real(at, "bucket", v->below);
	if (v->has_diff)
		diff_json(at, v, of, corrected);
	json_object_object_add(o, compare_keys[what], at);
}

static json_object *values_json(const struct comparison *c, size_t row, size_t dev)
{
	struct compare_value (*v)[NR_COMPARE] = c->rows[row].v;
	json_object *o = json_object_new_object();

	for (int w = 0; w < NR_COMPARE; w++)
		if (row == COMPARE_HEAD ? w != COMPARE_NET : row != COMPARE_TOTAL ||
		    w >= COMPARE_MEAN)
			figure_json(o, w, &v[dev][w], v[c->baseline][w].value,
				    row >= COMPARE_STAGES);
	return o;
}

/*
 * Members of the JSON object "compared device":
 * @name: string: Name in the kernel.
 * @label: string: As it was named.
 * @baseline: boolean: It is the baseline.
 * @values: map of figure: Of the samples without tracing, as far as there are any.
 * @traced: map of figure: Of those with tracing. ``mean_ns`` is the sum of the stages, and so is
 *	``net_ns``.
 * @stages[]: compared stage: The same stages for all devices, in the order of an I/O.
 */

/*
 * Members of the JSON object "compared stage":
 * @stage: string: Name of the stage.
 * @group: string: Its group.
 * @layer: string: ``leaf``, or how deep the layer lies: ``0``...
 * @values: map of figure: ``mean_ns`` and ``net_ns`` are per I/O of the device, 0 where it does not
 *	have the stage; percentiles are of the I/Os that have it.
 */
static json_object *device_json(const struct comparison *c, size_t dev)
{
	json_object *o = json_object_new_object(), *stages = json_object_new_array();

	json_str(o, "name", c->devs[dev]->name);
	json_str(o, "label", c->devs[dev]->label);
	json_flag(o, "baseline", dev == c->baseline);
	json_object_object_add(o, "values", values_json(c, COMPARE_HEAD, dev));
	json_object_object_add(o, "traced", values_json(c, COMPARE_TOTAL, dev));
	for (size_t r = COMPARE_STAGES; r < c->nrows; r++) {
		json_object *s = json_object_new_object();

		json_str(s, "stage", c->rows[r].stage);
		json_str(s, "group", c->rows[r].group);
		json_str(s, "layer", c->rows[r].layer);
		json_object_object_add(s, "values", values_json(c, r, dev));
		json_object_array_add(stages, s);
	}
	json_object_object_add(o, "stages", stages);
	return o;
}

/*
 * Members of the JSON object "verdict stage":
 * @stage: string: Name of the stage.
 * @group: string: Its group.
 * @layer: string: ``leaf``, or how deep the layer lies: ``0``...
 * @values: map of figure: ``net_ns`` of ``device``, with the difference to ``than``.
 */
static json_object *verdict_stage_json(const struct comparison *c, const struct verdict *v,
				       size_t where, const struct compare_value *value)
{
	json_object *o = json_object_new_object(), *values = json_object_new_object();
	const struct compare_row *row = &c->rows[where];

	json_str(o, "stage", row->stage);
	json_str(o, "group", row->group);
	json_str(o, "layer", row->layer);
	figure_json(values, COMPARE_NET, value, row->v[v->less][COMPARE_NET].value, true);
	json_object_object_add(o, "values", values);
	return o;
}

/*
 * Members of the JSON object "verdict":
 * @text: string: The verdict as sentences.
 * @device: string: Label of the device with the higher mean latency.
 * @than: string: Label of the other one.
 * @values: map of figure: ``mean_ns``, ``p99_ns`` and ``cpu_ns_per_io`` of ``device``, with the
 *	difference to ``than``.
 * @stages[]: verdict stage: The stages that make the most of the difference, at most 3, the largest
 *	first.
 * @unsure: verdict stage, optional: A stage that may make a larger part of the difference than
 *	``stages``, but is not known to differ.
 */
static json_object *verdicts_json(const struct comparison *c)
{
	json_object *list = json_object_new_array();
	char text[VERDICT_LEN];

	for (size_t i = 0; i < c->nverdicts; i++) {
		const struct verdict *v = &c->verdicts[i];
		const struct compare_value *less = c->rows[COMPARE_HEAD].v[v->less];
		json_object *o = json_object_new_object(), *values = json_object_new_object();
		json_object *stages = json_object_new_array();

		json_str(o, "text", verdict_text(text, sizeof(text), c, v));
		json_str(o, "device", c->devs[v->more]->label);
		json_str(o, "than", c->devs[v->less]->label);
		figure_json(values, COMPARE_MEAN, &v->mean, less[COMPARE_MEAN].value, false);
		figure_json(values, COMPARE_P99, &v->p99, less[COMPARE_P99].value, false);
		figure_json(values, COMPARE_CPU, &v->cpu, less[COMPARE_CPU].value, false);
		json_object_object_add(o, "values", values);
		for (size_t k = 0; k < v->nstages; k++)
			json_object_array_add(stages, verdict_stage_json(c, v, v->where[k],
									 &v->stage[k]));
		json_object_object_add(o, "stages", stages);
		if (v->unsure)
			json_object_object_add(o, "unsure",
					       verdict_stage_json(c, v, v->unsure, &v->unsure_v));
		json_object_array_add(list, o);
	}
	return list;
}

/*
 * Members of the JSON object "comparison":
 * @baseline: string: Label of the device that the others are compared with.
 * @confidence: number: Of the intervals: 0.95.
 * @resamples: integer: Of the bootstrap.
 * @seed: integer: Of the resamples: the same makes the same intervals.
 * @paired: boolean: Samples of the same round were compared with each other, as in blklat compare.
 *	Else each device has samples of its own.
 * @rates_traced: boolean: ``iops`` and ``cpu_ns_per_io`` of ``values`` are of samples with tracing.
 * @latency_traced: boolean: The other figures of ``values`` are of samples with tracing.
 * @verdict[]: verdict: What two devices differ in, for each pair of devices. The pairs with the
 *	baseline come first.
 * @icicles[]: icicle, optional: With ``blklat diff --icicle``: how the time is nested in the
 *	layers.
 * @differs[]: difference, optional: Between files: what is not the same in all of them.
 * @devices[]: compared device: The devices compared, the baseline too.
 *
 * Differences are to the baseline. Each member of the maps ``values``, ``traced`` and
 * ``stages[].values`` is a figure. All three have ``mean_ns``, ``p50_ns``, ``p99_ns`` and
 * ``p99.9_ns``. Only ``values`` has ``iops`` and ``cpu_ns_per_io``. Only ``traced`` and
 * ``stages[].values`` have ``net_ns``. Only ``values`` and ``traced`` have ``p90_ns``. ``net_ns``
 * is ``mean_ns`` less the part of it that tracing itself took, as far as that is measured: in the
 * stages of layers.
 */
json_object *comparison_json(const struct comparison *c)
{
	json_object *o = json_object_new_object(), *list = json_object_new_array();

	json_str(o, "baseline", c->devs[c->baseline]->label);
	json_real(o, "confidence", c->confidence);
	json_u64(o, "resamples", BOOT_RESAMPLES);
	json_u64(o, "seed", c->seed);
	json_flag(o, "paired", c->paired);
	json_flag(o, "rates_traced", c->traced[COMPARE_IOPS]);
	json_flag(o, "latency_traced", c->traced[COMPARE_MEAN]);
	json_object_object_add(o, "verdict", verdicts_json(c));
	for (size_t i = 0; i < c->ndevs; i++)
		json_object_array_add(list, device_json(c, i));
	json_object_object_add(o, "devices", list);
	return o;
}
