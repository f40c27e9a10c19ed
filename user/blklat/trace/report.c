// SPDX-License-Identifier: GPL-2.0
/* Print the result of a trace: header, tables, JSON. */
#include <errno.h>
#include <string.h>
#include <sys/utsname.h>
#include "blklat/result/stack_tree.h"
#include "blklat/result/topo_tree.h"
#include "blklat/trace/missing.h"
#include "blklat/trace/recording.h"
#include "blklat/trace/result_print.h"
#include "blklat/trace/trace.h"
#include "blklat/trace/unfinished.h"
#include "core/reader.h"
#include "core/text.h"
#include "output/facts.h"

static void print_tops(const struct trace *t, FILE *f)
{
	if (!t->cfg->up && t->nnames)
		return;
	if (t->cfg->up)
		fprintf(f, "on top of %s:", t->stack.up);
	else
		fprintf(f, "on top of all:");
	for (size_t i = 0; i < t->stack.ntops; i++)
		fprintf(f, " %s", t->stack.devs[i].name);
	fputc('\n', f);
}

static void print_header(const struct trace *t, FILE *to)
{
	struct utsname un;
	struct text text;
	FILE *f = text_open(&text, to);

	uname(&un);
	fprintf(f, "Linux %s, traced for %.1fs\n", un.release, t->elapsed_ns / 1e9);
	print_tops(t, f);
	for (size_t i = 0; i < t->stack.ndevs; i++) {
		report_facts_print(&t->stack.devs[i], f);
		if (!hook_family(&t->stack.devs[i]) && !t->stack.devs[i].bio_based)
			fprintf(f, "%s: no hooks for driver %s, so the stages are sched+submit "
				"and submit+device\n", t->stack.devs[i].name,
				*t->stack.devs[i].kind ? t->stack.devs[i].kind : "(unknown)");
	}
	missing_print(t, f);
	trace_changes_print(&t->changes, f);
	unsplit_print(t->devs, t->stack.ndevs, f);
	fputc('\n', f);
	text_close(&text);
}

static json_object *device_json(const struct trace *t, size_t i)
{
	json_object *o = result_dev_json(&t->devs[i], t->cfg->output);
	json_object *unfinished = unfinished_json(&t->unfinished[i], &t->stack.devs[i],
						  t->stop_ns);

	if (unfinished)
		json_object_object_add(o, "unfinished", unfinished);
	return o;
}

/*
 * Members of the JSON document "blklat trace":
 * @tops: array of string, optional: With ``--up``, the devices that were found on top of the named
 *	ones. Without *DEV*, all devices on top.
 * @changes[]: change, optional: One per change of the stack during the trace, in the order of time.
 *	Absent if the trace did not begin.
 * @missing[]: missing hook, optional: One per effect of a hook that the traced devices need and at
 *	which blklat has no program. Absent if the trace did not begin.
 * @events: events file, optional: With ``--events`` or ``--perfetto``: the files of single I/Os.
 * @devices[]: device, optional: One per traced device: first those of the command line, in its
 *	order, then all devices below them, then those that joined the stack during the trace.
 *	Absent if the trace did not begin.
 */
static void add_json(const struct trace *t, json_object *doc)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < t->stack.ndevs; i++)
		json_object_array_add(list, device_json(t, i));
	json_object_object_add(doc, "devices", list);
	if (t->cfg->up || !t->nnames)
		json_object_object_add(doc, "tops", names_json(t->stack.devs, t->stack.ntops));
	json_object_object_add(doc, "changes", trace_changes_json(&t->changes));
	json_object_object_add(doc, "missing", missing_json(t));
	if (t->events)
		json_object_object_add(doc, "events", trace_events_json(t->events));
	if (t->recording)
		recording_doc(t->recording, t, doc);
}

static int print(const struct trace *t)
{
	struct text lines;
	FILE *f;
	int ret;

	print_header(t, stdout);
	ret = reader_print_error(result_print(t->devs, t->stack.ntops, t->stack.ndevs,
					      t->cfg->spans, stdout));
	if (!ret && t->cfg->hist)
		ret = reader_print_error(hists_print(t->devs, t->stack.ntops, stdout));
	if (ret)
		return ret;
	f = text_open(&lines, stdout);
	unfinished_print(&t->stack, t->unfinished, t->stop_ns, f);
	trace_events_print(t->events, f);
	text_close(&lines);
	return 0;
}

/* Return -EIO if something must not be missed, and report it. */
static int verify(const struct trace *t)
{
	uint64_t lost = 0, bad = 0;

	for (size_t i = 0; i < t->stack.ndevs; i++) {
		lost += ledger_lost(&t->devs[i].ledger);
		bad += t->devs[i].ledger.n[COUNT_CHECK_FAILED];
	}
	if (bad)
		return err(-EIO, "the stages of %llu I/Os do not sum to the total of the I/O: "
			   "this is a bug in blklat", (unsigned long long)bad);
	if (lost && t->cfg->strict)
		return err(-EIO, "%llu I/Os were lost (--strict)", (unsigned long long)lost);
	lost = trace_events_lost(t->events);
	if (lost && t->cfg->strict)
		return err(-EIO, "%llu records of I/Os were lost (--strict)",
			   (unsigned long long)lost);
	return 0;
}

int trace_report(struct trace *t, json_object *doc)
{
	int ret = 0;

	add_json(t, doc);
	if (!t->recording && !trace_stdout_taken(t->cfg))
		ret = print(t);
	return ret ?: verify(t);
}
