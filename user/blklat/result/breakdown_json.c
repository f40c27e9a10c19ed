// SPDX-License-Identifier: GPL-2.0
/* Put the breakdowns of a trace into JSON. */
#include "blklat/result/breakdown.h"
#include "blklat/result/names.h"
#include "core/units.h"
#include "report/report.h"

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

static json_object *tail_json(const struct breakdown *b)
{
	json_object *list = json_object_new_array();

	for (unsigned int i = 0; i < NR_TAILS; i++) {
		const struct tail_part *p = &b->tails[i];
		json_object *o = json_object_new_object(), *shares = json_object_new_array();

		json_real(o, "percentile", p->pct);
		json_u64(o, "from_ns", p->from_ns);
		json_u64(o, "count", p->sum.count);
		json_u64(o, "sum_ns", p->sum.total);
		for (unsigned int k = 0; k < NR_LINES; k++) {
			uint64_t sum = breakdown_tail_sum(&p->sum, breakdown_row_order()[k]);
			struct result_row row = { 0 };
			json_object *st;

			if (!sum)
				continue;
			st = json_object_new_object();
			breakdown_row_name(b, breakdown_row_order()[k], &row);
			result_row_json(st, &row);
			json_u64(st, "sum_ns", sum);
			json_real(st, "share_pct", percent(sum, p->sum.total));
			json_object_array_add(shares, st);
		}
		json_object_object_add(o, "stages", shares);
		json_object_array_add(list, o);
	}
	return list;
}

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
	json_object_object_add(o, "tail", tail_json(b));
	json_str(o, "shared", b->shared);
	json_object_object_add(o, "unsplit", unsplit_json(list, n, index));
	json_object_object_add(o, "own", own_json(b));
	json_object_object_add(o, "flow", flow_json(list, n, index));
	if (b->below)
		json_object_object_add(o, "self", self_json(b));
	json_object_object_add(o, "legs", legs_json(list, n, index));
	json_object_object_add(o, "cost", cost_json(&b->cost));
	return o;
}
