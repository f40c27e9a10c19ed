/* SPDX-License-Identifier: GPL-2.0 */
#ifndef OUTPUT_JSON_H
#define OUTPUT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <json-c/json.h>
#include "core/hist.h"
#include "core/opt.h"

struct report_table;

/* Return a JSON array with one object per row. */
json_object *report_json(const struct report_table *t);

/*
 * Add { count, sum_ns, mean_ns, min_ns, max_ns, percentiles_ns: { "50": ... } } to @obj, or to a
 * new object if @obj is NULL.
 */
json_object *report_latency(json_object *obj, const struct hist *h);

/* Add the buckets of @h that are not empty as "buckets" to @obj: [[index, count], ...]. */
void report_buckets(json_object *obj, const struct hist *h);

/* Add a member to an object. All of these functions copy the string. */
json_object *json_text(const char *s);
void json_str(json_object *o, const char *key, const char *s);	/* NULL: null */
void json_u64(json_object *o, const char *key, uint64_t v);
void json_real(json_object *o, const char *key, double v);
void json_flag(json_object *o, const char *key, bool v);
/* Add the options of a table that have @result, with their values in @cfg; times get "_ns". */
void json_options(json_object *o, const struct opt *opts, const void *cfg);

#endif
