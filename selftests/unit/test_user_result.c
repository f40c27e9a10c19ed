// SPDX-License-Identifier: GPL-2.0
/*
 * This test will save results and load them again, expect the same, and expect damaged files to be
 * refused.
 */
/* needs: host */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "blklat.h"
#include "core/log.h"
#include "report/report.h"
#include "blklat/result/result.h"
#include "unit.h"

static char path[] = "/tmp/test_user_result.XXXXXX";

/* Add a row with some I/Os of @stage, which differ for each @seed. */
static void fill_row(struct result_rows *rows, const char *stage, const char *layer, unsigned int seed)
{
	struct result_row *row = result_row_add(rows);

	snprintf(row->stage, sizeof(row->stage), "%s", stage);
	snprintf(row->group, sizeof(row->group), "kernel");
	snprintf(row->layer, sizeof(row->layer), "%s", layer);
	for (unsigned int i = 0; i < 50; i++)
		hist_add(&row->hist, 1000 + seed * 997 + i * i * seed);
}

static void fill_dev(struct result_dev *d)
{
	strcpy(d->name, "dm-0");
	strcpy(d->label, "vg-lv");
	d->top = true;
	hist_init(&d->total, BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS);
	fill_row(&d->rows, "alloc", "leaf", 1);
	fill_row(&d->rows, "layer submit", "0", 2);
	for (unsigned int i = 0; i < 5; i++) {
		struct result_sample *s = result_sample_add(d);

		s->round = i;
		s->traced = i % 2;
		s->at_ns = i * 1000000000ull;
		s->elapsed_ns = 1000000000ull + i;
		s->ios = 50;
		s->bytes = 50 * 4096;
		if (i % 2)
			s->cpu_ns = 1234.5;
		for (unsigned int k = 0; k < 50; k++)
			hist_add(&s->total, (i + 1) * 5000 + k * 77);
		if (i != 2)
			fill_row(&s->rows, "alloc", "leaf", i + 3);
		fill_row(&s->rows, "layer submit", "0", i + 4);
		hist_merge(&d->total, &s->total);
	}
}

static json_object *rows_json(const struct result_rows *rows)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < rows->n; i++) {
		json_object *o = report_latency(NULL, &rows->v[i].hist);

		json_str(o, "stage", rows->v[i].stage);
		json_str(o, "group", rows->v[i].group);
		json_str(o, "layer", rows->v[i].layer);
		json_str(o, "device", "dm-0");
		report_buckets(o, &rows->v[i].hist);
		json_object_array_add(list, o);
	}
	return list;
}

static json_object *document(const struct result_dev *d)
{
	json_object *doc = report_doc_new("blklat", NULL), *list = json_object_new_array();
	json_object *dev = json_object_new_object(), *total = report_latency(NULL, &d->total);

	result_head(doc, "record");
	report_buckets(total, &d->total);
	json_str(dev, "name", d->name);
	json_object_object_add(dev, "total", total);
	json_object_object_add(dev, "stages", rows_json(&d->rows));
	result_dev_json(dev, d);
	json_object_array_add(list, dev);
	json_object_object_add(doc, "devices", list);
	return doc;
}

static bool same_hist(const struct hist *a, const struct hist *b)
{
	return a->count == b->count && a->sum == b->sum && a->min == b->min && a->max == b->max &&
	       !memcmp(a->buckets, b->buckets, a->nbuckets * sizeof(*a->buckets));
}

static bool same_rows(const struct result_rows *a, const struct result_rows *b)
{
	bool same = a->n == b->n;

	for (size_t i = 0; i < a->n && same; i++)
		same = !strcmp(a->v[i].stage, b->v[i].stage) && !strcmp(a->v[i].layer, b->v[i].layer) &&
		       same_hist(&a->v[i].hist, &b->v[i].hist);
	return same;
}

static bool same_sample(const struct result_sample *a, const struct result_sample *b)
{
	bool cpu = isnan(a->cpu_ns) ? isnan(b->cpu_ns) : fabs(a->cpu_ns - b->cpu_ns) < 1e-6;

	return a->round == b->round && a->traced == b->traced && a->at_ns == b->at_ns &&
	       a->elapsed_ns == b->elapsed_ns && a->ios == b->ios && a->bytes == b->bytes && cpu &&
	       same_hist(&a->total, &b->total) && same_rows(&a->rows, &b->rows);
}

static void round_trip(const struct result_dev *d)
{
	json_object *doc = document(d);
	struct result r;
	int ret;

	report_doc_write_plain(doc, path);
	json_object_put(doc);
	ret = result_load(path, &r);
	if (!check(!ret && r.ndevs == 1 && !strcmp(r.kind, "record"), "what was saved loads again (%d)", ret))
		goto out;
	check(!strcmp(r.devs[0].name, d->name) && !strcmp(r.devs[0].label, d->label) && r.devs[0].top,
	      "the device: %s, %s", r.devs[0].name, r.devs[0].label);
	check(same_hist(&r.devs[0].total, &d->total) && same_rows(&r.devs[0].rows, &d->rows),
	      "its totals and stages");
	check(!strcmp(r.devs[0].rows.v[1].label, "dm-0 submit") && !strcmp(r.devs[0].rows.v[0].label, "alloc"),
	      "their labels: %s, %s", r.devs[0].rows.v[0].label, r.devs[0].rows.v[1].label);
	check(r.devs[0].nsamples == d->nsamples, "%zu samples", r.devs[0].nsamples);
	for (size_t i = 0; i < d->nsamples && i < r.devs[0].nsamples; i++)
		check(same_sample(&r.devs[0].samples[i], &d->samples[i]), "sample %zu", i);
	check(!strcmp(r.devs[0].samples[3].rows.v[1].group, "kernel"), "stages of samples have a group");
out:
	result_free(&r);
}

static void merging(struct result_dev *d)
{
	uint64_t ios = 0;
	struct hist sum;

	hist_init(&sum, BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS);
	for (size_t i = 0; i < d->nsamples; i++)
		hist_merge(&sum, &d->samples[i].rows.v[d->samples[i].rows.n - 1].hist);
	result_merge_pairs(d);
	check(d->nsamples == 3, "five samples become three (%zu)", d->nsamples);
	for (size_t i = 0; i < d->nsamples; i++) {
		const struct result_row *row = result_row_find(&d->samples[i].rows, "layer submit", "0");

		check(d->samples[i].round == i, "round %u", d->samples[i].round);
		ios += d->samples[i].ios;
		for (uint32_t k = 0; row && k < row->hist.nbuckets; k++)
			sum.buckets[k] -= row->hist.buckets[k];
	}
	check(ios == 250 && d->samples[0].elapsed_ns == 2000000001ull, "no I/O and no time is lost (%llu)",
	      (unsigned long long)ios);
	for (uint32_t k = 0; k < sum.nbuckets; k++)
		ios += sum.buckets[k];
	check(ios == 250, "nor anything of the stages");
	check(d->samples[1].rows.n == 2, "a stage that only one of two has stays (%zu)", d->samples[1].rows.n);
	hist_free(&sum);
}

static void refused(const char *what, const char *text, size_t len, const char *why)
{
	FILE *f = fopen(path, "w");
	struct result r;
	int ret;

	fwrite(text, 1, len, f);
	fclose(f);
	ret = result_load(path, &r);
	check(ret < 0 && strstr(log_last_error(), why), "%s: %s", what, log_last_error());
	result_free(&r);
}

/* Expect @text to be refused when its first @from is replaced by @to. */
static void refused_with(const char *text, const char *from, const char *to, const char *why)
{
	const char *at = strstr(text, from);
	char *changed;
	int len;

	if (!check(at, "the file has %s", from))
		return;
	len = asprintf(&changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
	refused(to, changed, len, why);
	free(changed);
}

static void damage(const struct result_dev *d)
{
	json_object *doc = document(d);
	const char *text = json_object_to_json_string_ext(doc, JSON_C_TO_STRING_NOSLASHESCAPE);

	refused("an empty file", "", 0, "ends in the middle");
	refused("half a file", text, strlen(text) / 2, "ends in the middle");
	refused("no JSON", "ELF", 3, "no JSON");
	refused("another document", "[1]", 3, "no result of blklat");
	refused("a number", "{}", 2, "no result of blklat");
	refused_with(text, "blklat/1", "blkgen/1", "no result of blklat");
	refused_with(text, "\"format\":1", "\"format\":2", "has format 2");
	refused_with(text, "\"result\"", "\"nothing\"", "blklat record");
	refused_with(text, "\"buckets\":[[", "\"buckets\":[[2240,1],[", "damaged");
	refused_with(text, "\"buckets\":[[", "\"buckets\":[[1],[", "damaged");
	refused_with(text, "\"devices\"", "\"others\"", "no devices");
	json_object_put(doc);
	unlink(path);
	refused_with("{\"schema\":\"blklat/1\"", "1\"", "1\"}", "blklat record");
	unlink(path);
	{
		struct result r;

		check(result_load(path, &r) == -ENOENT, "no file: %s", log_last_error());
		result_free(&r);
	}
}

int main(void)
{
	struct result_dev d = { 0 };
	int fd;

	log_init("test_user_result");
	fd = mkstemp(path);
	if (fd >= 0)
		close(fd);
	fill_dev(&d);
	round_trip(&d);
	damage(&d);
	merging(&d);
	result_dev_free(&d);
	unlink(path);
	return unit_end();
}
