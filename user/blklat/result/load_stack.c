// SPDX-License-Identifier: GPL-2.0
/* Load what a device is in its stack, its spans and the cost of tracing. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/result/load.h"
#include "blklat/result/names.h"
#include "core/utf8.h"

/* Load a text that will be a part of a line. */
static void load_text(char *to, size_t len, json_object *o, const char *key)
{
	snprintf(to, len, "%s", doc_str(o, key));
	utf8_one_line(to);
}

static int load_legs(json_object *list, struct result_dev *d)
{
	d->legs = calloc(doc_len(list) + 1, sizeof(*d->legs));
	if (!d->legs)
		return -ENOMEM;
	for (size_t i = 0; i < doc_len(list); i++) {
		json_object *o = doc_at(list, i), *total = doc_get(o, "total");
		struct result_leg *leg = &d->legs[d->nlegs++];

		*leg = (struct result_leg){
			.place = SIZE_MAX,
			.linked = doc_u64(o, "linked"),
			.bytes = doc_u64(o, "bytes"),
			.critical = doc_u64(o, "critical"),
			.share_pct = doc_real(o, "share_pct"),
			.critical_pct = doc_real(o, "critical_pct"),
			.ios = doc_u64(total, "count"),
			.mean_ns = doc_real(total, "mean_ns"),
			.p99_ns = doc_u64(doc_get(total, "percentiles_ns"), "99"),
		};
		load_text(leg->device, sizeof(leg->device), o, "device");
	}
	return 0;
}

static int load_spans(json_object *list, struct result_dev *d)
{
	int ret = 0;

	d->spans.v = calloc(doc_len(list) + 1, sizeof(*d->spans.v));
	if (!d->spans.v)
		return -ENOMEM;
	for (size_t i = 0; i < doc_len(list) && !ret; i++) {
		struct result_group *g = &d->spans.v[d->spans.n++];

		g->name = doc_str(doc_at(list, i), "span");
		ret = result_load_total(doc_at(list, i), g);
	}
	return ret;
}

static int load_own(json_object *list, struct result_dev *d)
{
	d->own = calloc(doc_len(list) + 1, sizeof(*d->own));
	if (!d->own)
		return -ENOMEM;
	for (size_t i = 0; i < doc_len(list); i++) {
		json_object *o = doc_at(list, i);
		struct own_end *own = &d->own[d->nr_own++];

		own->count = doc_u64(o, "count");
		load_text(own->what, sizeof(own->what), o, "what");
		load_text(own->name, sizeof(own->name), o, "end_io");
		load_text(own->module, sizeof(own->module), o, "module");
	}
	return 0;
}

static void load_flow(json_object *list, struct result_dev *d)
{
	for (size_t i = 0; i < doc_len(list); i++) {
		json_object *o = doc_at(list, i);

		for (unsigned int op = 0; op < NR_OPS; op++)
			if (!strcmp(op_name(op), doc_str(o, "op")))
				d->flow[op] = (struct result_flow){
					.got = { doc_u64(o, "count"), doc_u64(o, "bytes") },
					.own = { doc_u64(o, "own"), doc_u64(o, "own_bytes") },
					.below = { doc_u64(o, "below"),
						   doc_u64(o, "below_bytes") },
				};
	}
}

/* Old files do not say how much of which stage tracing took. */
static void load_self(json_object *o, struct result_self *s)
{
	if (!o)
		return;
	*s = (struct result_self){
		.known = true,
		.submit = doc_real(o, "submit_ns"),
		.complete = doc_real(o, "complete_ns"),
		.unsplit = doc_real(o, "unsplit_ns"),
		.tracing_known = doc_get(o, "net_submit_ns"),
	};
	if (!s->tracing_known)
		return;
	s->submit_tracing = s->submit - doc_real(o, "net_submit_ns");
	s->complete_tracing = s->complete - doc_real(o, "net_complete_ns");
}

static void load_cost(json_object *o, struct trace_cost *c)
{
	*c = (struct trace_cost){
		.per_io_ns = doc_get(o, "bpf_ns_per_io") ? doc_real(o, "bpf_ns_per_io") : -1,
		.programs = doc_u64(o, "programs"),
		.runs = doc_u64(o, "runs"),
		.misses = doc_u64(o, "events_missed"),
		.attach_ns = doc_u64(o, "attach_ns"),
		.user_per_io_ns = doc_get(o, "user_ns_per_io") ?
				  doc_real(o, "user_ns_per_io") : -1,
	};
}

/*
 * Set the kind of a device from an old file: its stages as a layer have it, else it is that of its
 * driver.
 */
static void name_kind(struct result_dev *d)
{
	const char *kind = d->facts.kind;

	for (size_t i = 0; i < d->rows.n; i++)
		if (!strcmp(d->rows.v[i].layer, "0") && *d->rows.v[i].kind)
			kind = d->rows.v[i].kind;
	snprintf(d->kind, sizeof(d->kind), "%s", kind);
}

int result_load_stack(json_object *o, struct result_dev *d)
{
	json_object *unsplit = doc_get(o, "unsplit");
	int ret;

	if (doc_get(o, "kind"))
		load_text(d->kind, sizeof(d->kind), o, "kind");
	else
		name_kind(d);
	d->joined_ns = doc_u64(o, "joined_ns");
	d->left_ns = doc_u64(o, "left_ns");
	d->unsplit = doc_u64(unsplit, "count");
	load_text(d->why_unsplit, sizeof(d->why_unsplit), unsplit, "why");
	load_text(d->shared, sizeof(d->shared), o, "shared");
	load_flow(doc_get(o, "flow"), d);
	load_self(doc_get(o, "self"), &d->self);
	load_cost(doc_get(o, "cost"), &d->cost);
	ret = load_legs(doc_get(o, "legs"), d);
	ret = ret ?: load_own(doc_get(o, "own"), d);
	return ret ?: load_spans(doc_get(o, "spans"), d);
}
