// SPDX-License-Identifier: GPL-2.0
/* Write values, options, latencies and tables as JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/utf8.h"
#include "output/cells.h"
#include "output/json.h"

json_object *json_text(const char *s)
{
	char *copy = strdup(s);
	json_object *o;
	char *p;

	if (!copy)
		return NULL;
	for (p = copy; *p;) {
		size_t n = (unsigned char)*p < 0x20 ? 1 : utf8_printable_len(p);

		if (!n)
			*p = '?';
		p += n ? n : 1;
	}
	o = json_object_new_string(copy);
	free(copy);
	return o;
}

/* Create a number. json-c prints NaN and Infinity as such, which is not JSON: they become null. */
static json_object *new_real(double v)
{
	char text[40];

	if (!isfinite(v))
		return NULL;
	snprintf(text, sizeof(text), "%.12g", v);
	/* A real number keeps its type for readers that distinguish types */
	if (!strpbrk(text, ".e"))
		strcat(text, ".0");
	return json_object_new_double_s(v, text);
}

void json_str(json_object *o, const char *key, const char *s)
{
	json_object_object_add(o, key, s ? json_text(s) : NULL);
}

void json_u64(json_object *o, const char *key, uint64_t v)
{
	json_object_object_add(o, key, json_object_new_uint64(v));
}

void json_real(json_object *o, const char *key, double v)
{
	json_object_object_add(o, key, new_real(v));
}

void json_flag(json_object *o, const char *key, bool v)
{
	json_object_object_add(o, key, json_object_new_boolean(v));
}

static json_object *option_value(const struct opt *opt, const void *cfg)
{
	const char *text;

	switch (opt->type) {
	case OPT_FLAG:
		return json_object_new_boolean(opt_number(opt, cfg));
	case OPT_ENUM:
		return json_text(opt->choices[opt_number(opt, cfg)]);
	case OPT_STRING:
		text = *(const char *const *)((const char *)cfg + opt->offset);
		return json_text(text ? text : "");
	default:
		return json_object_new_uint64(opt_number(opt, cfg));
	}
}

void json_options(json_object *o, const struct opt *opts, const void *cfg)
{
	char key[40];

	for (; opts->type != OPT_END; opts++) {
		if (!opts->result)
			continue;
		snprintf(key, sizeof(key), "%s%s", opts->name,
			 opts->type == OPT_TIME ? "_ns" : "");
		for (char *c = key; *c; c++)
			*c = *c == '-' ? '_' : *c;
		json_object_object_add(o, key, option_value(opts, cfg));
	}
}

/*
 * Members of the JSON object "latency":
 * @count: integer: Number of samples. If it is 0, all other values are 0 too.
 * @sum_ns: integer: Exact sum of the samples; 2^64 - 1 if the sum is larger.
 * @mean_ns: number: Mean: ``sum_ns`` / ``count``. If the sum is too large, each sample counts with
 *	the middle of its histogram bucket.
 * @min_ns: integer: Smallest sample, exact.
 * @max_ns: integer: Largest sample, exact.
 * @percentiles_ns: map of integer: The percentiles ``50``, ``90``, ``95``, ``99``, ``99.9``,
 *	``99.99`` and ``99.999``. Each value is the upper edge of a histogram bucket, so it may be
 *	too large by the width of the bucket: at most 1.6 % in blklat, and 0.8 % in blkgen.
 * @buckets: array of array of integer, optional: The distribution of the samples, see json.rst.
 *	Only in result files.
 */
json_object *report_latency(json_object *obj, const struct hist *h)
{
	const struct percentile *p;
	json_object *pct;

	if (!obj)
		obj = json_object_new_object();
	json_u64(obj, "count", h->count);
	json_u64(obj, "sum_ns", h->sum);
	json_real(obj, "mean_ns", hist_mean(h));
	json_u64(obj, "min_ns", h->min);
	json_u64(obj, "max_ns", h->max);
	pct = json_object_new_object();
	for (p = std_percentiles; p->name; p++)
		json_u64(pct, p->name, hist_percentile(h, p->pct));
	json_object_object_add(obj, "percentiles_ns", pct);
	return obj;
}

void report_buckets(json_object *obj, const struct hist *h)
{
	json_object *list = json_object_new_array();

	for (uint32_t i = 0; i < h->nbuckets && h->count; i++) {
		json_object *pair;

		if (!h->buckets[i])
			continue;
		pair = json_object_new_array_ext(2);
		json_object_array_add(pair, json_object_new_uint64(i));
		json_object_array_add(pair, json_object_new_uint64(h->buckets[i]));
		json_object_array_add(list, pair);
	}
	json_object_object_add(obj, "buckets", list);
}

static json_object *cell_json(const struct cell *c)
{
	if (c->kind == CELL_U64)
		return json_object_new_uint64(c->u64);
	return c->kind == CELL_STR ? json_text(c->str) : new_real(c->real);
}

json_object *report_json(const struct report_table *t)
{
	json_object *rows = json_object_new_array();
	size_t r, c;

	for (r = 0; r < t->nrows; r++) {
		json_object *o = json_object_new_object();

		for (c = 0; c < t->ncols; c++) {
			const struct column *col = &t->cols[c];
			json_object *into = o;

			if (col->type == COL_BAR || (col->flags & COL_NOJSON) ||
			    t->rows[r].cells[c].kind == CELL_NONE)
				continue;
			if (col->group && !json_object_object_get_ex(o, col->group, &into)) {
				into = json_object_new_object();
				json_object_object_add(o, col->group, into);
			}
			json_object_object_add(into, col->key,
					       cell_json(&t->rows[r].cells[c]));
		}
		json_object_array_add(rows, o);
	}
	return rows;
}
