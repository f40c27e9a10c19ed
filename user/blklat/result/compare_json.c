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

void compare_figure_json(json_object *o, enum compare_what what, const struct compare_value *v,
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
			compare_figure_json(o, w, &v[dev][w], v[c->baseline][w].value,
					    row >= COMPARE_STAGES);
	return o;
}

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
