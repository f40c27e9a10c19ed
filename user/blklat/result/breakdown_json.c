// SPDX-License-Identifier: GPL-2.0
/* Put the breakdowns of a trace into JSON. */
#include "blklat/result/breakdown.h"
#include "blklat/result/names.h"
#include "core/units.h"
#include "report/facts.h"
#include "report/report.h"

static void json_row_name(json_object *o, const struct breakdown *b, unsigned int row)
{
	struct row_name name;

	breakdown_row_name(b, row, &name);
	json_str(o, "stage", name.stage);
	json_str(o, "group", name.group);
	json_str(o, "layer", name.layer);
	json_str(o, "device", name.device);
}

static json_object *rows_json(const struct breakdown *b, const struct hist *rows)
{
	json_object *list = json_object_new_array();

	for (unsigned int k = 0; k < NR_LINES; k++) {
		unsigned int s = breakdown_row_order()[k];
		json_object *o;

		if (!rows[s].count && s != STAGE_UNATTRIBUTED)
			continue;
		o = json_object_new_object();
		json_row_name(o, b, s);
		report_latency(o, &rows[s]);
		if (b->buckets)
			report_buckets(o, &rows[s]);
		json_object_array_add(list, o);
	}
	return list;
}

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

static json_object *ops_json(const struct breakdown *b)
{
	json_object *list = json_object_new_array();

	for (unsigned int op = 0; op < NR_OPS; op++) {
		json_object *o, *total;

		if (!b->ops[op][ROW_OF_SPAN(SPAN_TOTAL)].count)
			continue;
		o = json_object_new_object();
		json_str(o, "op", op_name(op));
		total = report_latency(NULL, &b->ops[op][ROW_OF_SPAN(SPAN_TOTAL)]);
		if (b->buckets)
			report_buckets(total, &b->ops[op][ROW_OF_SPAN(SPAN_TOTAL)]);
		json_object_object_add(o, "total", total);
		json_object_object_add(o, "stages", rows_json(b, b->ops[op]));
		json_object_array_add(list, o);
	}
	return list;
}

static json_object *by_json(const struct breakdown *b)
{
	json_object *o = json_object_new_object(), *list = json_object_new_array();

	json_str(o, "key", b->by_key);
	for (size_t i = 0; i < b->nby; i++) {
		const struct breakdown_by *by = &b->by[i];
		json_object *group = json_object_new_object();

		json_str(group, "name", by->name);
		if (by->has_id)
			json_u64(group, "id", by->id);
		if (by->others)
			json_u64(group, "others", by->others);
		json_object_object_add(group, "total",
				       report_latency(NULL, &by->rows[ROW_OF_SPAN(SPAN_TOTAL)]));
		json_object_object_add(group, "stages", rows_json(b, by->rows));
		json_object_array_add(list, group);
	}
	json_object_object_add(o, "groups", list);
	return o;
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
			json_object *st;

			if (!sum)
				continue;
			st = json_object_new_object();
			json_row_name(st, b, breakdown_row_order()[k]);
			json_u64(st, "sum_ns", sum);
			json_real(st, "share_pct", percent(sum, p->sum.total));
			json_object_array_add(shares, st);
		}
		json_object_object_add(o, "stages", shares);
		json_object_array_add(list, o);
	}
	return list;
}

static json_object *ledger_json(const struct breakdown *b)
{
	json_object *o = json_object_new_object();

	for (unsigned int c = 0; c < NR_COUNTERS; c++)
		json_u64(o, counter_name(c), b->ledger.n[c]);
	json_u64(o, "lost", breakdown_lost(b));
	return o;
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
	json_object *o = json_object_new_object(), *total;

	json_str(o, "name", b->dev->name);
	json_object_object_add(o, "facts", report_facts(b->dev));
	json_u64(o, "elapsed_ns", b->elapsed_ns);
	if (b->joined_ns)
		json_u64(o, "joined_ns", b->joined_ns);
	if (b->left_ns)
		json_u64(o, "left_ns", b->left_ns);
	total = report_latency(NULL, breakdown_total(b));
	if (b->buckets)
		report_buckets(total, breakdown_total(b));
	json_object_object_add(o, "total", total);
	json_object_object_add(o, "stages", rows_json(b, b->rows));
	json_object_object_add(o, "spans", spans_json(b->rows));
	json_object_object_add(o, "ops", ops_json(b));
	if (b->by_key)
		json_object_object_add(o, "by", by_json(b));
	json_object_object_add(o, "tail", tail_json(b));
	json_str(o, "shared", b->shared);
	json_object_object_add(o, "unsplit", unsplit_json(list, n, index));
	json_object_object_add(o, "own", own_json(b));
	json_object_object_add(o, "flow", flow_json(list, n, index));
	if (b->below)
		json_object_object_add(o, "self", self_json(b));
	json_object_object_add(o, "legs", legs_json(list, n, index));
	json_object_object_add(o, "ledger", ledger_json(b));
	json_object_object_add(o, "cost", cost_json(&b->cost));
	return o;
}
