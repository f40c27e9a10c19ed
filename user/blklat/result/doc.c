// SPDX-License-Identifier: GPL-2.0
/* Read members, lists and distributions of JSON documents. */
#include <errno.h>
#include "blklat/result/load.h"

json_object *doc_get(json_object *o, const char *key)
{
	json_object *v;

	return json_object_object_get_ex(o, key, &v) ? v : NULL;
}

uint64_t doc_u64(json_object *o, const char *key)
{
	return json_object_get_uint64(doc_get(o, key));
}

double doc_real(json_object *o, const char *key)
{
	return json_object_get_double(doc_get(o, key));
}

const char *doc_str(json_object *o, const char *key)
{
	return json_object_get_string(doc_get(o, key)) ?: "";
}

size_t doc_len(json_object *list)
{
	return json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
}

json_object *doc_at(json_object *list, size_t i)
{
	return i < doc_len(list) ? json_object_array_get_idx(list, i) : NULL;
}

void result_load_hist(json_object *o, struct hist *h)
{
	json_object *list = doc_get(o, "buckets");

	for (size_t i = 0; i < doc_len(list); i++) {
		json_object *pair = doc_at(list, i);
		uint64_t n = json_object_get_uint64(doc_at(pair, 1));

		h->buckets[json_object_get_uint64(doc_at(pair, 0))] += n;
		h->count += n;
	}
	h->sum = doc_u64(o, "sum_ns");
	h->min = doc_u64(o, "min_ns");
	h->max = doc_u64(o, "max_ns");
}

int result_load_total(json_object *o, struct result_group *g)
{
	json_object *pct = doc_get(o, "percentiles_ns");

	if (doc_get(o, "buckets") && hist_init(&g->total, BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS))
		return -ENOMEM;
	result_load_hist(o, &g->total);
	if (!g->total.buckets)
		g->total.count = doc_u64(o, "count");
	g->p50_ns = doc_u64(pct, "50");
	g->p99_ns = doc_u64(pct, "99");
	return 0;
}
