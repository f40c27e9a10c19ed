// SPDX-License-Identifier: GPL-2.0
/* Load result files. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <json-c/json_visit.h>
#include "blklat.h"
#include "core/log.h"
#include "core/utf8.h"
#include "blklat/result/load.h"
#include "blklat/result/names.h"
#include "blklat/result/result.h"
#include "blklat/result/schema.h"
#include "output/facts.h"

/* Load the names of a stage. Those of a sample have no group and device: take them from @whole. */
static void load_names(json_object *o, struct result_row *row, const struct result_rows *whole)
{
	const struct result_row *known;

	snprintf(row->stage, sizeof(row->stage), "%s", doc_str(o, "stage"));
	snprintf(row->layer, sizeof(row->layer), "%s", doc_str(o, "layer"));
	snprintf(row->device, sizeof(row->device), "%s", doc_str(o, "device"));
	known = whole ? result_row_find(whole, row->stage, row->layer) : NULL;
	snprintf(row->kind, sizeof(row->kind), "%s", known ? known->kind : doc_str(o, "kind"));
	snprintf(row->group, sizeof(row->group), "%s", known ? known->group : doc_str(o, "group"));
	if (known)
		snprintf(row->label, sizeof(row->label), "%s", known->label);
	else
		stage_label(row->label, sizeof(row->label), row->stage, row->device);
}

static int load_rows(json_object *list, struct result_rows *rows, const struct result_rows *whole)
{
	for (size_t i = 0; i < doc_len(list); i++) {
		json_object *o = doc_at(list, i);
		struct result_row *row = result_row_add(rows);

		if (!row)
			return -ENOMEM;
		load_names(o, row, whole);
		row->tracing_ns = doc_u64(o, "tracing_ns");
		result_load_hist(o, &row->hist);
	}
	return 0;
}

static int load_sample(json_object *o, struct result_dev *d)
{
	struct result_sample *s = result_sample_add(d);

	if (!s)
		return -ENOMEM;
	s->round = doc_u64(o, "round");
	s->traced = json_object_get_boolean(doc_get(o, "traced"));
	s->at_ns = doc_u64(o, "at_ns");
	s->elapsed_ns = doc_u64(o, "elapsed_ns");
	s->ios = doc_u64(o, "ios");
	s->bytes = doc_u64(o, "bytes");
	if (doc_get(o, "cpu_ns_per_io"))
		s->cpu_ns = doc_real(o, "cpu_ns_per_io");
	result_load_hist(doc_get(o, "total"), &s->total);
	return load_rows(doc_get(o, "stages"), &s->rows, &d->rows);
}

/* Load groups of I/Os; the name of each is in member @key. */
static int load_groups(json_object *list, const char *key, struct result_groups *groups)
{
	groups->v = calloc(doc_len(list) + 1, sizeof(*groups->v));
	if (!groups->v)
		return -ENOMEM;
	for (size_t i = 0; i < doc_len(list); i++) {
		json_object *o = doc_at(list, i);
		struct result_group *g = &groups->v[groups->n++];
		int ret;

		g->name = doc_str(o, key);
		g->has_id = doc_get(o, "id");
		g->id = doc_u64(o, "id");
		g->others = doc_u64(o, "others");
		ret = result_load_total(doc_get(o, "total"), g);
		if (!ret)
			ret = load_rows(doc_get(o, "stages"), &g->rows, NULL);
		if (ret)
			return ret;
	}
	return 0;
}

static int load_tails(json_object *list, struct result_dev *d)
{
	d->tails = calloc(doc_len(list) + 1, sizeof(*d->tails));
	if (!d->tails)
		return -ENOMEM;
	for (size_t i = 0; i < doc_len(list); i++) {
		json_object *o = doc_at(list, i), *stages = doc_get(o, "stages");
		struct result_tail *t = &d->tails[d->ntails++];

		t->pct = doc_real(o, "percentile");
		t->from_ns = doc_u64(o, "from_ns");
		t->count = doc_u64(o, "count");
		t->sum_ns = doc_u64(o, "sum_ns");
		t->rows.v = calloc(doc_len(stages) + 1, sizeof(*t->rows.v));
		if (!t->rows.v)
			return -ENOMEM;
		for (; t->rows.n < doc_len(stages); t->rows.n++) {
			struct result_row *row = &t->rows.v[t->rows.n];

			load_names(doc_at(stages, t->rows.n), row, NULL);
			row->hist.sum = doc_u64(doc_at(stages, t->rows.n), "sum_ns");
		}
	}
	return 0;
}

static void load_ledger(json_object *o, struct blklat_ledger *l)
{
	for (unsigned int c = 0; c < NR_COUNTERS; c++)
		l->n[c] = doc_get(o, counter_name(c)) ? doc_u64(o, counter_name(c)) :
			  LEDGER_UNKNOWN;
}

/* Load all of a device but its samples. */
static int load_whole(json_object *o, struct result_dev *d)
{
	json_object *by = doc_get(o, "by");
	int ret;

	d->doc = o;
	snprintf(d->name, sizeof(d->name), "%s", doc_str(o, "name"));
	utf8_one_line(d->name);
	snprintf(d->label, sizeof(d->label), "%s", doc_str(o, "label"));
	/* The label is a part of titles and sentences, which must be one line each. */
	utf8_one_line(d->label);
	d->top = json_object_get_boolean(doc_get(o, "top"));
	report_facts_load(doc_get(o, "facts"), &d->facts);
	snprintf(d->facts.name, sizeof(d->facts.name), "%s", d->name);
	d->elapsed_ns = doc_u64(o, "elapsed_ns");
	load_ledger(doc_get(o, "ledger"), &d->ledger);
	if (hist_init(&d->total, BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS))
		return -ENOMEM;
	result_load_hist(doc_get(o, "total"), &d->total);
	ret = load_rows(doc_get(o, "stages"), &d->rows, NULL);
	if (!ret)
		ret = load_groups(doc_get(o, "ops"), "op", &d->ops);
	if (!ret && by) {
		d->by_key = doc_str(by, "key");
		ret = load_groups(doc_get(by, "groups"), "name", &d->by);
	}
	ret = ret ?: load_tails(doc_get(o, "tail"), d);
	return ret ?: result_load_stack(o, d);
}

static int load_dev(json_object *o, struct result_dev *d)
{
	json_object *samples = doc_get(o, "samples");
	int ret = load_whole(o, d);

	for (size_t i = 0; i < doc_len(samples) && !ret; i++)
		ret = load_sample(doc_at(samples, i), d);
	return ret;
}

/* Check that the document is a result in a known format. Return: 0 or -EINVAL, reported. */
static int check_head(struct result *r)
{
	json_object *head;
	uint64_t format;

	if (strncmp(doc_str(r->doc, "schema"), "blklat/", 7))
		return err(-EINVAL, "%s: is not a result of blklat", r->path);
	if (!json_object_object_get_ex(r->doc, "result", &head))
		return err(-EINVAL, "%s: is JSON of blklat, but not a result file; make one with "
			   "blklat record or blklat compare -o", r->path);
	format = doc_u64(head, "format");
	if (format != RESULT_FORMAT)
		return err(-EINVAL, "%s: has format %llu, and this blklat knows format %d; use the "
			   "blklat that made it", r->path, (unsigned long long)format,
			   RESULT_FORMAT);
	snprintf(r->kind, sizeof(r->kind), "%s", doc_str(head, "kind"));
	if (doc_get(r->doc, "error") && !doc_get(r->doc, "devices"))
		return err(-EINVAL, "%s: has no result, because the command that made it failed: "
			   "%s", r->path, doc_str(r->doc, "error"));
	return 0;
}

/* Remove members whose keys have unprintable characters; blklat itself writes no such keys. */
static void clean_keys(json_object *o)
{
	json_object_object_foreach(o, key, v) {
		const char *p = key;
		size_t n = 0;

		(void)v;
		while (*p && (n = utf8_printable_len(p)))
			p += n;
		if (*p)
			json_object_object_del(o, key);
	}
}

/*
 * Clean all keys and texts of a document. A file may come from anywhere, and its texts end up in
 * tables, CSV and scripts.
 */
static int clean_text(json_object *o, int flags, json_object *parent, const char *name,
		      size_t *index, void *arg)
{
	char *text;

	if (flags == JSON_C_VISIT_SECOND)
		return JSON_C_VISIT_RETURN_CONTINUE;
	if (json_object_is_type(o, json_type_object))
		clean_keys(o);
	if (!json_object_is_type(o, json_type_string))
		return JSON_C_VISIT_RETURN_CONTINUE;
	text = strdup(json_object_get_string(o));
	if (text)
		json_object_set_string(o, utf8_clean(text));
	free(text);
	return JSON_C_VISIT_RETURN_CONTINUE;
}

static int read_doc(struct result *r)
{
	struct json_tokener *tok = json_tokener_new();
	enum json_tokener_error why = json_tokener_continue;
	static char buf[1 << 16];
	int fd = open(r->path, O_RDONLY | O_CLOEXEC), ret = 0;
	ssize_t n;

	if (fd < 0 || !tok) {
		ret = fd < 0 ? err(-errno, "%s: %s", r->path, strerror(errno)) :
			       no_memory();
		goto out;
	}
	while (!r->doc && (n = read(fd, buf, sizeof(buf))) > 0) {
		r->doc = json_tokener_parse_ex(tok, buf, n);
		why = json_tokener_get_error(tok);
		if (why != json_tokener_continue && why != json_tokener_success)
			break;
	}
	if (n < 0)
		ret = err(-errno, "%s: %s", r->path, strerror(errno));
	else if (!r->doc && why != json_tokener_success)
		ret = err(-EINVAL, "%s: is not JSON: %s", r->path, why == json_tokener_continue ?
			  "it ends in the middle" : json_tokener_error_desc(why));
	else if (!json_object_is_type(r->doc, json_type_object))
		ret = err(-EINVAL, "%s: is not a result of blklat", r->path);
	else
		json_c_visit(r->doc, 0, clean_text, NULL);
out:
	if (fd >= 0)
		close(fd);
	if (tok)
		json_tokener_free(tok);
	return ret;
}

/*
 * Find the devices that the legs of a device are. A device that left the stack and came again is
 * there twice, and so is a leg on it.
 */
static void find_legs(const struct result *r, struct result_dev *d)
{
	for (size_t i = 0; i < d->nlegs; i++) {
		size_t first = 0;

		for (size_t k = 0; k < i; k++)
			if (!strcmp(d->legs[k].device, d->legs[i].device) &&
			    d->legs[k].place < r->ndevs)
				first = d->legs[k].place + 1;
		for (size_t p = first; p < r->ndevs && d->legs[i].place == SIZE_MAX; p++)
			if (!strcmp(r->devs[p].name, d->legs[i].device))
				d->legs[i].place = p;
	}
}

int result_load(const char *path, struct result *r)
{
	json_object *list;
	int ret;

	memset(r, 0, sizeof(*r));
	r->path = strdup(path);
	if (!r->path)
		return err(-ENOMEM, "out of memory");
	ret = read_doc(r);
	if (!ret)
		ret = check_head(r);
	if (!ret)
		ret = result_check(r->doc, path);
	if (ret)
		return ret;
	list = doc_get(r->doc, "devices");
	r->devs = calloc(doc_len(list) + 1, sizeof(*r->devs));
	if (!r->devs)
		return err(-ENOMEM, "out of memory");
	while (r->ndevs < doc_len(list) && !ret) {
		ret = load_dev(doc_at(list, r->ndevs), &r->devs[r->ndevs]);
		if (!ret && !strcmp(r->kind, "compare") && r->devs[r->ndevs].top)
			ret = result_own_turns(&r->devs[r->ndevs]);
		r->ndevs++;
	}
	if (!r->ndevs)
		return err(-EINVAL, "%s: has no devices", path);
	for (size_t i = 0; i < r->ndevs; i++)
		find_legs(r, &r->devs[i]);
	return ret ? err(ret, "out of memory") : 0;
}
