// SPDX-License-Identifier: GPL-2.0
/* blklat compare --scenario: run one load after the other on the same devices. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/compare/load.h"
#include "blklat/compare/report.h"
#include "blklat/compare/run.h"
#include "blklat/compare/scenario.h"
#include "core/reader.h"
#include "core/scenario.h"
#include "blklat/result/compare_stats.h"
#include "output/file.h"
#include "output/json.h"
#include "output/table.h"

/* People usually compare these stacks: a disk, and the common ways to stripe over two. */
#define DEFAULT_STACKS	"raw,lvm-stripe,md-raid0"

/* Each device has these columns. The difference is not shown for the baseline. */
enum { S_IOPS, S_DIFF, S_BW, S_MEAN, S_P99, NR_S };

static const struct column device_columns[NR_S] = {
	[S_IOPS] = { "iops", "IOPS", COL_COUNT },
	[S_DIFF] = { "difference", "difference", COL_STR, COL_RIGHT },
	[S_BW] = { "bytes_per_s", "bandwidth", COL_BW },
	[S_MEAN] = { "mean_ns", "mean", COL_TIME },
	[S_P99] = { "p99_ns", "p99", COL_TIME },
};

/* This is a scenario that is running. */
struct scenario_run {
	const struct scenario *scenario;
	struct compare_cfg cfg;		/* the user's options with the load of the current step */
	char load[256];
	/*
	 * The table's columns point at these copies. The labels in the results move in memory
	 * when a trace adds the devices below.
	 */
	char (*labels)[DEV_TEXT];
	struct report_table *table;
	json_object *devices;
	json_object *parts;
};

static const struct scenario *find_scenario(const char *name)
{
	for (const struct scenario *s = scenarios; s->name; s++)
		if (s->compared && !strcmp(s->name, name))
			return s;
	return NULL;
}

int compare_scenario_check(struct compare_cfg *cfg, const struct opt_args *args)
{
	char names[200] = "";

	if (!cfg->scenario)
		return 0;
	for (const struct scenario *s = scenarios; s->name; s++)
		if (s->compared)
			snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s",
				 *names ? ", " : "", s->name);
	if (!find_scenario(cfg->scenario))
		return usage_error("--scenario: there is no '%s' to compare with; there is: %s",
				   cfg->scenario, names);
	if (args->rest || opt_seen(args, "load"))
		return usage_error("--scenario has its own loads: give neither --load nor a "
				   "command");
	if (cfg->detail)
		return usage_error("--scenario prints one table of all loads, without --detail; "
				   "for all figures keep the result with --output FILE and use: "
				   "blklat report FILE");
	if (!args->npos && !cfg->stacks)
		cfg->stacks = DEFAULT_STACKS;
	return 0;
}

/*
 * Return true if a load may write: the devices were made for the comparison, or the user gave
 * their contents up with --destroy.
 */
static bool may_write(const struct compare *c)
{
	return c->stacks && (c->stacks->temporary || c->cfg->destroy);
}

static void step_load(const struct scenario_step *st, char *buf, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; st->settings[i]; i++)
		n += snprintf(buf + n, len - n, "--%s ",
			      st->settings[i] + (*st->settings[i] == '!'));
	snprintf(buf + n, len - n, "%s", st->writes ? "--write" : "");
}

static struct report_table *new_table(struct scenario_run *s, const struct compare *c)
{
	struct column *cols = calloc(1 + NR_S * c->n, sizeof(*cols));
	struct report_table *t;
	size_t n = 0;

	s->labels = calloc(c->n, sizeof(*s->labels));
	if (!cols || !s->labels) {
		free(cols);
		return NULL;
	}
	cols[n++] = (struct column){ "scenario", "", COL_STR };
	for (size_t i = 0; i < c->n; i++) {
		memcpy(s->labels[i], c->res.devs[i].label, sizeof(s->labels[i]));
		for (unsigned int k = 0; k < NR_S; k++) {
			cols[n] = device_columns[k];
			cols[n].group = s->labels[i];
			if (k == S_DIFF && i == c->baseline)
				cols[n].flags |= COL_NOTABLE;
			n++;
		}
	}
	t = report_table_new(cols, n);
	free(cols);
	return t;
}

/* Return the bytes per second: like IOPS, the mean of the untraced rounds, or NAN without any. */
static double bandwidth(const struct result_dev *d)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < d->nsamples; i++) {
		if (d->samples[i].traced || !d->samples[i].elapsed_ns)
			continue;
		sum += d->samples[i].bytes * 1e9 / d->samples[i].elapsed_ns;
		n++;
	}
	return sum / n;
}

static void add_cells(struct scenario_run *s, const struct compare *c, const struct comparison *cmp,
		      int row, size_t dev)
{
	const struct compare_value *v = cmp->rows[COMPARE_HEAD].v[dev];
	const struct compare_value *base = cmp->rows[COMPARE_HEAD].v[c->baseline];
	size_t col = 1 + dev * NR_S;
	char text[80];

	report_set(s->table, row, col + S_IOPS, v[COMPARE_IOPS].value);
	report_set(s->table, row, col + S_BW, bandwidth(&c->res.devs[dev]));
	report_set(s->table, row, col + S_MEAN, v[COMPARE_MEAN].value);
	report_set(s->table, row, col + S_P99, v[COMPARE_P99].value);
	if (dev == c->baseline)
		return;
	report_set_str(s->table, row, col + S_DIFF,
		       compare_diff_text(text, sizeof(text), &v[COMPARE_IOPS], &base[COMPARE_IOPS],
					 true));
	report_mark(s->table, row, col + S_DIFF, v[COMPARE_IOPS].significant);
}

static int add_row(struct scenario_run *s, const struct compare *c, const char *name)
{
	const struct result_dev *devs[BLKLAT_COMPARE_MAX];
	struct comparison cmp = {
		.devs = devs, .ndevs = c->n, .baseline = c->baseline, .paired = true,
		.seed = c->cfg->seed,
	};
	int ret, row;

	for (size_t i = 0; i < c->n; i++)
		devs[i] = &c->res.devs[i];
	ret = compare_stats(&cmp);
	if (!ret) {
		row = report_row(s->table, -1);
		report_set_str(s->table, row, 0, name);
		for (size_t i = 0; i < c->n; i++)
			add_cells(s, c, &cmp, row, i);
	}
	comparison_free(&cmp);
	return ret ? err(ret, "out of memory") : 0;
}

/*
 * Add the devices of one load to the document. Each load gets a device entry of its own, labelled
 * "randread md-raid0".
 */
static void add_devices(struct scenario_run *s, const char *name, json_object *from)
{
	json_object *list, *label;

	if (!json_object_object_get_ex(from, "devices", &list))
		return;
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		json_object *o = json_object_array_get_idx(list, i);
		char text[200];

		json_object_object_get_ex(o, "label", &label);
		snprintf(text, sizeof(text), "%s %s", name, json_object_get_string(label));
		json_str(o, "label", text);
		json_str(o, "scenario", name);
		json_object_array_add(s->devices, json_object_get(o));
	}
}

static void move_member(json_object *to, json_object *from, const char *key)
{
	json_object *v;

	if (json_object_object_get_ex(from, key, &v))
		json_object_object_add(to, key, json_object_get(v));
}

/*
 * Members of the JSON object "scenario":
 * @name: string: Name of the load: ``randread``...
 * @load: compared load: The load that ran.
 * @comparison: comparison: All figures of this load.
 */

/*
 * Add the result of one load to the document. Members that are the same for all loads are taken
 * from the first load.
 */
static void add_part(struct scenario_run *s, const char *name, json_object *from, json_object *doc)
{
	static const char *const shared[] = { "result", "machine", "topology" };
	json_object *part = json_object_new_object();

	for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++)
		if (!json_object_object_get_ex(doc, shared[i], NULL))
			move_member(doc, from, shared[i]);
	json_str(part, "name", name);
	move_member(part, from, "load");
	move_member(part, from, "comparison");
	json_object_array_add(s->parts, part);
	add_devices(s, name, from);
}

/* Empty the results for the next load. The document already has those of the load before. */
static void forget(struct compare *c)
{
	for (size_t i = 0; i < c->res.ndevs; i++) {
		struct result_dev *d = &c->res.devs[i], keep = *d;

		json_object_put(d->doc);
		result_dev_free(d);
		if (i >= c->n)
			continue;
		memcpy(d->name, keep.name, sizeof(d->name));
		memcpy(d->label, keep.label, sizeof(d->label));
		d->top = true;
	}
	c->res.ndevs = c->n;
	free(c->leaves);
	c->leaves = NULL;
	c->nleaves = 0;
	c->done = 0;
}

static int run_step(struct scenario_run *s, struct compare *c, const struct scenario_step *st,
		    json_object *doc)
{
	json_object *part = json_object_new_object();
	int ret, concluded;

	step_load(st, s->load, sizeof(s->load));
	info("%s: %s", st->name, s->load);
	compare_load_free(&c->load);
	memset(&c->load, 0, sizeof(c->load));
	ret = compare_load_parse(c, NULL);
	if (ret) {
		json_object_put(part);
		return ret;
	}
	ret = compare_measure(c);
	concluded = compare_conclude(c, ret, part) ?: add_row(s, c, st->name);
	if (!concluded)
		add_part(s, st->name, part, doc);
	json_object_put(part);
	ret = ret ?: concluded;
	if (!ret)
		forget(c);
	return ret;
}

static int run_steps(struct scenario_run *s, struct compare *c, json_object *doc)
{
	int ret = 0;

	for (const struct scenario_step *st = s->scenario->steps; st->name && !ret; st++) {
		if (st->writes && !may_write(c))
			warn("%s writes and is left out: loads that write run only on stacks that "
			     "blklat makes", st->name);
		else
			ret = run_step(s, c, st, doc);
	}
	return ret == -EINTR ? 130 : ret == -ECHILD ? c->status : ret;
}

int compare_scenario(struct compare *c, json_object *doc)
{
	const struct compare_cfg *cfg = c->cfg;
	struct scenario_run s = { .scenario = find_scenario(cfg->scenario), .cfg = *cfg };
	int ret, printed = 0;

	s.table = new_table(&s, c);
	if (!s.table) {
		free(s.labels);
		return err(-ENOMEM, "out of memory");
	}
	s.devices = json_object_new_array();
	s.parts = json_object_new_array();
	s.cfg.load = s.load;
	/* Suppress the tables of each load: they would bury the table of the scenario. */
	s.cfg.json = "-";
	c->cfg = &s.cfg;
	ret = run_steps(&s, c, doc);
	reader_hold();
	c->cfg = cfg;
	if (c->stacks && json_object_array_length(s.parts))
		json_object_object_add(doc, "stacks", json_object_get(c->stacks_doc));
	json_object_object_add(doc, "scenarios", s.parts);
	json_object_object_add(doc, "devices", s.devices);
	if (json_object_array_length(s.parts) && !report_is_stdout(cfg->json))
		printed = report_print(s.table, stdout);
	printed = reader_print_error(printed);
	report_table_free(s.table);
	free(s.labels);
	return ret ?: printed;
}
