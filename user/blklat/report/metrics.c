// SPDX-License-Identifier: GPL-2.0
/* Write result files as metrics for Prometheus. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/report/report.h"
#include "core/log.h"
#include "core/reader.h"
#include "blklat/result/openmetrics.h"
#include "blklat/result/names.h"

/*
 * The histograms of each kind of I/O. struct metrics_dev only points at its histograms, so these
 * live here.
 */
struct op_hists {
	struct hist op[NR_OPS];
};

static int take_op(struct metrics_dev *d, struct op_hists *h, json_object *o)
{
	for (unsigned int op = 0; op < NR_OPS; op++) {
		if (strcmp(op_name(op), doc_str(o, "op")) || h->op[op].buckets)
			continue;
		if (hist_init(&h->op[op], BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS))
			return -ENOMEM;
		d->ops[op] = &h->op[op];
		return result_load_hist(doc_get(o, "total"), &h->op[op]);
	}
	return 0;
}

static int take_ops(struct metrics_dev *d, struct op_hists *h, const struct plot_dev *p)
{
	json_object *list = doc_get(p->dev->doc, "ops");
	int ret = 0;

	for (size_t i = 0; i < doc_len(list) && !ret; i++)
		ret = take_op(d, h, json_object_array_get_idx(list, i));
	return ret == -EINVAL ? err(ret, "%s: the file has no distributions of kinds of I/O", p->label) :
	       ret ? err(ret, "out of memory") : 0;
}

static void take_stages(struct metrics_dev *d, const struct result_rows *rows)
{
	for (size_t i = 0; i < rows->n && d->nstages < NR_LINES; i++) {
		struct metrics_stage *s = &d->stages[d->nstages];

		if (!rows->v[i].hist.count)
			continue;
		s->stage = rows->v[i].stage;
		s->group = rows->v[i].group;
		memcpy(s->layer, rows->v[i].layer, sizeof(s->layer));
		s->hist = &rows->v[i].hist;
		d->nstages++;
	}
}

static int take_device(struct metrics_dev *d, struct op_hists *h, const struct plot_dev *p)
{
	json_object *facts = doc_get(p->dev->doc, "facts"), *ledger = doc_get(p->dev->doc, "ledger");

	d->name = p->label;
	d->driver = doc_str(facts, "driver");
	d->model = doc_str(facts, "model");
	d->firmware = doc_str(facts, "firmware");
	d->scheduler = doc_str(facts, "scheduler");
	d->top = p->dev->top;
	d->traced_ns = doc_u64(p->dev->doc, "elapsed_ns");
	for (unsigned int c = 0; c < NR_COUNTERS; c++)
		d->counters[c] = METRICS_UNKNOWN;
	if (ledger) {
		json_object_object_foreach(ledger, key, v)
			metrics_set_counter(d, key, json_object_get_uint64(v));
	}
	take_stages(d, &p->dev->rows);
	return take_ops(d, h, p);
}

static const char *kernel_of(const struct report_set *set, const struct result_dev *d)
{
	for (size_t f = 0; f < set->n; f++)
		if (d >= set->results[f].devs && d < set->results[f].devs + set->results[f].ndevs)
			return doc_str(doc_get(set->results[f].doc, "kernel"), "release");
	return "";
}

/*
 * Refuse two devices with the same label: a series that appears twice would make the file
 * invalid.
 */
static int check_names(const struct plot_set *all)
{
	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(all->devs[i].label, all->devs[k].label))
				return err(-EINVAL, "two devices are called %s, which metrics cannot tell apart",
					   all->devs[i].label);
	return 0;
}

int report_metrics(const struct report_set *set, const char *path)
{
	struct metrics_dev *devs = calloc(set->all.n, sizeof(*devs));
	struct op_hists *hists = calloc(set->all.n, sizeof(*hists));
	struct metrics m = { .missed = report_missed(set), .devs = devs, .ndevs = set->all.n };
	int ret = devs && hists ? check_names(&set->all) : err(-ENOMEM, "out of memory");

	for (size_t i = 0; i < m.ndevs && !ret; i++) {
		ret = take_device(&devs[i], &hists[i], &set->all.devs[i]);
		devs[i].kernel = kernel_of(set, set->all.devs[i].dev);
	}
	if (!ret) {
		ret = metrics_write(&m, path);
		if (ret && !strcmp(path, "-"))
			ret = reader_print_error(ret);
		else if (ret)
			err(ret, "%s: cannot write: %s", path, strerror(-ret));
	}
	for (size_t i = 0; hists && i < m.ndevs; i++)
		for (unsigned int op = 0; op < NR_OPS; op++)
			hist_free(&hists[i].op[op]);
	free(hists);
	free(devs);
	return ret;
}
