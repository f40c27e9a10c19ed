// SPDX-License-Identifier: GPL-2.0
/* Make JSON of comparisons. */
#include <math.h>
#include "blklat/result/compare_stats.h"
#include "blklat/result/verdict.h"
#include "output/json.h"

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
 * @samples: integer: Number of samples.
 * @bucket: number, optional: Only for percentiles: the true value may be lower by up to this much,
 *	because a bucket of the histogram has a width.
 * @difference: number, optional: Difference to the baseline, or in a verdict to the device
 *	``than``, from the mean of the rounds that both devices have. Absent for the baseline, and
 *	if one of the two devices does not have the figure.
 * @percent: number, optional: ``difference`` in per cent of the value that it is the difference to.
 * @low: number, optional: Lower end of the confidence interval of ``difference``. For percentiles,
 *	the interval is wider by ``bucket``. Absent if there are fewer than 3 rounds.
 * @high: number, optional: Upper end of the confidence interval.
 * @p: number, optional: The p-value of Student's t test: how likely it is that chance alone makes a
 *	difference of at least this size.
 * @p_corrected: number, optional: Only for stages: ``p`` after Holm's correction over the figures
 *	of all stages.
 * @significant: boolean, optional: True if 0 is not in the confidence interval and, for stages,
 *	``p_corrected`` is at most 1 - ``confidence``.
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
 * @name: string: Name of the device in the kernel.
 * @label: string: Label of the device: the name that the user gave to it. ``blklat diff`` puts the
 *	name of the file before it, or in its place.
 * @baseline: boolean: True if this device is the baseline.
 * @values: map of figure: Figures of the samples without tracing, as far as there are any.
 * @traced: map of figure: Figures of the samples with tracing. ``mean_ns`` is the sum of that of
 *	the stages, and so is ``net_ns``.
 * @stages[]: compared stage: The same stages for all devices, in the order of an I/O, ``think``
 *	first.
 */

/*
 * Members of the JSON object "compared stage":
 * @stage: string: Name of the stage.
 * @group: string: Group of the stage.
 * @layer: string: ``leaf``, or depth of the stage's layer: ``0``...
 * @values: map of figure: Figures of the stage. ``mean_ns`` and ``net_ns`` are per I/O of the
 *	device; they are 0 if the device does not have the stage. Percentiles are over the I/Os that
 *	have the stage.
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
 * @group: string: Group of the stage.
 * @layer: string: ``leaf``, or depth of the stage's layer: ``0``...
 * @values: map of figure: ``net_ns`` of the stage on ``device``, with the difference to ``than``.
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
 * @than: string: Label of the other device.
 * @values: map of figure: ``mean_ns``, ``p99_ns`` and ``cpu_ns_per_io`` of ``device``, with the
 *	difference to ``than``.
 * @stages[]: verdict stage: The stages that make most of the difference: at most 3, the one with
 *	the largest part first.
 * @unsure: verdict stage, optional: A stage that may make a larger part of the difference than
 *	those in ``stages``, but is not known to differ.
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
 * @confidence: number: Confidence level of the intervals, 0.95 by default.
 * @resamples: integer: Number of resamples of the bootstrap that computes the intervals.
 * @seed: integer: Seed of the resamples: the same seed gives the same intervals.
 * @paired: boolean: True if samples of the same round were compared with each other, as in blklat
 *	compare. Otherwise each device has samples of its own.
 * @rates_traced: boolean: True if ``iops`` and ``cpu_ns_per_io`` of ``values`` are of samples with
 *	tracing.
 * @latency_traced: boolean: True if the other figures of ``values`` are of samples with tracing.
 * @verdict[]: verdict: One per pair of devices: what the two differ in. The pairs with the baseline
 *	come first.
 * @icicles[]: icicle, optional: With ``blklat diff --icicle``: how the time of an I/O is nested in
 *	the layers.
 * @differs[]: difference, optional: Only for a comparison of files: one per property that is not
 *	the same in all of them.
 * @devices[]: compared device: One per compared device, including the baseline.
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
