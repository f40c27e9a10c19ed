// SPDX-License-Identifier: GPL-2.0
/* What a comparison found: tables, JSON, file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/compare/compare.h"
#include "core/reader.h"
#include "report/breakdown.h"
#include "report/report.h"
#include "report/stack.h"
#include "blklat/result/compare_stats.h"

static int compare_tops(struct compare *c, json_object *doc)
{
	const struct result_dev **devs = calloc(c->n, sizeof(*devs));
	struct comparison cmp = {
		.devs = devs, .ndevs = c->n, .baseline = c->baseline, .paired = true, .seed = c->cfg->seed,
	};
	int ret;

	if (!devs)
		return err(-ENOMEM, "out of memory");
	for (size_t i = 0; i < c->n; i++)
		devs[i] = &c->res.devs[i];
	ret = compare_stats(&cmp);
	if (!ret)
		json_object_object_add(doc, "comparison", comparison_json(&cmp));
	if (!ret && (!c->cfg->json || strcmp(c->cfg->json, "-")))
		ret = comparison_print(&cmp, c->cfg->detail, stdout);
	comparison_free(&cmp);
	free(devs);
	return reader_print_error(ret);
}

/* A device that was not traced before it ended. */
static int empty_doc(struct result_dev *d, const struct device *dev)
{
	struct breakdown *b = calloc(1, sizeof(*b));

	if (!b || breakdown_init(b, dev)) {
		free(b);
		return err(-ENOMEM, "out of memory");
	}
	b->buckets = true;
	b->cost.per_io_ns = -1;
	d->doc = breakdown_json(b, 1, 0);
	breakdown_free(b);
	free(b);
	return 0;
}

static int devices_json(struct compare *c, json_object *doc)
{
	json_object *list = json_object_new_array();
	int ret = 0;

	for (size_t i = 0; i < c->res.ndevs && !ret; i++) {
		struct result_dev *d = &c->res.devs[i];

		if (!d->doc)
			ret = empty_doc(d, &c->devs[i]);
		if (ret)
			break;
		result_dev_json(d->doc, d);
		json_object_array_add(list, d->doc);
		d->doc = json_object_get(d->doc);
	}
	json_object_object_add(doc, "devices", list);
	return ret;
}

static int topology_json(struct compare *c, json_object *doc)
{
	struct topo t;
	int ret = topo_build(c->devs, c->n, TOPO_BELOW, &t);

	if (!ret)
		json_object_object_add(doc, "topology", stack_json(&t));
	topo_free(&t);
	return ret;
}

int compare_report(struct compare *c, json_object *doc)
{
	int ret;

	result_head(doc, "compare");
	json_object_object_add(doc, "load", compare_load_json(c));
	/* What is made by turns is not there now; the stacks have it. */
	ret = compare_stacks_by_turns(c) ? 0 : topology_json(c, doc);
	if (!ret)
		ret = devices_json(c, doc);
	if (!ret)
		ret = compare_tops(c, doc);
	return ret;
}
