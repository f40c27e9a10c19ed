/* SPDX-License-Identifier: GPL-2.0 */
#ifndef OUTPUT_JSON_H
#define OUTPUT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <json-c/json.h>
#include "core/hist.h"
#include "core/opt.h"

struct report_table;

/**
 * report_json() - make a JSON array with one object per row of a table
 * @t: the table
 *
 * Cells without a value, bars and columns with COL_NOJSON are left out. The cells of a group of
 * columns are in an object of their own, which has the name of the group.
 *
 * Return: the array, which the caller owns.
 */
json_object *report_json(const struct report_table *t);

/**
 * report_latency() - add { count, sum_ns, mean_ns, min_ns, max_ns, percentiles_ns: { "50": ... } }
 * @obj: JSON object that gets these members; NULL: a new object
 * @h: histogram of times in ns
 *
 * Return: @obj, or the new object, which the caller owns.
 */
json_object *report_latency(json_object *obj, const struct hist *h);

/**
 * report_buckets() - add the buckets of a histogram that are not empty
 * @obj: JSON object that gets "buckets": [[index, count], ...]
 * @h: the histogram
 */
void report_buckets(json_object *obj, const struct hist *h);

/**
 * json_text() - make a JSON string
 * @s: copied; not NULL
 *
 * A byte that is not UTF-8 would make the whole document invalid, so it becomes '?'. json-c escapes
 * the control characters below U+0020. It would let DEL and those from U+0080 to U+009F through to
 * the terminal, so they become '?', too.
 *
 * Return: the string, which the caller owns; NULL without memory.
 */
json_object *json_text(const char *s);

/**
 * json_str() - add a string to a JSON object
 * @o: the object
 * @key: name of the member, copied
 * @s: copied by json_text(); NULL becomes null
 */
void json_str(json_object *o, const char *key, const char *s);

/**
 * json_u64() - add a whole number to a JSON object
 * @o: the object
 * @key: name of the member, copied
 * @v: the number
 */
void json_u64(json_object *o, const char *key, uint64_t v);

/**
 * json_real() - add a real number to a JSON object
 * @o: the object
 * @key: name of the member, copied
 * @v: the number, written with 12 digits; NaN and infinity become null
 */
void json_real(json_object *o, const char *key, double v);

/**
 * json_flag() - add true or false to a JSON object
 * @o: the object
 * @key: name of the member, copied
 * @v: the value
 */
void json_flag(json_object *o, const char *key, bool v);

/**
 * json_options() - add the options of a command that have @result to a JSON object
 * @o: the object; the names of its members have "_" for "-", and "_ns" after times
 * @opts: table of the command's options
 * @cfg: config of the command, which has the values
 */
void json_options(json_object *o, const struct opt *opts, const void *cfg);

#endif
