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
#include "blklat/result/result.h"
#include "output/document.h"
#include "output/json.h"
#include "unit.h"

static char path[] = "/tmp/test_user_result.XXXXXX";

/* Add a row with some I/Os of @stage, which differ for each @seed. */
static void fill_row(struct result_rows *rows, const char *stage, const char *layer,
		     unsigned int seed)
{
	struct result_row *row = result_row_add(rows);

	snprintf(row->stage, sizeof(row->stage), "%s", stage);
	snprintf(row->group, sizeof(row->group), "kernel");
	snprintf(row->layer, sizeof(row->layer), "%s", layer);
	strcpy(row->device, "dm-0");
	for (unsigned int i = 0; i < 50; i++)
		hist_add(&row->hist, 1000 + seed * 997 + i * i * seed);
}

/* Make one group with @n I/Os. */
static void fill_groups(struct result_groups *groups, const char *name, unsigned int n)
{
	struct result_group *g = calloc(1, sizeof(*g));

	*groups = (struct result_groups){ g, 1 };
	g->name = name;
	hist_init(&g->total, BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS);
	for (unsigned int i = 0; i < n; i++)
		hist_add(&g->total, 3000 + i * 100);
	g->p50_ns = hist_percentile(&g->total, 50);
	g->p99_ns = hist_percentile(&g->total, 99);
	fill_row(&g->rows, "alloc", "leaf", 9);
}

/* Each fact has a value of its own, so that two of them cannot be mixed up. */
static const struct device facts = {
	.name = "dm-0", .path = "/dev/dm-0", .partition = true, .partno = 3, .disk = "disk",
	.start = 4096, .size = 1 << 30, .kind = "kind", .transport = "transport", .model = "model",
	.firmware = "firmware", .serial = "serial", .by_id = "by_id", .lba_format = "lba",
	.logical_bs = 512, .physical_bs = 8192,
	.rotational = true, .queues = 5, .depth = 7, .scheduler = "scheduler", .max_io = 65536,
	.write_cache = "write back", .numa_node = 2,
};

static void fill_parts(struct result_dev *d)
{
	struct result_row row = { .stage = "alloc", .layer = "leaf", .hist.sum = 700 };

	d->ntails = d->nlegs = 1;
	d->tails = calloc(1, sizeof(*d->tails));
	*d->tails = (struct result_tail){ 99.9, 3000, 7, 21000, { malloc(sizeof(row)), 1 } };
	*d->tails->rows.v = row;
	d->legs = calloc(1, sizeof(*d->legs));
	*d->legs = (struct result_leg){
		.device = "sda", .linked = 11, .bytes = 12, .critical = 13, .share_pct = 62.5,
		.critical_pct = 12.5, .ios = d->total.count, .mean_ns = hist_mean(&d->total),
		.p99_ns = hist_percentile(&d->total, 99), .total = &d->total,
	};
}

/* Fill in the members that tell what a layer is in its stack. */
static void fill_stack(struct result_dev *d)
{
	const struct own_end own = {
		.count = 5, .what = "superblock", .name = "super_written", .module = "md_mod",
	};

	strcpy(d->kind, "dm-linear");
	strcpy(d->rows.v[1].kind, d->kind);
	strcpy(d->shared, "stripe cache");
	strcpy(d->why_unsplit, "nothing was sent below for them");
	d->unsplit = 17;
	d->joined_ns = 123456789;
	d->left_ns = 987654321;
	d->spans.n = 1;
	d->spans.v = calloc(1, sizeof(*d->spans.v));
	*d->spans.v = (struct result_group){ .name = "Q2C", .p50_ns = d->ops.v->p50_ns };
	hist_init(&d->spans.v->total, BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS);
	hist_merge(&d->spans.v->total, &d->ops.v->total);
	for (unsigned int op = 0; op < NR_OPS; op++)
		d->flow[op] = (struct result_flow){
			{ 100 + op, 200 + op }, { 10 + op, 20 + op }, { 300 + op, 400 + op },
		};
	d->self = (struct result_self){ true, 1000.5, 2000.25, 3, true, 100.5, 200.75 };
	d->nr_own = 1;
	d->own = calloc(1, sizeof(*d->own));
	*d->own = own;
	d->cost = (struct trace_cost){ 1234.5, 9, 1000, 7, 800000000, 299.5 };
}

static void fill_dev(struct result_dev *d)
{
	d->facts = facts;
	d->elapsed_ns = 5000000000ull;
	for (unsigned int c = 0; c < NR_COUNTERS; c++)
		d->ledger.n[c] = 1000 + c;
	fill_groups(&d->ops, "write", 77);
	fill_groups(&d->by, "fio", 88);
	d->by_key = "comm";
	d->by.v->has_id = true;
	d->by.v->id = 42;
	d->by.v->others = 6;
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
	fill_parts(d);
	fill_stack(d);
}

static json_object *document(const struct result_dev *d)
{
	json_object *doc = report_doc_new("blklat", NULL), *list = json_object_new_array();
	json_object *dev = result_dev_json(d, true);

	result_head(doc, "record");
	result_samples_json(dev, d);
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
		same = !strcmp(a->v[i].stage, b->v[i].stage) &&
		       !strcmp(a->v[i].layer, b->v[i].layer) &&
		       same_hist(&a->v[i].hist, &b->v[i].hist);
	return same;
}

static bool same_groups(const struct result_groups *a, const struct result_groups *b)
{
	const struct result_group *x = a->v, *y = b->v;

	return a->n == 1 && b->n == 1 && !strcmp(x->name, y->name) && x->has_id == y->has_id &&
	       x->id == y->id && x->others == y->others && same_hist(&x->total, &y->total) &&
	       x->p50_ns == y->p50_ns && x->p99_ns == y->p99_ns && same_rows(&x->rows, &y->rows);
}

static bool same_tails(const struct result_dev *a, const struct result_dev *b)
{
	const struct result_tail *x = a->tails, *y = b->tails;

	return a->ntails == 1 && b->ntails == 1 && x->pct == y->pct && x->from_ns == y->from_ns &&
	       x->count == y->count && x->sum_ns == y->sum_ns && same_rows(&x->rows, &y->rows);
}

static bool same_legs(const struct result_dev *a, const struct result_dev *b)
{
	const struct result_leg *x = a->legs, *y = b->legs;

	return a->nlegs == 1 && b->nlegs == 1 && !strcmp(x->device, y->device) &&
	       x->linked == y->linked && x->bytes == y->bytes && x->critical == y->critical &&
	       x->share_pct == y->share_pct && x->critical_pct == y->critical_pct &&
	       x->ios == y->ios && fabs(x->mean_ns - y->mean_ns) < 1e-6 && x->p99_ns == y->p99_ns;
}

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-6;
}

static bool same_self(const struct result_self *a, const struct result_self *b)
{
	return a->known == b->known && a->tracing_known == b->tracing_known &&
	       near(a->submit, b->submit) && near(a->complete, b->complete) &&
	       near(a->unsplit, b->unsplit) && near(a->submit_tracing, b->submit_tracing) &&
	       near(a->complete_tracing, b->complete_tracing);
}

static bool same_cost(const struct trace_cost *a, const struct trace_cost *b)
{
	return near(a->per_io_ns, b->per_io_ns) && a->programs == b->programs &&
	       a->runs == b->runs && a->misses == b->misses && a->attach_ns == b->attach_ns &&
	       near(a->user_per_io_ns, b->user_per_io_ns);
}

static void same_stack(const struct result_dev *a, const struct result_dev *b)
{
	const struct result_group *x = a->spans.v, *y = b->spans.v;

	check(!strcmp(a->kind, b->kind) && !strcmp(a->shared, b->shared) &&
	      a->joined_ns == b->joined_ns && a->left_ns == b->left_ns,
	      "what the device is in its stack: %s", a->kind);
	check(a->unsplit == b->unsplit && !strcmp(a->why_unsplit, b->why_unsplit),
	      "the device's I/Os that are not split: %s", a->why_unsplit);
	check(a->spans.n == 1 && !strcmp(x->name, y->name) && x->total.count == y->total.count &&
	      x->total.sum == y->total.sum && x->total.max == y->total.max &&
	      x->p50_ns == y->p50_ns, "the device's spans: %s", x->name);
	check(!memcmp(a->flow, b->flow, sizeof(a->flow)), "what the device got and sent below");
	check(same_self(&a->self, &b->self), "the device's own time");
	check(a->nr_own == 1 && !memcmp(a->own, b->own, sizeof(*a->own)), "the device's own I/Os");
	check(same_cost(&a->cost, &b->cost), "the cost of tracing");
}

static void same_whole(const struct result_dev *a, const struct result_dev *b)
{
	check(!memcmp(&a->facts, &b->facts, sizeof(a->facts)),
	      "the device's facts: %s", a->facts.scheduler);
	check(same_groups(&a->ops, &b->ops), "the device's kinds of I/O");
	check(same_groups(&a->by, &b->by) && !strcmp(a->by_key, b->by_key),
	      "the device's groups: %s", a->by_key);
	check(same_tails(a, b), "the device's slowest I/Os");
	check(same_legs(a, b), "the device's legs");
	check(a->elapsed_ns == b->elapsed_ns &&
	      !memcmp(a->ledger.n, b->ledger.n, sizeof(a->ledger.n)),
	      "the device's ledger");
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
	if (!check(!ret && r.ndevs == 1 && !strcmp(r.kind, "record"),
		   "what was saved loads again (%d)", ret))
		goto out;
	check(!strcmp(r.devs[0].name, d->name) && !strcmp(r.devs[0].label, d->label) &&
	      r.devs[0].top,
	      "the device: %s, %s", r.devs[0].name, r.devs[0].label);
	check(same_hist(&r.devs[0].total, &d->total) && same_rows(&r.devs[0].rows, &d->rows),
	      "the device's totals and stages");
	same_whole(&r.devs[0], d);
	same_stack(&r.devs[0], d);
	check(!strcmp(r.devs[0].rows.v[1].label, "dm-0 submit") &&
	      !strcmp(r.devs[0].rows.v[0].label, "alloc"),
	      "labels of stages: %s, %s", r.devs[0].rows.v[0].label, r.devs[0].rows.v[1].label);
	check(r.devs[0].nsamples == d->nsamples, "%zu samples", r.devs[0].nsamples);
	for (size_t i = 0; i < d->nsamples && i < r.devs[0].nsamples; i++)
		check(same_sample(&r.devs[0].samples[i], &d->samples[i]), "sample %zu", i);
	check(!strcmp(r.devs[0].samples[3].rows.v[1].group, "kernel"),
	      "stages of samples have a group");
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
		const struct result_rows *rows = &d->samples[i].rows;
		const struct result_row *row = result_row_find(rows, "layer submit", "0");

		check(d->samples[i].round == i, "round %u", d->samples[i].round);
		ios += d->samples[i].ios;
		for (uint32_t k = 0; row && k < row->hist.nbuckets; k++)
			sum.buckets[k] -= row->hist.buckets[k];
	}
	check(ios == 250 && d->samples[0].elapsed_ns == 2000000001ull,
	      "no I/O and no time is lost (%llu)", (unsigned long long)ios);
	for (uint32_t k = 0; k < sum.nbuckets; k++)
		ios += sum.buckets[k];
	check(ios == 250, "no I/O is lost from the stages");
	check(d->samples[1].rows.n == 2, "a stage that only one of two has stays (%zu)",
	      d->samples[1].rows.n);
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
	refused("no JSON", "ELF", 3, "is not JSON");
	refused("another document", "[1]", 3, "is not a result of blklat");
	refused("a number", "{}", 2, "is not a result of blklat");
	refused_with(text, "blklat/1", "blkgen/1", "is not a result of blklat");
	refused_with(text, "\"format\":1", "\"format\":2", "has format 2");
	refused_with(text, "\"result\"", "\"nothing\"", "blklat record");
	refused_with(text, "\"buckets\":[[", "\"buckets\":[[2240,1],[",
		     ": devices[0].total.buckets[0] is not a bucket");
	refused_with(text, "\"buckets\":[[", "\"buckets\":[[1],[",
		     ": devices[0].total.buckets[0] is not a bucket");
	refused_with(text, "\"buckets\":[[", "\"buckets\":[[-1,1],[",
		     ": devices[0].total.buckets[0] is not a bucket");
	refused_with(text, "\"buckets\"", "\"others\"", ": devices[0].total.buckets is missing");
	refused_with(text, "\"samples\":[", "\"samples\":{},\"others\":[",
		     ": devices[0].samples is not a list");
	refused_with(text, "\"round\":0", "\"round\":-1",
		     ": devices[0].samples[0].round is not a count");
	refused_with(text, "\"stages\":[", "\"stages\":[7,",
		     ": devices[0].stages[0] is not an object");
	refused_with(text, "\"stage\":\"", "\"stage\":\"\",\"others\":\"",
		     ": devices[0].stages[0].stage is empty");
	refused_with(text, "\"ledger\":{", "\"ledger\":{\"x\":[],",
		     ": devices[0].ledger.x is not a count");
	refused_with(text, "\"devices\"", "\"others\"", ": devices is missing");
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
