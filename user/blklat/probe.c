// SPDX-License-Identifier: GPL-2.0
/* blklat probe: show what this kernel and device offer, mark by mark. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "blklat.h"
#include "blklat/cmds.h"
#include "blklat/collect/hooks.h"
#include "blklat/collect/limits.h"
#include "blklat/collect/trial.h"
#include "core/log.h"
#include "core/reader.h"
#include "core/text.h"
#include "output/document.h"
#include "output/facts.h"
#include "output/file.h"
#include "output/json.h"
#include "output/table.h"

struct probe_cfg {
	struct common_cfg common;
	const char *json;
};

static const struct opt probe_opts[] = {
	{ "json", 0, OPT_OUTPUT, OPT_AT(struct probe_cfg, json), NULL, "FILE",
	  "write the result as JSON; without FILE to stdout, in place of the table" },
	OPT_COMMON(struct probe_cfg)
};

/*
 * Members of the JSON object "hook":
 * @mark: string: Mark that the hook gives, ``-`` for none.
 * @driver: string: Family of drivers that has the hook, or ``all``.
 * @type: string: ``tracepoint``, ``fentry``, ``fexit`` or ``raw tracepoint``.
 * @symbol: string: Name of the tracepoint or function.
 * @state: string: ``yes``; ``missing``: this kernel does not have the hook, or would not run a
 *	program there, or the user may not attach one; ``when loaded``: the module that has it is
 *	not loaded.
 * @module: string: Module that has the tracepoint or function, or ``kernel``.
 * @reason: string, optional: Why there is no hook, and what happens to the stages without it.
 */
static const struct column columns[] = {
	{ "mark", "mark", COL_STR, COL_LEFT },
	{ "driver", "driver", COL_STR, COL_LEFT },
	{ "type", "hook", COL_STR, COL_LEFT },
	{ "symbol", "symbol", COL_STR, COL_LEFT },
	{ "state", "state", COL_STR, COL_LEFT },
	{ "module", "module", COL_STR, COL_LEFT },
	{ "reason", "reason: effect on the stages", COL_STR, COL_LEFT },
};

/*
 * Members of the JSON object "trial":
 * @what: string: A type of BPF program: ``tracepoint``, ``fentry``, ``fexit``, ``raw tracepoint``,
 *	``syscall program``; something that programs do: ``reading memory``, ``callback``; or
 *	``memory``, a map as large as the variables of the programs.
 * @needed_for: string: Purpose for which a trace needs it.
 * @state: string: ``yes``, ``refused``, or ``untried`` if this user may not try.
 * @reason: string, optional: For ``refused``: what was tried, and what the kernel said, or the
 *	setting that makes the trial useless. For ``untried``: the rights that are missing.
 */
static const struct column trial_columns[] = {
	{ "what", "BPF feature", COL_STR, COL_LEFT },
	{ "needed_for", "needed for", COL_STR, COL_LEFT },
	{ "state", "state", COL_STR, COL_LEFT },
	{ "reason", "reason", COL_STR, COL_LEFT },
};

static void add_hook(struct report_table *t, const struct hook *h, const struct hook_status *st)
{
	char reason[320];
	int row = report_row(t, -1);

	report_set_str(t, row, 0, *h->marks ? h->marks : "-");
	report_set_str(t, row, 1, h->family ? h->family : "all");
	report_set_str(t, row, 2, hook_type_name(h->type));
	report_set_str(t, row, 3, h->symbol);
	report_set_str(t, row, 4, hook_state_name(st->state));
	report_set_str(t, row, 5, *st->module ? st->module : "kernel");
	if (st->state != HOOK_MISSING && st->state != HOOK_LATER)
		return;
	snprintf(reason, sizeof(reason), "%s: %s", st->reason,
		 h->without ? h->without : "blklat cannot trace here");
	report_set_str(t, row, 6, reason);
}

static struct report_table *make_table(const struct hook_status *status)
{
	struct report_table *t = report_table_new(columns, sizeof(columns) / sizeof(*columns));

	for (size_t i = 0; t && i < nr_hooks; i++)
		if (status[i].state != HOOK_UNUSED)
			add_hook(t, &hooks[i], &status[i]);
	return t;
}

/*
 * Return true if the trial failed because the user may not trace: that says nothing about the
 * kernel.
 */
static bool needs_rights(const struct trial *t)
{
	return t->error == -EPERM && geteuid() && !may_trace();
}

static const char *trial_state(const struct trial *t)
{
	return !t->error ? "yes" : needs_rights(t) ? "untried" : "refused";
}

/*
 * Run the trials and set *@t to their table. Return how many of those that each trace needs the
 * kernel refused, without those that need rights, or -errno, reported.
 */
static int make_trials(struct trial trials[NR_TRIALS], struct report_table **t)
{
	int ret = trials_run(trials);

	*t = ret < 0 ? NULL : report_table_new(trial_columns,
					       sizeof(trial_columns) / sizeof(*trial_columns));
	if (!*t)
		return ret < 0 ? ret : err(-ENOMEM, "out of memory");
	for (size_t i = 0; i < NR_TRIALS; i++) {
		int row = report_row(*t, -1);

		report_set_str(*t, row, 0, trials[i].what);
		report_set_str(*t, row, 1, trials[i].needed_for);
		report_set_str(*t, row, 2, trial_state(&trials[i]));
		if (trials[i].error)
			report_set_str(*t, row, 3, needs_rights(&trials[i]) ?
				       "this needs CAP_BPF and CAP_PERFMON" : trials[i].reason);
		ret -= needs_rights(&trials[i]) && !trials[i].optional;
	}
	return ret;
}

static int probe_devices(struct opt_args *args, struct device *devs)
{
	for (size_t i = 0; i < args->npos; i++) {
		int ret = device_resolve(args->pos[i], &devs[i]);

		if (ret)
			return ret;
		device_facts(&devs[i]);
	}
	return 0;
}

static void print_device(const struct device *d)
{
	struct text lines;
	FILE *f = text_open(&lines, stdout);

	report_facts_print(d, f);
	if (d->bio_based)
		fprintf(f, "%s: bio based, so it has no requests, and only the marks E, Q, Z "
			"and W\n", d->name);
	else if (!hook_family(d))
		fprintf(f, "%s: no hooks for driver %s, so the stages are sched+submit and "
			"submit+device\n", d->name, *d->kind ? d->kind : "(unknown)");
	text_close(&lines);
}

/*
 * Set @failed to the hooks that the kernel refused in a trial. If it does not support programs at
 * functions, it refuses all of that type, else only those at the function that was tried.
 */
static void find_refused(const struct trial trials[NR_TRIALS], struct hook_status *failed)
{
	for (size_t i = 0; i < nr_hooks; i++)
		for (size_t k = 0; k < NR_TRIALS; k++) {
			const struct trial *t = &trials[k];

			if (!t->error || needs_rights(t) || !t->symbol ||
			    strcmp(t->what, hook_type_name(hooks[i].type)) ||
			    (strcmp(t->symbol, hooks[i].symbol) && !t->whole_type))
				continue;
			failed[i].state = HOOK_FAILED;
			snprintf(failed[i].reason, sizeof(failed[i].reason), "%s", t->reason);
		}
}

/* Set *@t to the table of the hooks. Return 0 or -errno. */
static int make_hooks(struct device *devs, size_t ndevs, const struct trial trials[NR_TRIALS],
		      struct report_table **t)
{
	struct hook_status *status = calloc(2 * nr_hooks, sizeof(*status));
	int ret;

	if (!status)
		return err(-ENOMEM, "out of memory");
	ret = hooks_probe(devs, ndevs, status);
	find_refused(trials, status + nr_hooks);
	hooks_choose(status + nr_hooks, status);
	*t = ret ? NULL : make_table(status);
	free(status);
	if (!*t && !ret)
		ret = err(-ENOMEM, "out of memory");
	return ret;
}

/*
 * Members of the JSON object "probed device":
 * @name: string: Name of the device in the kernel.
 * @facts: facts: Properties of the device.
 * @hooks: string or null: Family of drivers that the device belongs to; null if its driver has no
 *	hooks of its own.
 */
static json_object *devices_json(const struct device *devs, size_t ndevs)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < ndevs; i++) {
		json_object *o = json_object_new_object();

		json_str(o, "name", devs[i].name);
		json_object_object_add(o, "facts", report_facts(&devs[i]));
		json_str(o, "hooks", hook_family(&devs[i]));
		json_object_array_add(list, o);
	}
	return list;
}

static int print(const struct device *devs, size_t ndevs, struct report_table *tried,
		 struct report_table *marks)
{
	int ret;

	for (size_t i = 0; i < ndevs; i++)
		print_device(&devs[i]);
	ret = report_print(tried, stdout);
	putchar('\n');
	return reader_print_error(ret ?: report_print(marks, stdout));
}

/*
 * Members of the JSON document "blklat probe":
 * @kernel_takes[]: trial, optional: One per feature of the kernel that a trace needs and that was
 *	tried.
 * @hooks[]: hook, optional: One per hook. If devices are named, only the hooks that they need.
 * @devices[]: probed device, optional: One per device that was named.
 */
static int probe(struct opt_args *args, const char *json, json_object *doc)
{
	struct report_table *tried = NULL, *marks = NULL;
	struct trial trials[NR_TRIALS];
	struct device devs[BLKLAT_MAX_DEVS];
	int ret = probe_devices(args, devs), refused;

	if (ret)
		return ret;
	refused = make_trials(trials, &tried);
	ret = refused < 0 ? refused : make_hooks(devs, args->npos, trials, &marks);
	if (!ret) {
		json_object_object_add(doc, "kernel_takes", report_json(tried));
		json_object_object_add(doc, "hooks", report_json(marks));
		json_object_object_add(doc, "devices", devices_json(devs, args->npos));
		if (!report_is_stdout(json))
			ret = print(devs, args->npos, tried, marks);
	}
	report_table_free(tried);
	report_table_free(marks);
	if (!ret && refused)
		ret = err(-ENOTSUP, "this kernel refuses %d of the BPF features that every trace "
			  "needs", refused);
	return ret;
}

static int probe_run(void *config, struct opt_args *args)
{
	const struct probe_cfg *cfg = config;
	json_object *doc;
	int ret;

	if (args->npos > BLKLAT_MAX_DEVS)
		return usage_error("at most %d devices at once", BLKLAT_MAX_DEVS);
	reader_hold();
	doc = report_doc_new("blklat", args->argv);
	ret = probe(args, cfg->json, doc);
	return report_doc_end(doc, cfg->json, ret);
}

const struct cmd cmd_probe = {
	.name = "probe",
	.brief = "show what this kernel and device offer, mark by mark",
	.usage = "[DEV...]",
	.about = "Lists every hook of blklat: which mark the hook gives, whether this kernel has\n"
		 "the hook, and what happens to the stages if it does not. With DEV, lists only\n"
		 "the hooks that these devices need. Before that, tries what the kernel allows:\n"
		 "loads and attaches an empty BPF program of each type that a trace uses, and\n"
		 "creates a map as large as that of a trace, each for a moment.",
	.examples = "blklat probe nvme0n1\n",
	.opts = probe_opts,
	.cfg_size = sizeof(struct probe_cfg),
	.max_pos = 1024,
	.run = probe_run,
};
