// SPDX-License-Identifier: GPL-2.0
/* Make, find, merge and free the parts of results: devices, samples, rows. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "blklat.h"
#include "blklat/result/names.h"
#include "blklat/result/result.h"
#include "core/text.h"

/* Longest list of kinds that is part of a label: two of the usual ones. */
#define MAX_KINDS 24

static void rows_free(struct result_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		hist_free(&rows->v[i].hist);
	free(rows->v);
	*rows = (struct result_rows){ 0 };
}

const char *result_label(const char *name)
{
	static const char *const dirs[] = { "/dev/", "mapper/" };

	for (size_t i = 0; i < 2; i++)
		if (!strncmp(name, dirs[i], strlen(dirs[i])))
			name += strlen(dirs[i]);
	return name;
}

const char *result_file_label(const struct result *results, size_t n, size_t file)
{
	const char *path = results[file].path, *base = path_base(path);

	for (size_t i = 0; i < n; i++)
		if (i != file && !strcmp(path_base(results[i].path), base))
			return path;
	return base;
}

void result_kinds_add(char *kinds, size_t len, const char *more)
{
	for (const char *p = more; *p; p += strcspn(p, "/"), p += *p == '/') {
		size_t n = strcspn(p, "/"), end = strlen(kinds);

		if (n && !text_has_word(kinds, "/", p, n))
			snprintf(kinds + end, len - end, "%s%.*s", end ? "/" : "", (int)n, p);
	}
}

void result_stage_label(char *buf, size_t len, const char *stage, const char *layer,
			const char *kinds)
{
	const char *what = layer_stage(stage);

	if (!what)
		snprintf(buf, len, "%s", stage);
	else if (!*kinds || strlen(kinds) > MAX_KINDS)
		snprintf(buf, len, "layer %s%s", layer, what);
	else if (strcmp(layer, "0"))
		snprintf(buf, len, "%s%s, layer %s", kinds, what, layer);
	else
		snprintf(buf, len, "%s%s", kinds, what);
}

const struct result_row *result_row_find(const struct result_rows *rows, const char *stage,
					 const char *layer)
{
	for (size_t i = 0; i < rows->n; i++)
		if (!strcmp(rows->v[i].stage, stage) && !strcmp(rows->v[i].layer, layer))
			return &rows->v[i];
	return NULL;
}

struct result_row *result_row_add(struct result_rows *rows)
{
	struct result_row *v = realloc(rows->v, (rows->n + 1) * sizeof(*v));

	if (!v)
		return NULL;
	rows->v = v;
	v += rows->n;
	memset(v, 0, sizeof(*v));
	if (hist_init(&v->hist, BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS))
		return NULL;
	rows->n++;
	return v;
}

struct result_row *result_row_like(struct result_rows *rows, const struct result_row *like)
{
	struct result_row *row = result_row_add(rows);
	struct hist empty;

	if (!row)
		return NULL;
	empty = row->hist;
	*row = *like;
	row->hist = empty;
	row->tracing_ns = 0;
	return row;
}

void result_row_name(struct result_row *row, unsigned int stage, const char *device,
		     const struct result_layers *layers)
{
	unsigned int depth = (stage - NR_ROWS) / NR_LAYER_STAGES;
	bool layer = stage >= NR_ROWS;

	snprintf(row->stage, sizeof(row->stage), "%s", stage_name(stage));
	snprintf(row->group, sizeof(row->group), "%s", group_name(stage_group(stage)));
	snprintf(row->layer, sizeof(row->layer), layer ? "%u" : "leaf", depth);
	snprintf(row->device, sizeof(row->device), "%s", layer ? layers->names[depth] : device);
	snprintf(row->kind, sizeof(row->kind), "%s", layer ? layers->kinds[depth] : "");
	stage_label(row->label, sizeof(row->label), row->stage, row->device);
}

struct result_sample *result_sample_add(struct result_dev *d)
{
	struct result_sample *v = realloc(d->samples, (d->nsamples + 1) * sizeof(*v));

	if (!v)
		return NULL;
	d->samples = v;
	v += d->nsamples;
	memset(v, 0, sizeof(*v));
	v->cpu_ns = NAN;
	if (hist_init(&v->total, BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS))
		return NULL;
	d->nsamples++;
	return v;
}

void result_sample_free(struct result_sample *s)
{
	hist_free(&s->total);
	rows_free(&s->rows);
}

static void groups_free(struct result_groups *groups)
{
	for (size_t i = 0; i < groups->n; i++) {
		hist_free(&groups->v[i].total);
		rows_free(&groups->v[i].rows);
	}
	free(groups->v);
	*groups = (struct result_groups){ 0 };
}

static void tails_free(struct result_dev *d)
{
	for (size_t i = 0; i < d->ntails; i++)
		rows_free(&d->tails[i].rows);
	free(d->tails);
	d->tails = NULL;
	d->ntails = 0;
}

int result_dev_new(struct result_dev *d, const struct device *dev,
		   const struct result_layers *layers)
{
	static const double pcts[NR_TAILS] = { 50, 90, 99, 99.9 };

	*d = (struct result_dev){
		.facts = *dev, .cost = { .per_io_ns = -1, .user_per_io_ns = -1 },
	};
	snprintf(d->name, sizeof(d->name), "%s", dev->name);
	d->tails = calloc(NR_TAILS, sizeof(*d->tails));
	d->spans.v = calloc(NR_SPANS, sizeof(*d->spans.v));
	if (!d->tails || !d->spans.v ||
	    hist_init(&d->total, BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS))
		return -ENOMEM;
	for (; d->ntails < NR_TAILS; d->ntails++)
		d->tails[d->ntails].pct = pcts[d->ntails];
	for (unsigned int s = SPAN_TOTAL + 1; s < NR_SPANS; s++) {
		struct result_group *span = &d->spans.v[d->spans.n++];

		span->name = span_name(s);
		if (hist_init(&span->total, BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS))
			return -ENOMEM;
	}
	for (unsigned int k = 0; k < NR_LINES; k++) {
		struct result_row *row = result_row_add(&d->rows);

		if (!row)
			return -ENOMEM;
		result_row_name(row, stage_order()[k], d->name, layers);
	}
	return 0;
}

void result_dev_free(struct result_dev *d)
{
	for (size_t i = 0; i < d->nsamples; i++)
		result_sample_free(&d->samples[i]);
	free(d->samples);
	hist_free(&d->total);
	rows_free(&d->rows);
	groups_free(&d->ops);
	groups_free(&d->by);
	groups_free(&d->spans);
	free(d->by_text);
	tails_free(d);
	free(d->legs);
	free(d->own);
	*d = (struct result_dev){ 0 };
}

void result_free(struct result *r)
{
	for (size_t i = 0; i < r->ndevs; i++)
		result_dev_free(&r->devs[i]);
	free(r->devs);
	json_object_put(r->doc);
	free(r->path);
	*r = (struct result){ 0 };
}

uint64_t ledger_count(const struct blklat_ledger *l, enum blklat_counter counter)
{
	return l->n[counter] == LEDGER_UNKNOWN ? 0 : l->n[counter];
}

uint64_t ledger_lost(const struct blklat_ledger *l)
{
	return ledger_count(l, COUNT_LOST_FULL) + ledger_count(l, COUNT_LOST_END) +
	       ledger_count(l, COUNT_LOST_QUEUE);
}

uint64_t result_group_sum(const struct result_rows *rows, enum blklat_group group)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < rows->n; i++)
		if (!strcmp(rows->v[i].group, group_name(group)))
			sum += rows->v[i].hist.sum;
	return group == GROUP_APP ? 0 : sum;
}

double result_per_io(uint64_t sum, const struct hist *total)
{
	return total->count ? (double)sum / total->count : 0;
}

double result_group_mean(const struct result_rows *rows, enum blklat_group group,
			 const struct hist *total)
{
	return result_per_io(result_group_sum(rows, group), total);
}

double result_unsplit_mean(const struct result_rows *rows, const struct hist *total)
{
	return result_per_io(result_group_sum(rows, GROUP_KERNEL_DRIVER) +
			     result_group_sum(rows, GROUP_DRIVER_DEVICE) +
			     result_group_sum(rows, GROUP_MERGED) +
			     result_group_sum(rows, GROUP_UNATTRIBUTED), total);
}

static int merge_rows(struct result_rows *into, const struct result_rows *from)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct result_row *row = &from->v[i];
		struct result_row *to;

		to = (struct result_row *)result_row_find(into, row->stage, row->layer);
		to = to ?: result_row_like(into, row);
		if (!to)
			return -ENOMEM;
		to->tracing_ns += row->tracing_ns;
		hist_merge(&to->hist, &row->hist);
	}
	return 0;
}

int result_own_turns(struct result_dev *d)
{
	uint64_t before = d->total.count;
	bool any = false;
	int ret = 0;

	for (size_t i = 0; i < d->nsamples; i++)
		any |= d->samples[i].traced;
	if (!any)
		return 0;
	hist_clear(&d->total);
	for (size_t i = 0; i < d->rows.n; i++) {
		hist_clear(&d->rows.v[i].hist);
		d->rows.v[i].tracing_ns = 0;
	}
	for (size_t i = 0; i < d->nsamples && !ret; i++) {
		const struct result_sample *s = &d->samples[i];

		if (s->traced)
			ret = hist_merge(&d->total, &s->total) ?: merge_rows(&d->rows, &s->rows);
	}
	/*
	 * If the trace counted I/Os of other turns, the tails and the kinds of I/O include these,
	 * and cannot be computed for the device's own turns: drop them.
	 */
	if (d->total.count != before) {
		tails_free(d);
		groups_free(&d->ops);
		d->own_turns = true;
	}
	return ret;
}

bool result_has_untraced(const struct result_dev *d, bool latency)
{
	for (size_t i = 0; i < d->nsamples; i++)
		if (!d->samples[i].traced && (!latency || d->samples[i].total.count))
			return true;
	return false;
}

uint64_t result_bytes(const struct result_dev *d)
{
	uint64_t sum = 0;

	if (!d->own_turns)
		return ledger_count(&d->ledger, COUNT_BYTES);
	for (size_t i = 0; i < d->nsamples; i++)
		if (d->samples[i].traced)
			sum += d->samples[i].bytes;
	return sum;
}

/* Add a sample to the one before it, and free it. */
static int merge_sample(struct result_sample *to, struct result_sample *from)
{
	int ret = hist_merge(&to->total, &from->total) ?: merge_rows(&to->rows, &from->rows);

	if (ret)
		return ret;
	to->elapsed_ns += from->elapsed_ns;
	to->ios += from->ios;
	to->bytes += from->bytes;
	result_sample_free(from);
	return 0;
}

int result_merge_pairs(struct result_dev *d)
{
	size_t n = 0;
	int ret = 0;

	/* After an error the samples are only moved, so that each of them has one owner. */
	for (size_t i = 0; i < d->nsamples; n++) {
		struct result_sample *a = &d->samples[i++], *b = a + 1;

		a->round /= 2;
		/* A device that joined later may have no sample of the first half. */
		if (!ret && i < d->nsamples && b->round / 2 == a->round) {
			ret = merge_sample(a, b);
			i += !ret;
		}
		d->samples[n] = *a;
	}
	d->nsamples = n;
	return ret;
}
