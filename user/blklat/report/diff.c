// SPDX-License-Identifier: GPL-2.0
/* blklat diff: compare the devices of one result with those of others. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/cmds.h"
#include "blklat/report/diff.h"
#include "blklat/report/icicle.h"
#include "blklat/report/plots.h"
#include "core/log.h"
#include "core/reader.h"
#include "core/text.h"
#include "core/utf8.h"
#include "blklat/result/compare_stats.h"
#include "output/document.h"
#include "output/file.h"
#include "output/json.h"

#define MAX_FILES	8

struct diff_cfg {
	struct common_cfg common;
	const char *baseline;
	struct strlist devices;
	uint64_t allow;
	double confidence;
	bool detail;
	bool icicle;
	const char *plots;
	const char *json;
};

#define DST(member)	OPT_AT(struct diff_cfg, member)

static const struct opt diff_opts[] = {
	{ "baseline", 'b', OPT_STRING, DST(baseline), NULL, "FILE",
	  "the file that the others are compared with; without it, the first file" },
	{ "device", 'd', OPT_LIST, DST(devices), NULL, "A=B",
	  "compare device A of the first file with B of the second (A=B=C: C of the third...); "
	  "may be given again" },
	{ "allow", 0, OPT_SET, DST(allow), NULL, "LIST", "compare although these differ",
	  diff_allow },
	{ .type = OPT_HEADING, .help = "Result" },
	{ "confidence", 0, OPT_PERCENT, DST(confidence), "95", "PERCENT",
	  "the confidence level of the intervals, 50 to 99.99" },
	{ "detail", 0, OPT_FLAG, DST(detail),
	  .help = "print the stages that do not differ, all percentiles, and the legs; also with "
		  "--verbose" },
	{ "icicle", 0, OPT_FLAG, DST(icicle),
	  .help = "draw how the mean time of an I/O is nested in the layers, and which of the "
		  "stages differ from the baseline" },
	{ "plots", 0, OPT_STRING, DST(plots), NULL, "DIR",
	  "write plots as SVG, with their data and gnuplot scripts" },
	{ "json", 0, OPT_OUTPUT, DST(json), NULL, "FILE",
	  "write the result as JSON; without FILE to stdout, in place of the tables" },
	OPT_COMMON(struct diff_cfg)
};

/* Indexes of the devices that are compared with each other, one of each file */
struct group {
	size_t dev[MAX_FILES];
};

struct diff {
	const struct diff_cfg *cfg;
	struct result results[MAX_FILES];
	size_t n;
	size_t baseline;
	bool paired;	/* all files are the same comparison, whose rounds belong together */
	struct group *groups;
	size_t ngroups;
};

static int load_files(struct diff *d, const struct opt_args *args)
{
	int ret = 0;

	while (d->n < args->npos && !ret) {
		ret = result_load(args->pos[d->n], &d->results[d->n]);
		d->n++;
	}
	for (size_t i = 0; i < d->n && !ret; i++) {
		struct result *r = &d->results[i];

		if (doc_get(r->doc, "error"))
			warn("%s: the command that made this file failed: %s", r->path,
			     doc_str(r->doc, "error"));
		for (size_t k = 0; k < r->ndevs && !ret; k++)
			ret = compare_blocks(&r->devs[k]);
	}
	return ret == -ENOMEM ? err(ret, "out of memory") : ret;
}

/* Return true if all files are the same comparison: all devices had turns in the same rounds. */
static bool same_rounds(const struct diff *d)
{
	for (size_t i = 0; i < d->n; i++)
		if (strcmp(d->results[i].kind, "compare") ||
		    !json_object_equal(d->results[i].doc, d->results[0].doc))
			return false;
	return true;
}

static int find_baseline(struct diff *d)
{
	if (!d->cfg->baseline)
		return 0;
	for (d->baseline = 0; d->baseline < d->n; d->baseline++)
		if (!strcmp(d->results[d->baseline].path, d->cfg->baseline))
			return 0;
	return usage_error("--baseline %s is none of the named files", d->cfg->baseline);
}

/* Return the index of the device with this label, or else with this name, or -1. */
static long find_dev(const struct result *r, const char *name)
{
	for (size_t i = 0; i < r->ndevs; i++)
		if (!strcmp(r->devs[i].label, name))
			return i;
	for (size_t i = 0; i < r->ndevs; i++)
		if (!strcmp(r->devs[i].name, name))
			return i;
	return -1;
}

static long nth_top(const struct result *r, size_t n)
{
	for (size_t i = 0; i < r->ndevs; i++)
		if (r->devs[i].top && !n--)
			return i;
	return -1;
}

static size_t tops(const struct result *r)
{
	size_t n = 0;

	while (nth_top(r, n) >= 0)
		n++;
	return n;
}

static int no_device(const struct result *r, const char *name)
{
	char text[400] = "";

	for (size_t i = 0; i < r->ndevs; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? ", " : "",
			 r->devs[i].label);
	return err(-ENOENT, "%s: has no device %s; it has: %s", r->path, name, text);
}

static struct group *new_group(struct diff *d)
{
	struct group *g = realloc(d->groups, (d->ngroups + 1) * sizeof(*g));

	if (!g) {
		err(-ENOMEM, "out of memory");
		return NULL;
	}
	d->groups = g;
	return &g[d->ngroups];
}

/* Add the group of devices that --device A=B names. */
static int group_named(struct diff *d, const char *text)
{
	struct group *g = new_group(d);
	char *copy = strdup(text), *at = copy, *name;
	size_t i = 0;
	int ret = g && copy ? 0 : -ENOMEM;

	while (!ret && i < d->n && (name = strsep(&at, "="))) {
		long dev = find_dev(&d->results[i], name);

		if (dev < 0)
			ret = no_device(&d->results[i], name);
		else
			g->dev[i++] = dev;
	}
	if (!ret && (at || i < d->n))
		ret = usage_error("--device %s: name one device of each file, "
				  "as in --device nvme0n1=nvme1n1", text);
	free(copy);
	d->ngroups += !ret;
	return ret;
}

/*
 * Find the device on top with this label in each file, and set @dev to its place there unless @dev
 * is NULL. Return the index of the first file that has none, or the number of files.
 */
static size_t find_in_all(const struct diff *d, const char *label, size_t *dev)
{
	for (size_t i = 0; i < d->n; i++) {
		long other = find_dev(&d->results[i], label);

		if (other < 0 || !d->results[i].devs[other].top)
			return i;
		if (dev)
			dev[i] = other;
	}
	return d->n;
}

/* Group the devices that have the same label in all files. */
static int group_by_label(struct diff *d)
{
	const struct result *first = &d->results[0];
	long dev;

	for (size_t k = 0; (dev = nth_top(first, k)) >= 0; k++) {
		struct group *g = new_group(d);
		size_t i;

		if (!g)
			return -ENOMEM;
		i = find_in_all(d, first->devs[dev].label, g->dev);
		if (i == d->n)
			d->ngroups++;
		else
			warn("%s: not compared, because %s does not have this device",
			     first->devs[dev].label, d->results[i].path);
	}
	return 0;
}

static int group_by_order(struct diff *d)
{
	size_t n = tops(&d->results[0]);

	for (size_t i = 1; i < d->n; i++)
		if (tops(&d->results[i]) != n)
			return err(-EINVAL, "%s has %zu devices and %s has %zu: "
				   "say with --device A=B which devices to compare",
				   d->results[0].path, n, d->results[i].path,
				   tops(&d->results[i]));
	for (size_t k = 0; k < n; k++) {
		struct group *g = new_group(d);

		if (!g)
			return -ENOMEM;
		for (size_t i = 0; i < d->n; i++)
			g->dev[i] = nth_top(&d->results[i], k);
		d->ngroups++;
	}
	return 0;
}

static bool share_label(const struct diff *d)
{
	long dev;

	for (size_t k = 0; (dev = nth_top(&d->results[0], k)) >= 0; k++)
		if (find_in_all(d, d->results[0].devs[dev].label, NULL) == d->n)
			return true;
	return false;
}

static int make_groups(struct diff *d)
{
	int ret = 0;

	for (size_t i = 0; i < d->cfg->devices.n && !ret; i++)
		ret = group_named(d, d->cfg->devices.v[i]);
	if (ret || d->ngroups)
		return ret;
	return share_label(d) ? group_by_label(d) : group_by_order(d);
}

static void sides_of(const struct diff *d, const struct group *g, struct diff_side *sides)
{
	for (size_t i = 0; i < d->n; i++)
		sides[i] = (struct diff_side){ &d->results[i], &d->results[i].devs[g->dev[i]] };
}

static int check_group(const struct diff *d, const struct group *g, json_object *list)
{
	struct diff_side sides[MAX_FILES];
	int ret = 0;

	sides_of(d, g, sides);
	for (size_t i = 0; i < d->n && !ret; i++)
		if (i != d->baseline)
			ret = diff_pins(&sides[d->baseline], &sides[i], d->cfg->allow, list);
	diff_facts(sides, d->n, list);
	return ret;
}

static const char *name_of(const struct diff *d, const struct group *g)
{
	return d->results[0].devs[g->dev[0]].label;
}

/*
 * Label a device with the name of its file. If the devices do not have the same label in all
 * files, add the label of the device; this alone is enough if there is only one file.
 */
static void set_label(const struct diff *d, const struct group *g, size_t file,
		      struct result_dev *to)
{
	const char *base = result_file_label(d->results, d->n, file);
	bool one = true, same = true;
	size_t len;

	for (size_t i = 0; i < d->n; i++) {
		one &= !strcmp(d->results[i].path, d->results[0].path);
		same &= !strcmp(d->results[i].devs[g->dev[i]].label, name_of(d, g));
	}
	if (one && !same)
		return;
	len = strlen(base);
	if (len > 5 && !strcmp(base + len - 5, ".json"))
		len -= 5;
	snprintf(to->label, sizeof(to->label), "%.*s%s%s", (int)len, base, same ? "" : ": ",
		 same ? "" : d->results[file].devs[g->dev[file]].label);
	utf8_one_line(to->label);
}

static void print_differences(json_object *list, FILE *f)
{
	for (size_t i = 0; i < doc_len(list); i++) {
		json_object *o = doc_at(list, i), *v = doc_get(o, "values");

		fprintf(f, "differs: %s ", doc_str(o, "what"));
		for (size_t k = 0; k < doc_len(v); k++)
			text_printf(f, "%s%s", k ? " -> " : "",
				    json_object_get_string(doc_at(v, k)));
		if (json_object_get_boolean(doc_get(o, "allowed")))
			fputs(" (allowed)", f);
		fputc('\n', f);
	}
}

static int print_group(const struct diff *d, const struct group *g, const struct plot_set *set,
		       json_object *differs)
{
	int ret;

	if (report_is_stdout(d->cfg->json))
		return 0;
	if (d->ngroups > 1)
		text_printf(stdout, "== %s ==\n", name_of(d, g));
	print_differences(differs, stdout);
	ret = comparison_print(set->cmp, d->cfg->detail || d->cfg->common.verbose, stdout);
	if (!ret && d->cfg->icicle)
		ret = icicles_print(set, stdout);
	return reader_print_error(ret);
}

/* Return the result of a comparison as an element of "comparisons". Takes over @differs. */
static json_object *group_json(const struct diff *d, const struct plot_set *set,
			       json_object *differs)
{
	json_object *o = comparison_json(set->cmp);

	json_object_object_add(o, "differs", differs);
	if (d->cfg->icicle)
		json_object_object_add(o, "icicles", icicles_json(set));
	return o;
}

/* Write the plots of a group, whose number is in their names if there are several groups. */
static int plot_group(const struct diff *d, const struct group *g, const struct plot_set *set)
{
	char name[DEV_TEXT + 24];

	if (!d->cfg->plots)
		return 0;
	snprintf(name, sizeof(name), "%td-%s", g - d->groups + 1, name_of(d, g));
	return report_plots_of(set, set, d->ngroups > 1 ? name : NULL, d->cfg->plots);
}

static int compare_group(const struct diff *d, const struct group *g, json_object *list)
{
	const struct result_dev *devs[MAX_FILES];
	struct result_dev copies[MAX_FILES];
	struct plot_dev plotted[MAX_FILES];
	struct comparison c = { .devs = devs, .ndevs = d->n, .baseline = d->baseline,
				.paired = d->paired, .confidence = d->cfg->confidence / 100 };
	struct plot_set set = { .devs = plotted, .n = d->n, .cmp = &c };
	json_object *differs = json_object_new_array();
	int ret = check_group(d, g, differs);

	for (size_t i = 0; i < d->n; i++) {
		copies[i] = d->results[i].devs[g->dev[i]];
		set_label(d, g, i, &copies[i]);
		devs[i] = &copies[i];
		plotted[i].dev = &copies[i];
		snprintf(plotted[i].label, sizeof(plotted[i].label), "%s", copies[i].label);
	}
	if (!ret && compare_stats(&c))
		ret = err(-ENOMEM, "out of memory");
	if (!ret)
		ret = print_group(d, g, &set, differs);
	if (!ret)
		ret = plot_group(d, g, &set);
	if (!ret)
		json_object_array_add(list, group_json(d, &set, json_object_get(differs)));
	json_object_put(differs);
	comparison_free(&c);
	return ret;
}

/*
 * Members of the JSON document "blklat diff":
 * @comparisons[]: comparison, optional: One per device of the first file that is compared, with the
 *	devices of the other files to which it is compared. The label of each device is the name of
 *	its file without ``.json``. If the devices have different labels themselves, it is ``file:
 *	device``, or only ``device`` if all devices are in one file. ``differs`` is always there,
 *	and ``icicles`` with ``--icicle``.
 */
static int compare_files(struct diff *d, const struct opt_args *args, json_object *doc)
{
	json_object *list;
	int ret = load_files(d, args);

	if (!ret)
		ret = find_baseline(d);
	if (!ret)
		ret = make_groups(d);
	if (!ret && !d->ngroups)
		ret = err(-EINVAL, "%s: has no device to compare", d->results[0].path);
	if (ret)
		return ret;
	d->paired = same_rounds(d);
	list = json_object_new_array();
	for (size_t i = 0; i < d->ngroups && !ret; i++)
		ret = compare_group(d, &d->groups[i], list);
	json_object_object_add(doc, "comparisons", list);
	return ret;
}

static int diff_run(void *config, struct opt_args *args)
{
	struct diff d = { .cfg = config };
	json_object *doc;
	int ret;

	if (args->npos < 2)
		return usage_error("name two result files, as in: blklat diff a.json b.json");
	if (d.cfg->confidence < 50 || d.cfg->confidence > 99.99)
		return usage_error("--confidence must be from 50 to 99.99");
	ret = report_files_differ((const char *const[]){ d.cfg->json }, 1, args->pos, args->npos);
	ret = ret ?: report_doc_writable(d.cfg->json);
	if (!ret && d.cfg->plots)
		ret = plot_check_gnuplot();
	if (ret)
		return ret;
	reader_hold();
	doc = report_doc_new("blklat", args->argv);
	ret = compare_files(&d, args, doc);
	for (size_t i = 0; i < d.n; i++)
		result_free(&d.results[i]);
	free(d.groups);
	return report_doc_end(doc, d.cfg->json, ret);
}

const struct cmd cmd_diff = {
	.name = "diff",
	.brief = "compare recorded results: kernels, machines, disks",
	.usage = "FILE FILE...",
	.about = "Compares the devices of result files that blklat record or blklat compare -o\n"
		 "made: IOPS, CPU time, latency and each stage, with the difference to the first\n"
		 "file and its confidence interval. Devices with the same name are compared with\n"
		 "each other; if no names are the same, devices at the same place are. The I/O\n"
		 "must have been the same in all files. The kernel, machine, driver and scheduler\n"
		 "may differ; these differences are printed. An interval covers what varies\n"
		 "within a run; to see what differs from boot to boot, record more than once.",
	.examples = "# two kernels\n"
		    "blklat diff 6.1.json 6.12.json\n"
		    "# a disk in the host and in a guest\n"
		    "blklat diff host.json guest.json --device nvme0n1=vda\n"
		    "# before and after a change, with different loads\n"
		    "blklat diff monday.json friday.json --allow load,ops,size\n"
		    "# in which layer the difference is\n"
		    "blklat diff 6.1.json 6.12.json --icicle\n",
	.opts = diff_opts,
	.cfg_size = sizeof(struct diff_cfg),
	.max_pos = MAX_FILES,
	.only_files = true,
	.run = diff_run,
};
