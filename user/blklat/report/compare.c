// SPDX-License-Identifier: GPL-2.0
/* blklat report: make the comparisons in result files and their tables. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/report/compare.h"
#include "core/log.h"

const char *report_own_label(const struct result_dev *d)
{
	const char *load = doc_str(d->doc, "scenario");
	size_t len = strlen(load);

	return len && !strncmp(d->label, load, len) && d->label[len] == ' ' ?
	       d->label + len + 1 : d->label;
}

bool report_of_first_load(const struct result *r, size_t i)
{
	return !strcmp(doc_str(r->devs[i].doc, "scenario"), doc_str(r->devs[0].doc, "scenario"));
}

static bool has_label(const struct result *r, const char *label)
{
	for (size_t i = 0; i < r->ndevs; i++)
		if (r->devs[i].top && !strcmp(report_own_label(&r->devs[i]), label))
			return true;
	return false;
}

/*
 * Compare the devices of one file that were asked for. If the file has no device @baseline, the
 * baseline is that of the file.
 */
static int compare_one(const struct result *r, const char *baseline, struct comparison *c)
{
	json_object *doc = doc_get(r->doc, "comparison");
	const struct result_dev **devs = calloc(r->ndevs, sizeof(*devs));

	if (!devs)
		return err(-ENOMEM, "out of memory");
	if (!baseline || !has_label(r, baseline))
		baseline = doc_str(doc, "baseline");
	*c = (struct comparison){
		.devs = devs, .paired = json_object_get_boolean(doc_get(doc, "paired")),
		.confidence = doc_real(doc, "confidence"), .seed = doc_u64(doc, "seed"),
	};
	for (size_t i = 0; i < r->ndevs; i++) {
		if (!r->devs[i].top)
			continue;
		if (!strcmp(r->devs[i].label, baseline))
			c->baseline = c->ndevs;
		devs[c->ndevs++] = &r->devs[i];
	}
	if (c->confidence && !(c->confidence >= 0.5 && c->confidence <= 0.9999))
		return err(-EINVAL, "%s: comparison.confidence is not between 0.5 and 0.9999",
			   r->path);
	/* The file of a part of a comparison may have none of the compared devices. */
	return c->ndevs && compare_stats(c) ? err(-ENOMEM, "out of memory") : 0;
}

/* Return true if a result has the comparison: the file of one that ended early may have none. */
static bool is_comparison(const struct result *r)
{
	return !strcmp(r->kind, "compare") && doc_get(r->doc, "comparison");
}

static int check_baseline(const struct report_set *set)
{
	char list[1024] = "";
	size_t any = 0;

	for (size_t f = 0; f < set->n; f++) {
		const struct result *r = &set->results[f];

		if (strcmp(r->kind, "compare"))
			continue;
		if (has_label(r, set->baseline))
			return 0;
		for (size_t i = 0; i < r->ndevs; i++) {
			size_t len = strlen(list);

			if (r->devs[i].top && report_of_first_load(r, i))
				snprintf(list + len, sizeof(list) - len, "%s%s", any++ ? ", " : "",
					 report_own_label(&r->devs[i]));
		}
	}
	return any ? err(-EINVAL, "--baseline '%s': the compared devices are: %s",
			 set->baseline, list) :
	       err(-EINVAL, "--baseline: no file is a result of blklat compare");
}

int report_comparisons(struct report_set *set)
{
	int ret = set->baseline ? check_baseline(set) : 0;

	if (ret)
		return ret;
	set->cmps = calloc(set->n, sizeof(*set->cmps));
	if (!set->cmps)
		return err(-ENOMEM, "out of memory");
	for (size_t f = 0; f < set->n; f++) {
		const struct result *r = &set->results[f];

		if (!is_comparison(r))
			continue;
		ret = compare_one(r, set->baseline, &set->cmps[f]);
		if (ret)
			return ret;
		if (!set->tops.cmp && set->cmps[f].ndevs > 1)
			set->tops.cmp = &set->cmps[f];
	}
	return 0;
}

void report_comparisons_free(struct report_set *set)
{
	for (size_t f = 0; f < set->n && set->cmps; f++) {
		free((void *)set->cmps[f].devs);
		comparison_free(&set->cmps[f]);
	}
	free(set->cmps);
}

struct report_table *report_compared(const struct comparison *c)
{
	static const enum compare_what which[] = {
		COMPARE_IOPS, COMPARE_CPU, COMPARE_MEAN, COMPARE_P99
	};

	return comparison_devices(c, which, sizeof(which) / sizeof(*which), true);
}
