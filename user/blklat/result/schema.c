// SPDX-License-Identifier: GPL-2.0
/* Check the types of what a result file has. Documentation/json-tables.rst says what it means. */
#include <errno.h>
#include <stdio.h>
#include "core/io_hist.h"
#include "core/log.h"
#include "blklat/result/schema.h"

/* COUNTS: an object with any keys, whose values are counts; BUCKETS: a list of [bucket, count] */
enum member_type { TEXT, COUNT, NUMBER, FLAG, OBJECT, OBJECTS, TEXTS, COUNTS, BUCKETS };

/**
 * struct member - a member that an object may have
 * @key: its name; NULL ends a table
 * @type: its type
 * @needed: true if the member must be there and, as a text, must not be empty
 * @in: the members of an OBJECT, or of each of the OBJECTS; NULL: any
 */
struct member {
	const char *key;
	enum member_type type;
	bool needed;
	const struct member *in;
};

#define LATENCY(buckets_needed) \
	{ "count", COUNT }, { "sum_ns", COUNT }, { "min_ns", COUNT }, { "max_ns", COUNT }, \
	{ "mean_ns", NUMBER }, { "percentiles_ns", COUNTS }, \
	{ "buckets", BUCKETS, buckets_needed }

static const struct member latency[] = { LATENCY(true), { NULL } };
/* Old files have no buckets of kinds and groups of I/O, and legs and spans never have some. */
static const struct member total[] = { LATENCY(false), { NULL } };

static const struct member stage[] = {
	{ "stage", TEXT, true }, { "layer", TEXT, true }, { "group", TEXT }, { "device", TEXT },
	{ "kind", TEXT }, { "tracing_ns", COUNT }, LATENCY(true), { NULL }
};

static const struct member sample[] = {
	{ "round", COUNT }, { "traced", FLAG }, { "at_ns", COUNT }, { "elapsed_ns", COUNT },
	{ "ios", COUNT }, { "bytes", COUNT }, { "cpu_ns_per_io", NUMBER },
	{ "total", OBJECT, true, latency }, { "stages", OBJECTS, false, stage }, { NULL }
};

static const struct member op[] = {
	{ "op", TEXT, true }, { "total", OBJECT, true, total }, { "stages", OBJECTS, false, stage },
	{ NULL }
};

static const struct member group[] = {
	{ "name", TEXT }, { "id", COUNT }, { "others", COUNT }, { "total", OBJECT, true, total },
	{ "stages", OBJECTS, false, stage }, { NULL }
};

static const struct member by[] = {
	{ "key", TEXT, true }, { "groups", OBJECTS, false, group }, { NULL }
};

static const struct member leg[] = {
	{ "device", TEXT, true }, { "linked", COUNT }, { "bytes", COUNT }, { "critical", COUNT },
	{ "share_pct", NUMBER }, { "critical_pct", NUMBER }, { "total", OBJECT, false, total },
	{ NULL }
};

static const struct member tail_stage[] = {
	{ "stage", TEXT, true }, { "layer", TEXT, true }, { "group", TEXT }, { "device", TEXT },
	{ "kind", TEXT }, { "sum_ns", COUNT, true }, { NULL }
};

static const struct member tail[] = {
	{ "percentile", NUMBER }, { "from_ns", COUNT }, { "count", COUNT }, { "sum_ns", COUNT },
	{ "stages", OBJECTS, false, tail_stage }, { NULL }
};

static const struct member span[] = { { "span", TEXT, true }, LATENCY(false), { NULL } };

static const struct member unsplit[] = { { "count", COUNT }, { "why", TEXT }, { NULL } };

static const struct member own[] = {
	{ "count", COUNT }, { "what", TEXT }, { "end_io", TEXT }, { "module", TEXT }, { NULL }
};

static const struct member flow[] = {
	{ "op", TEXT, true }, { "count", COUNT }, { "bytes", COUNT }, { "own", COUNT },
	{ "own_bytes", COUNT }, { "below", COUNT }, { "below_bytes", COUNT }, { NULL }
};

static const struct member self[] = {
	{ "submit_ns", NUMBER }, { "complete_ns", NUMBER }, { "unsplit_ns", NUMBER },
	{ "net_submit_ns", NUMBER }, { "net_complete_ns", NUMBER }, { NULL }
};

static const struct member cost[] = {
	{ "bpf_ns_per_io", NUMBER }, { "programs", COUNT }, { "runs", COUNT },
	{ "attach_ns", COUNT }, { "events_missed", COUNT }, { "user_ns_per_io", NUMBER },
	{ NULL }
};

static const struct member device[] = {
	{ "name", TEXT, true }, { "label", TEXT }, { "scenario", TEXT }, { "top", FLAG },
	{ "facts", OBJECT }, { "elapsed_ns", COUNT }, { "total", OBJECT, true, latency },
	{ "stages", OBJECTS, false, stage }, { "ops", OBJECTS, false, op },
	{ "by", OBJECT, false, by }, { "tail", OBJECTS, false, tail },
	{ "kind", TEXT }, { "joined_ns", COUNT }, { "left_ns", COUNT }, { "shared", TEXT },
	{ "legs", OBJECTS, false, leg }, { "ledger", COUNTS },
	{ "spans", OBJECTS, false, span }, { "own", OBJECTS, false, own },
	{ "flow", OBJECTS, false, flow }, { "self", OBJECT, false, self },
	{ "unsplit", OBJECT, false, unsplit }, { "cost", OBJECT, false, cost },
	{ "samples", OBJECTS, false, sample }, { NULL }
};

static const struct member kernel[] = {
	{ "release", TEXT }, { "version", TEXT }, { "machine", TEXT }, { NULL }
};

static const struct member machine[] = {
	{ "name", TEXT }, { "cpu", TEXT }, { "cpus", COUNT }, { "memory", COUNT },
	{ "clocksource", TEXT }, { "product", TEXT }, { NULL }
};

static const struct member load[] = {
	{ "args", TEXTS }, { "time_ns", COUNT }, { "size", COUNT }, { "seed", COUNT }, { NULL }
};

static const struct member comparison[] = {
	{ "baseline", TEXT }, { "paired", FLAG }, { "confidence", NUMBER }, { "seed", COUNT },
	{ NULL }
};

static const struct member scenario[] = {
	{ "name", TEXT, true }, { "load", OBJECT, false, load },
	{ "comparison", OBJECT, false, comparison }, { NULL }
};

static const struct member result[] = {
	{ "schema", TEXT, true }, { "command", TEXTS }, { "error", TEXT },
	{ "kernel", OBJECT, false, kernel }, { "machine", OBJECT, false, machine },
	{ "load", OBJECT, false, load }, { "comparison", OBJECT, false, comparison },
	{ "scenarios", OBJECTS, false, scenario }, { "devices", OBJECTS, true, device }, { NULL }
};

/* The place of a value in the document: a member of the object @up, or an element of a list. */
struct place {
	const struct place *up;
	const char *path;	/* of the file, where @up is NULL */
	const char *key;	/* NULL: an element */
	size_t index;
};

static void put_place(const struct place *at, FILE *f)
{
	if (!at->up) {
		fprintf(f, "%s: ", at->path);
		return;
	}
	put_place(at->up, f);
	if (at->key)
		fprintf(f, "%s%s", at->up->up ? "." : "", at->key);
	else
		fprintf(f, "[%zu]", at->index);
}

/* Report what is wrong with a value. Return: -EINVAL. */
static int wrong(const struct place *at, const char *how)
{
	char place[512] = "";
	FILE *f = fmemopen(place, sizeof(place) - 1, "w");

	if (f) {
		put_place(at, f);
		fclose(f);
	}
	return err(-EINVAL, "%s %s", place, how);
}

static bool is_count(json_object *o)
{
	return json_object_is_type(o, json_type_int) && json_object_get_int64(o) >= 0;
}

static bool is_number(json_object *o)
{
	return json_object_is_type(o, json_type_int) || json_object_is_type(o, json_type_double);
}

static bool is_bucket(json_object *o)
{
	return json_object_is_type(o, json_type_array) && json_object_array_length(o) == 2 &&
	       is_count(json_object_array_get_idx(o, 0)) &&
	       json_object_get_uint64(json_object_array_get_idx(o, 0)) < BLKLAT_HIST_BUCKETS &&
	       is_count(json_object_array_get_idx(o, 1));
}

static int check_counts(json_object *o, const struct place *at)
{
	json_object_object_foreach(o, key, v) {
		const struct place in = { .up = at, .key = key };

		if (v && !is_count(v))
			return wrong(&in, "is not a count");
	}
	return 0;
}

static int check_members(json_object *o, const struct member *m, const struct place *at);

static int check_elements(json_object *list, const struct member *m, const struct place *at)
{
	int ret = 0;

	for (size_t i = 0; i < json_object_array_length(list) && !ret; i++) {
		json_object *o = json_object_array_get_idx(list, i);
		const struct place in = { .up = at, .index = i };

		if (m->type == BUCKETS)
			ret = is_bucket(o) ? 0 : wrong(&in, "is not a bucket and its count");
		else if (m->type == TEXTS)
			ret = json_object_is_type(o, json_type_string) ? 0 :
			      wrong(&in, "is not a text");
		else if (!json_object_is_type(o, json_type_object))
			ret = wrong(&in, "is not an object");
		else
			ret = check_members(o, m->in, &in);
	}
	return ret;
}

static int check_value(json_object *o, const struct member *m, const struct place *at)
{
	switch (m->type) {
	case TEXT:
		if (!json_object_is_type(o, json_type_string))
			return wrong(at, "is not a text");
		return m->needed && !*json_object_get_string(o) ? wrong(at, "is empty") : 0;
	case COUNT:
		return is_count(o) ? 0 : wrong(at, "is not a count");
	case NUMBER:
		return is_number(o) ? 0 : wrong(at, "is not a number");
	case FLAG:
		return json_object_is_type(o, json_type_boolean) ? 0 :
		       wrong(at, "is neither true nor false");
	case OBJECT:
	case COUNTS:
		if (!json_object_is_type(o, json_type_object))
			return wrong(at, "is not an object");
		return m->type == COUNTS ? check_counts(o, at) : check_members(o, m->in, at);
	case OBJECTS:
	case TEXTS:
	case BUCKETS:
		break;
	}
	return json_object_is_type(o, json_type_array) ? check_elements(o, m, at) :
	       wrong(at, "is not a list");
}

static int check_members(json_object *o, const struct member *m, const struct place *at)
{
	int ret = 0;

	for (; m && m->key && !ret; m++) {
		const struct place in = { .up = at, .key = m->key };
		json_object *v = NULL;

		json_object_object_get_ex(o, m->key, &v);
		if (v)
			ret = check_value(v, m, &in);
		else if (m->needed)
			ret = wrong(&in, "is missing");
	}
	return ret;
}

int result_check(json_object *doc, const char *path)
{
	const struct place root = { .path = path };

	return check_members(doc, result, &root);
}
