// SPDX-License-Identifier: GPL-2.0
/* Print the result of a comparison and put it into the JSON document. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/compare/load.h"
#include "blklat/compare/report.h"
#include "blklat/compare/stacks.h"
#include "core/reader.h"
#include "core/units.h"
#include "blklat/result/result.h"
#include "blklat/result/topo_tree.h"
#include "blklat/result/compare_stats.h"
#include "output/file.h"

/*
 * A comparison that ends early needs this many complete rounds to tell a difference. If the user
 * asks for fewer rounds, their differences are printed without an interval.
 */
#define LEAST_ROUNDS	3

/* Return the load in words, to be freed, or NULL without memory. */
static char *load_text(const struct compare *c)
{
	const struct compare_load *l = &c->load;
	char time[FMT_LEN], *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return NULL;
	fputs(l->blkgen ? "blkgen load" : "the command", f);
	for (size_t i = 0; i < l->nargs; i++)
		fprintf(f, " %s", l->args[i]);
	fprintf(f, "; %u rounds", c->rounds);
	if (l->blkgen && !l->timed)
		fprintf(f, " of %s", fmt_time(time, sizeof(time), c->cfg->time));
	/* traced_time() may have made traced turns shorter than the others. */
	if (l->blkgen && !l->timed && c->shortest_ns && c->shortest_ns < c->cfg->time)
		fprintf(f, ", traced ones of %s or more",
			fmt_time(time, sizeof(time), c->shortest_ns));
	fclose(f);
	return text;
}

static int compare_tops(struct compare *c, json_object *doc)
{
	const struct result_dev **devs = calloc(c->n, sizeof(*devs));
	struct comparison cmp = {
		.devs = devs, .ndevs = c->n, .baseline = c->baseline, .paired = true,
		.seed = c->cfg->seed,
	};
	char *load;
	int ret;

	if (!devs)
		return err(-ENOMEM, "out of memory");
	for (size_t i = 0; i < c->n; i++)
		devs[i] = &c->res.devs[i];
	cmp.load = load = load_text(c);
	ret = compare_stats(&cmp);
	if (!ret)
		json_object_object_add(doc, "comparison", comparison_json(&cmp));
	if (!ret && !report_is_stdout(c->cfg->json))
		ret = comparison_print(&cmp, c->cfg->detail || c->cfg->common.verbose, stdout);
	comparison_free(&cmp);
	free(load);
	free(devs);
	return reader_print_error(ret);
}

/* Make the document of a device that was not traced, because of --untraced or an early end. */
static int empty_doc(struct result_dev *d, const struct device *dev)
{
	const struct result_layers none = { .leaf_devs = 0 };
	struct result_dev empty;
	int ret = result_dev_new(&empty, dev, &none);

	if (!ret)
		d->doc = result_dev_json(&empty, true);
	result_dev_free(&empty);
	return ret ? err(ret, "out of memory") : 0;
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
		result_samples_json(d->doc, d);
		json_object_array_add(list, d->doc);
		d->doc = json_object_get(d->doc);
	}
	json_object_object_add(doc, "devices", list);
	return ret;
}

/* The topology is left out if a device is gone by now: the complete rounds are still reported. */
static void topology_json(struct compare *c, json_object *doc)
{
	struct topo t;

	if (!topo_look(c->devs, c->n, &t)) {
		topo_facts(&t);
		json_object_object_add(doc, "topology", stack_json(&t));
	}
	topo_free(&t);
}

/*
 * Members of the JSON document "blklat compare":
 * @result: result, optional: Kind and format of this file. This and all members after it are absent
 *	if an error ended the untraced rounds, or if the comparison ended early with fewer than
 *	three complete rounds.
 * @machine: machine, optional: The machine on which the file was made.
 * @topology[]: topology, optional: The compared devices and the devices that they are made of.
 * @load: compared load, optional: The load that ran. Absent with ``--scenario``.
 * @stacks[]: stack, optional: With ``--stacks``: the stacks that were made, in the order in which
 *	the user named them.
 * @scenarios[]: scenario, optional: With ``--scenario``: one per load, in the order in which they
 *	ran.
 * @comparison: comparison, optional: All figures, and their differences to the baseline. Absent
 *	with ``--scenario``.
 * @*: blklat trace: ``devices``, as in a result file of a trace: first the compared devices in the
 *	order of the command line, then the devices below them. A device has the totals of all its
 *	traced rounds. If it was traced in several groups of devices, it has the totals of the first
 *	group. Its samples also include the untraced rounds.
 */

/* Print the tables and put the result into @doc. Return: 0 or -errno, reported. */
static int report(struct compare *c, json_object *doc)
{
	int ret;

	result_head(doc, "compare");
	json_object_object_add(doc, "load", compare_load_json(c));
	/*
	 * A stack that is made by turns does not exist now; "stacks" in the document has its
	 * topology.
	 */
	if (!compare_stacks_by_turns(c))
		topology_json(c, doc);
	ret = devices_json(c, doc);
	if (!ret)
		ret = compare_tops(c, doc);
	return ret;
}

int compare_conclude(struct compare *c, int measured, json_object *doc)
{
	unsigned long long asked = c->cfg->rounds, traced = c->cfg->untraced ? 0 : asked;

	/* A failure in the traced rounds does not spoil the untraced rounds: report those. */
	if (measured && measured != -EINTR && measured != -ECHILD && c->rounds < asked)
		return measured;
	/* The load has already said what is wrong. */
	if (!c->rounds && c->status)
		return -ENODATA;
	if (c->rounds < LEAST_ROUNDS && c->rounds < asked)
		return err(-ENODATA, "the comparison ended after %u rounds: at least %d are needed "
			   "to tell a difference from chance", c->rounds, LEAST_ROUNDS);
	if (c->rounds < asked || c->traced_rounds < traced)
		warn("the comparison ended early: of %llu rounds %u untraced and %u traced "
		     "are complete", asked, c->rounds, c->traced_rounds);
	return report(c, doc);
}
