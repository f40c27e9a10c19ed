// SPDX-License-Identifier: GPL-2.0
/* blklat report: split a result of compare --scenario into its loads. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/report/compare.h"
#include "blklat/report/scenarios.h"
#include "core/log.h"

/*
 * The result of one load as a set of its own. Its histograms and documents belong to the whole
 * result.
 */
struct part {
	struct report_set set;
	struct result result;
};

bool report_has_scenarios(const struct report_set *set)
{
	return set->n == 1 && doc_len(doc_get(set->results[0].doc, "scenarios"));
}

static void take_devices(struct part *p, const struct result *from, const char *name)
{
	for (size_t i = 0; i < from->ndevs; i++) {
		struct result_dev *d = &p->result.devs[p->result.ndevs];
		const char *label = report_own_label(&from->devs[i]);
		struct plot_dev *at;

		if (strcmp(doc_str(from->devs[i].doc, "scenario"), name))
			continue;
		*d = from->devs[i];
		snprintf(d->label, sizeof(d->label), "%s", label);
		p->result.ndevs++;
		at = &p->set.all.devs[p->set.all.n++];
		at->dev = d;
		snprintf(at->label, sizeof(at->label), "%s", *d->label ? d->label : d->name);
		if (d->top)
			p->set.tops.devs[p->set.tops.n++] = *at;
	}
}

static int make_part(struct part *p, const struct report_set *whole, json_object *scenario)
{
	const struct result *from = &whole->results[0];

	*p = (struct part){ .result = { .path = from->path }, .set.baseline = whole->baseline,
			    .set.detail = whole->detail };
	memcpy(p->result.kind, from->kind, sizeof(from->kind));
	p->result.doc = json_object_new_object();
	p->result.devs = calloc(from->ndevs, sizeof(*p->result.devs));
	p->set.results = &p->result;
	p->set.n = 1;
	p->set.tops.devs = calloc(from->ndevs, sizeof(*p->set.tops.devs));
	p->set.all.devs = calloc(from->ndevs, sizeof(*p->set.all.devs));
	if (!p->result.doc || !p->result.devs || !p->set.tops.devs || !p->set.all.devs)
		return err(-ENOMEM, "out of memory");
	json_object_object_add(p->result.doc, "comparison",
			       json_object_get(doc_get(scenario, "comparison")));
	take_devices(p, from, doc_str(scenario, "name"));
	return report_comparisons(&p->set);
}

static void free_part(struct part *p)
{
	report_comparisons_free(&p->set);
	json_object_put(p->result.doc);
	free(p->result.devs);
	free(p->set.tops.devs);
	free(p->set.all.devs);
}

int report_each_scenario(const struct report_set *set, report_part_fn fn, const void *arg)
{
	json_object *list = doc_get(set->results[0].doc, "scenarios");
	int ret = 0;

	for (size_t i = 0; i < doc_len(list) && !ret; i++) {
		json_object *scenario = doc_at(list, i);
		struct part p;

		ret = make_part(&p, set, scenario);
		p.set.tops.stage = set->tops.stage;
		if (!ret)
			ret = fn(&p.set, doc_str(scenario, "name"), arg);
		free_part(&p);
	}
	return ret;
}
