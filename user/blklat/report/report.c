// SPDX-License-Identifier: GPL-2.0
/* blklat report: show result files as tables, CSV, pictures and an HTML page. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/cmds.h"
#include "blklat/report/compare.h"
#include "blklat/report/group_table.h"
#include "blklat/report/heat_map.h"
#include "blklat/report/icicle.h"
#include "blklat/report/long.h"
#include "blklat/report/metrics.h"
#include "blklat/report/page.h"
#include "blklat/report/plots.h"
#include "blklat/report/report.h"
#include "blklat/report/scenarios.h"
#include "blklat/report/stage_table.h"
#include "blklat/report/tables.h"
#include "blklat/result/names.h"
#include "blklat/result/stack_tree.h"
#include "core/log.h"
#include "core/text.h"
#include "core/reader.h"
#include "output/document.h"
#include "output/facts.h"
#include "output/file.h"
#include "output/table.h"

struct report_cfg {
	struct common_cfg common;
	const char *csv;
	const char *json;
	const char *plots;
	const char *html;
	const char *openmetrics;
	const char *stage;
	const char *baseline;
	bool heat_map;
	bool icicle;
	bool detail;
};

/*
 * Shells offer the stages that any device may have, but not those of layers, which depend on the
 * file. They complete one word, so names with a blank are left out.
 */
static const char *stage_offered(size_t i)
{
	for (unsigned int row = 0; row < NR_STAGES; row++)
		if (!strchr(stage_name(row), ' ') && !i--)
			return stage_name(row);
	return NULL;
}

static const struct opt report_opts[] = {
	{ "csv", 0, OPT_STRING, OPT_AT(struct report_cfg, csv), NULL, "FILE",
	  "write all stages of all devices and intervals as CSV; - is stdout, "
	  "and the tables are left out" },
	{ "json", 0, OPT_OUTPUT, OPT_AT(struct report_cfg, json), NULL, "FILE",
	  "write the same as JSON; without FILE to stdout, in place of the tables" },
	{ "plots", 0, OPT_STRING, OPT_AT(struct report_cfg, plots), NULL, "DIR",
	  "write plots as SVG, with their data and gnuplot scripts" },
	{ "html", 0, OPT_STRING, OPT_AT(struct report_cfg, html), NULL, "FILE",
	  "write one HTML page with everything; it needs no other file" },
	{ "openmetrics", 0, OPT_STRING, OPT_AT(struct report_cfg, openmetrics), NULL, "FILE",
	  "write metrics for Prometheus; - is stdout, and the tables are left out" },
	{ "heat-map", 0, OPT_FLAG, OPT_AT(struct report_cfg, heat_map), NULL, NULL,
	  "print when the I/Os of each device had which latency; in plots and HTML it is "
	  "always shown" },
	{ "stage", 0, OPT_STRING, OPT_AT(struct report_cfg, stage), NULL, "NAME",
	  "print the heat maps of this stage instead of the total, as in 'md raid0 submit'; "
	  "also those of plots and HTML", .names = stage_offered },
	{ "detail", 0, OPT_FLAG, OPT_AT(struct report_cfg, detail),
	  .help = "of a comparison, also print the stages that do not differ, all percentiles, "
		  "and the legs" },
	{ "icicle", 0, OPT_FLAG, OPT_AT(struct report_cfg, icicle), NULL, NULL,
	  "draw how the mean time of an I/O is nested in the layers, of all I/Os and from p99 on; "
	  "in plots and HTML it is always shown" },
	{ "baseline", 'b', OPT_STRING, OPT_AT(struct report_cfg, baseline), NULL, "DEV",
	  "compare with this device of a comparison, instead of the one it was made with" },
	OPT_COMMON(struct report_cfg)
};

/*
 * Write the label of a device, "lvm-stripe". If another result has a device with this label,
 * append the name of the file: "lvm-stripe (6.12.json)".
 */
static void label_dev(const struct report_set *set, size_t file, size_t i, char *buf, size_t len)
{
	const struct result *r = &set->results[file];
	const char *label = *r->devs[i].label ? r->devs[i].label : r->devs[i].name;

	snprintf(buf, len, "%s", label);
	for (size_t f = 0; f < set->n; f++)
		for (size_t k = 0; k < set->results[f].ndevs; k++) {
			const struct result_dev *d = &set->results[f].devs[k];

			if (f == file || strcmp(*d->label ? d->label : d->name, label))
				continue;
			snprintf(buf, len, "%s (%s)", label,
				 result_file_label(set->results, set->n, file));
			return;
		}
}

static int collect_devices(struct report_set *set)
{
	size_t n = 0;

	for (size_t f = 0; f < set->n; f++)
		n += set->results[f].ndevs;
	set->tops.devs = calloc(n, sizeof(*set->tops.devs));
	set->all.devs = calloc(n, sizeof(*set->all.devs));
	if (!set->tops.devs || !set->all.devs)
		return err(-ENOMEM, "out of memory");
	for (size_t f = 0; f < set->n; f++)
		for (size_t i = 0; i < set->results[f].ndevs; i++) {
			struct plot_dev *d = &set->all.devs[set->all.n++];

			d->dev = &set->results[f].devs[i];
			label_dev(set, f, i, d->label, sizeof(d->label));
			if (d->dev->top)
				set->tops.devs[set->tops.n++] = *d;
		}
	return set->tops.n ? 0 :
	       err(-EINVAL, "%s: has none of the devices that were named when it was made",
		   set->results[0].path);
}

static int load_all(struct report_set *set, const struct opt_args *args)
{
	set->results = calloc(args->npos, sizeof(*set->results));
	if (!set->results)
		return err(-ENOMEM, "out of memory");
	while (set->n < args->npos) {
		int ret = result_load(args->pos[set->n], &set->results[set->n]);

		set->n++;
		if (ret)
			return ret;
	}
	return collect_devices(set) ?: report_comparisons(set);
}

static void free_all(struct report_set *set)
{
	report_comparisons_free(set);
	for (size_t f = 0; f < set->n; f++)
		result_free(&set->results[f]);
	free(set->results);
	free(set->tops.devs);
	free(set->all.devs);
}

static void print_head(const struct result *r, FILE *to)
{
	json_object *command = doc_get(r->doc, "command");
	struct text lines;
	FILE *f = text_open(&lines, to);
	char text[512];

	fprintf(f, "%s: %s, Linux %s:", r->path, r->kind,
		doc_str(doc_get(r->doc, "kernel"), "release"));
	for (size_t i = 0; i < doc_len(command); i++)
		fprintf(f, " %s", json_object_get_string(doc_at(command, i)));
	fputc('\n', f);
	for (size_t i = 0; i < r->ndevs; i++) {
		if (!report_of_first_load(r, i))
			continue;
		report_facts_text(&r->devs[i].facts, text, sizeof(text));
		fprintf(f, "  %s\n", text);
	}
	for (size_t i = 0; report_missing(r, i, text, sizeof(text)); i++)
		fprintf(f, "  missing: %s\n", text);
	if (!strcmp(r->kind, "record"))
		unsplit_print(r->devs, r->ndevs, f);
	if (*doc_str(r->doc, "error"))
		fprintf(f, "  the command ended with an error: %s\n", doc_str(r->doc, "error"));
	text_close(&lines);
}

static int print_result(const struct report_set *set, FILE *f)
{
	struct report_table *ops = NULL;
	int ret = 0;

	for (size_t i = 0; i < set->n && !ret; i++) {
		if (!set->cmps[i].nrows)
			continue;
		fputc('\n', f);
		ret = comparison_print(&set->cmps[i], set->detail, f);
	}
	ret = ret ?: report_print_titled(report_summary(&set->tops),
					 set->tops.cmp ? "Totals, traced" : "Totals", f);
	ret = ret ?: report_print_titled(stage_table(&set->tops, set->tops.n),
					 "Where the time goes, mean per I/O", f);
	for (size_t i = 0; i < set->n && !ret; i++) {
		const struct result *r = &set->results[i];

		if (!strcmp(r->kind, "record"))
			ret = layers_print(r->devs, r->ndevs, set->n < 2 ? "" :
					   result_file_label(set->results, set->n, i), f);
	}
	ret = ret ?: report_print_titled(report_legs(&set->all), "Devices below", f);
	ret = ret ?: ops_table(&set->tops, &ops);
	ret = ret ?: report_print_titled(ops, "Kinds of I/O", f);
	ret = ret ?: report_print_titled(report_ledgers(&set->all), "Traced and lost I/Os", f);
	return reader_print_error(ret);
}

static int print_scenario(const struct report_set *part, const char *scenario, const void *f)
{
	text_printf((FILE *)f, "\n== %s\n", scenario);
	return print_result(part, (FILE *)f);
}

static int print_tables(const struct report_set *set, FILE *f)
{
	for (size_t i = 0; i < set->n; i++)
		print_head(&set->results[i], f);
	return report_has_scenarios(set) ? report_each_scenario(set, print_scenario, f) :
	       print_result(set, f);
}

static int write_csv(const struct report_table *t, const char *path)
{
	char *text = NULL;
	size_t len;
	FILE *f;
	int ret;

	if (report_is_stdout(path))
		return reader_print_error(report_csv(t, stdout) ?: (fflush(stdout) ? -errno : 0));
	f = open_memstream(&text, &len);
	ret = f ? report_csv(t, f) : -ENOMEM;
	if (f && fclose(f) && !ret)
		ret = -ENOMEM;
	ret = ret ? err(ret, "%s: cannot write: %s", path, strerror(-ret)) :
		report_write(text, path);
	free(text);
	return ret;
}

/*
 * Members of the JSON object "file":
 * @path: string: Path of the file, as the user named it.
 * @kind: string: ``record`` or ``compare``.
 * @kernel: map of string: ``kernel`` of the file: the kernel on which the file was made.
 * @command: array of string: The command line that made the file.
 */
static void add_json(const struct report_set *set, const struct report_table *t, json_object *doc)
{
	json_object *files = json_object_new_array();

	for (size_t i = 0; i < set->n; i++) {
		const struct result *r = &set->results[i];
		json_object *o = json_object_new_object();

		json_str(o, "path", r->path);
		json_str(o, "kind", r->kind);
		json_object_object_add(o, "kernel", json_object_get(doc_get(r->doc, "kernel")));
		json_object_object_add(o, "command", json_object_get(doc_get(r->doc, "command")));
		json_object_array_add(files, o);
	}
	json_object_object_add(doc, "files", files);
	json_object_object_add(doc, "rows", report_json(t));
}

static bool wants_heat_map(const struct report_cfg *cfg)
{
	return cfg->heat_map || cfg->stage;
}

static int draw_scenario(const struct report_set *part, const char *scenario, const void *f)
{
	text_printf((FILE *)f, "\n== %s\n", scenario);
	return icicles_print(&part->tops, (FILE *)f);
}

static int draw_icicles(const struct report_set *set, FILE *f)
{
	return report_has_scenarios(set) ? report_each_scenario(set, draw_scenario, f) :
	       icicles_print(&set->tops, f);
}

static unsigned int how_many_on_stdout(const struct report_cfg *cfg)
{
	return report_is_stdout(cfg->csv) + report_is_stdout(cfg->json) +
	       report_is_stdout(cfg->openmetrics) + report_is_stdout(cfg->html);
}

static int print_report(const struct report_cfg *cfg, const struct report_set *set)
{
	int ret;

	if (how_many_on_stdout(cfg))
		return 0;
	ret = print_tables(set, stdout);
	if (!ret && wants_heat_map(cfg))
		ret = reader_print_error(heat_map_print(&set->tops, stdout));
	if (!ret && cfg->icicle)
		ret = reader_print_error(draw_icicles(set, stdout));
	return ret;
}

/*
 * Members of the JSON document "blklat report":
 * @files[]: file, optional: The files that were read. Absent if a file could not be read.
 * @heat_maps[]: heat map, optional: With ``--heat-map`` or ``--stage``: the number of I/Os of a
 *	device by time and latency. For a comparison, only the rounds without tracing count, if
 *	there are any and no stage is named.
 * @icicles[]: icicle, optional: With ``--icicle``: how the time of an I/O is nested in the layers,
 *	for each device that was asked for. A result of ``compare --scenario`` has no
 *	``difference_ns``.
 * @rows[]: report row, optional: One per stage and one for the total, for each device: for the
 *	whole run, and for each part of it.
 */

/* Write the outputs for other programs: CSV and JSON. */
static int write_rows(const struct report_cfg *cfg, const struct report_set *set, json_object *doc)
{
	struct report_table *t;
	int ret = 0;

	if (!cfg->csv && !cfg->json)
		return 0;
	t = report_long(set);
	if (!t)
		return err(-ENOMEM, "out of memory");
	if (cfg->csv)
		ret = write_csv(t, cfg->csv);
	if (!ret && cfg->json)
		add_json(set, t, doc);
	if (!ret && cfg->json && wants_heat_map(cfg))
		json_object_object_add(doc, "heat_maps", heat_map_json(&set->tops));
	if (!ret && cfg->json && cfg->icicle)
		json_object_object_add(doc, "icicles", icicles_json(&set->tops));
	report_table_free(t);
	return ret;
}

static int write_results(const struct report_cfg *cfg, const struct report_set *set,
			 json_object *doc)
{
	int ret = 0;

	if (cfg->plots || cfg->html)
		ret = plot_check_gnuplot();
	/* --stage also selects plots. They may lack a heat map, so fail only without plots. */
	if (!ret && (cfg->heat_map || (cfg->stage && !cfg->plots && !cfg->html)))
		ret = heat_map_check(&set->tops);
	ret = ret ?: print_report(cfg, set) ?: write_rows(cfg, set, doc);
	if (!ret && cfg->plots)
		ret = report_plots(set, cfg->plots);
	if (!ret && cfg->html)
		ret = report_page(set, cfg->html);
	if (!ret && cfg->openmetrics)
		ret = report_metrics(set, cfg->openmetrics);
	return ret;
}

static int check_options(const struct report_cfg *cfg, const struct opt_args *args)
{
	const char *const files[] = { cfg->csv, cfg->json, cfg->html, cfg->openmetrics };
	int ret;

	if (!args->npos)
		return usage_error("name a result file, as in: blklat report nvme.json");
	if (how_many_on_stdout(cfg) > 1)
		return usage_error("--csv, --json, --openmetrics and --html: only one can go to "
				   "stdout");
	if ((cfg->heat_map || cfg->icicle || (cfg->stage && !cfg->plots && !cfg->html)) &&
	    how_many_on_stdout(cfg) && !report_is_stdout(cfg->json))
		return usage_error("--%s is printed, or in the JSON of --json; it cannot be "
				   "combined with --csv -, --openmetrics - or --html -",
				   cfg->heat_map ? "heat-map" : cfg->icicle ? "icicle" : "stage");
	ret = report_files_differ(files, sizeof(files) / sizeof(*files), args->pos, args->npos);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files) && !ret; i++)
		ret = report_doc_writable(files[i]);
	return ret;
}

static int report_run(void *config, struct opt_args *args)
{
	const struct report_cfg *cfg = config;
	struct report_set set = { .baseline = cfg->baseline, .detail = cfg->detail };
	json_object *doc;
	int ret = check_options(cfg, args);

	if (ret)
		return ret;
	reader_hold();
	doc = report_doc_new("blklat", args->argv);
	ret = load_all(&set, args);
	if (!ret && cfg->stage)
		ret = heat_map_find_stage(&set.tops, cfg->stage);
	if (!ret)
		ret = write_results(cfg, &set, doc);
	free_all(&set);
	return report_doc_end(doc, cfg->json, ret);
}

const struct cmd cmd_report = {
	.name = "report",
	.brief = "show result files as tables, CSV, plots or a page of HTML",
	.usage = "FILE...",
	.about = "Prints the results that blklat record and blklat compare have kept: where the\n"
		 "time of each device's I/O went, what its layers took and made of the I/O, the\n"
		 "devices below, and the lost I/Os. The devices of several files are printed side\n"
		 "by side. Plots and the HTML page need gnuplot.",
	.examples = "# the tables\n"
		    "blklat report nvme.json\n"
		    "# two recordings side by side, as an HTML page\n"
		    "blklat report nvme.json ahci.json --html report.html\n"
		    "# when the I/Os had which latency, in all and in the device\n"
		    "blklat report nvme.json --heat-map\n"
		    "blklat report nvme.json --heat-map --stage device\n"
		    "# where in the layers the time goes, of all I/Os and of the slowest\n"
		    "blklat report md0.json --icicle\n"
		    "# for a spreadsheet\n"
		    "blklat report nvme.json --csv nvme.csv\n"
		    "# plots, and scripts to change their style\n"
		    "blklat report nvme.json --plots nvme.plots\n",
	.opts = report_opts,
	.cfg_size = sizeof(struct report_cfg),
	.max_pos = 64,
	.only_files = true,
	.run = report_run,
};
