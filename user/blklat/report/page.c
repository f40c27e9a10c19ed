// SPDX-License-Identifier: GPL-2.0
/* blklat report: write one HTML page that needs no other file. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "blklat/report/compare.h"
#include "blklat/report/group_table.h"
#include "blklat/report/page.h"
#include "blklat/report/scenarios.h"
#include "blklat/report/stage_table.h"
#include "blklat/report/tables.h"
#include "blklat/report/style.h"
#include "core/child.h"
#include "core/log.h"
#include "core/units.h"
#include "blklat/plot/palette.h"
#include "blklat/report/html.h"
#include "blklat/result/names.h"
#include "blklat/result/stack_tree.h"
#include "blklat/result/verdict.h"
#include "output/document.h"
#include "output/facts.h"
#include "output/table.h"

static const struct plot_look wide = { .width = 1040 }, narrow = { .width = 380, .narrow = true };

static void text(FILE *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Print a formatted text, with characters that are special in HTML escaped. */
static void text(FILE *f, const char *fmt, ...)
{
	char buf[4096];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	html_text(buf, f);
}

static void put_colours(bool dark, FILE *f)
{
	fputs(":root{", f);
	for (int i = 0; i < NR_ROLES; i++)
		fprintf(f, "--%s:#%06x;", palette_roles[i].name,
			dark ? palette_roles[i].dark : palette_roles[i].light);
	fprintf(f, "--ok:%s}", dark ? "#12291f" : "#e6f5ee");
}

static void put_head(const struct report_set *set, FILE *f)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
	      "<link rel=\"icon\" href=\"data:,\">\n<title>", f);
	for (size_t i = 0; i < set->tops.n; i++)
		text(f, "%s%s", i ? ", " : "", set->tops.devs[i].label);
	fputs(" – blklat</title>\n<style>\n", f);
	put_colours(false, f);
	/* The dark colours are for screens only: pages are printed on white paper. */
	fputs("\n@media screen and (prefers-color-scheme:dark){", f);
	put_colours(true, f);
	fprintf(f, "}\n%s</style>\n</head>\n<body>\n<main>\n", page_style);
}

/* Return the share of the mean that the stages of a group take, in per cent. */
static double group_share(const struct result_dev *d, unsigned int group)
{
	return percent(result_group_sum(&d->rows, group), d->total.sum);
}

/*
 * Print up to four groups with a share of at least 0.5 %, the largest first: "49 % kernel, 28 %
 * device, 22 % driver".
 */
static void put_shares(const struct result_dev *d, FILE *f)
{
	bool said[NR_GROUPS] = { false };

	for (int n = 0; n < 4; n++) {
		int best = -1;

		for (int g = 0; g < NR_GROUPS; g++)
			if (!said[g] && group_share(d, g) >= 0.5 &&
			    (best < 0 || group_share(d, g) > group_share(d, best)))
				best = g;
		if (best < 0)
			break;
		said[best] = true;
		text(f, "%s%.0f %% %s", n ? ", " : ": ", group_share(d, best), group_name(best));
	}
}

static void put_sentence(const struct plot_dev *dev, FILE *f)
{
	const struct hist *h = &dev->dev->total;
	char mean[FMT_LEN], p99[FMT_LEN];

	fputs("<li><b>", f);
	text(f, "%s", dev->label);
	fputs("</b>: ", f);
	if (!h->count) {
		fputs("no I/O was traced.</li>\n", f);
		return;
	}
	fmt_time(mean, sizeof(mean), hist_mean(h));
	fmt_time(p99, sizeof(p99), hist_percentile(h, 99));
	text(f, "%llu traced I/Os took %s on average, and one in a hundred took %s or more. "
	     "Where the time goes", (unsigned long long)h->count, mean, p99);
	put_shares(dev->dev, f);
	fputs(".</li>\n", f);
}

/* Write what compared devices differ in, above all figures. */
static void put_verdicts(const struct comparison *c, FILE *f)
{
	char buf[VERDICT_LEN];

	for (size_t i = 0; i < c->nverdicts; i++) {
		const struct verdict *v = &c->verdicts[i];

		if (!v->mean.diff.interval || !verdict_is_short(c, v))
			continue;
		fputs("<li class=\"verdict\">", f);
		text(f, "%s", verdict_text(buf, sizeof(buf), c, v));
		fputs("</li>\n", f);
	}
}

static void put_table(struct report_table *t, const char *caption, FILE *f)
{
	if (!t)
		return;
	report_html(t, caption, f);
	report_table_free(t);
}

static uint64_t sum_of(const struct report_set *set, enum blklat_counter counter)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < set->all.n; i++)
		sum += ledger_count(&set->all.devs[i].dev->ledger, counter);
	return sum;
}

static void put_honesty(const struct report_set *set, FILE *f)
{
	uint64_t lost = 0, skipped = report_missed(set), unattributed = 0;
	bool errors = false;

	for (size_t i = 0; i < set->n; i++)
		errors |= *doc_str(set->results[i].doc, "error");
	for (size_t i = 0; i < set->all.n; i++) {
		lost += ledger_lost(&set->all.devs[i].dev->ledger);
		unattributed += group_share(set->all.devs[i].dev, GROUP_UNATTRIBUTED) > 1;
	}
	fprintf(f, "<p class=\"%s\">", lost || skipped || errors || unattributed ? "bad" : "ok");
	text(f, "%llu I/Os started on all devices, including the devices below others: "
	     "%llu completed, %llu were in flight at the end, %llu were lost. ",
	     (unsigned long long)sum_of(set, COUNT_STARTED),
	     (unsigned long long)sum_of(set, COUNT_COMPLETED),
	     (unsigned long long)sum_of(set, COUNT_INFLIGHT), (unsigned long long)lost);
	if (lost)
		fputs("No figure on this page includes the lost I/Os; the table at the end says "
		      "why they were lost. ", f);
	if (skipped)
		text(f, "blklat missed %llu events, because its BPF program was running already on "
		     "the same CPU: stages of these I/Os are merged, or the I/Os are lost. ",
		     (unsigned long long)skipped);
	if (unattributed)
		text(f, "For %llu device%s, more than 1 %% of the time is unattributed. ",
		     (unsigned long long)unattributed, unattributed > 1 ? "s" : "");
	for (size_t i = 0; i < set->n; i++)
		if (*doc_str(set->results[i].doc, "error"))
			text(f, "The command that made %s ended with an error: %s. ",
			     set->results[i].path, doc_str(set->results[i].doc, "error"));
	fputs("</p>\n", f);
}

/* Print the totals of the comparisons: without tracing, as far as they were measured so. */
static void put_compared(const struct report_set *set, FILE *f)
{
	char text[512], how[COMPARE_HOW_LEN];

	for (size_t i = 0; i < set->n; i++) {
		const struct comparison *c = &set->cmps[i];

		if (!c->nrows)
			continue;
		snprintf(text, sizeof(text), "Differences to %s, with %g %% confidence intervals. "
			 "~: the difference may be chance; ?: there are too few %s. %s.",
			 c->devs[c->baseline]->label, 100 * c->confidence,
			 c->paired ? "rounds" : "samples", compare_how_text(how, sizeof(how), c));
		put_table(report_compared(c), text, f);
	}
}

static void put_compared_stages(const struct report_set *set, FILE *f)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct comparison *c = &set->cmps[i];

		if (!c->nrows)
			continue;
		put_table(comparison_stages(c), "Mean time per I/O by stage, net of tracing",
			  f);
		if (!c->traced[COMPARE_MEAN] && c->nrows > COMPARE_STAGES)
			put_table(comparison_tracing(c), COMPARISON_TRACING, f);
	}
}

static void put_summary(const struct report_set *set, FILE *f)
{
	fputs("<h1>", f);
	for (size_t i = 0; i < set->tops.n; i++)
		text(f, "%s%s", i ? ", " : "", set->tops.devs[i].label);
	fputs("</h1>\n<p class=\"sub\">", f);
	for (size_t i = 0; i < set->n; i++) {
		const struct result *r = &set->results[i];
		json_object *machine = doc_get(r->doc, "machine");

		text(f, "%s", i ? "; " : "Block I/O latency by blklat: ");
		/* A comparison has many turns, and its devices were traced in some of them. */
		if (!strcmp(r->kind, "compare"))
			text(f, "comparison");
		else
			text(f, "recording of %.1f s", r->devs[0].elapsed_ns / 1e9);
		text(f, ", Linux %s", doc_str(doc_get(r->doc, "kernel"), "release"));
		if (*doc_str(machine, "name"))
			text(f, " on %s", doc_str(machine, "name"));
	}
	fputs("</p>\n<ul>\n", f);
	for (size_t i = 0; i < set->n; i++)
		put_verdicts(&set->cmps[i], f);
	for (size_t i = 0; i < set->tops.n; i++)
		put_sentence(&set->tops.devs[i], f);
	fputs("</ul>\n", f);
	put_compared(set, f);
	put_honesty(set, f);
	put_table(report_summary(&set->tops), "Totals, traced", f);
}

static int put_plot(const struct report_set *set, const struct plot *plot, const char *dir, FILE *f)
{
	const struct plot_set *what = plot->below ? &set->all : &set->tops;
	static const struct {
		const struct plot_look *look;
		const char *name;
	} looks[] = { { &wide, "wide" }, { &narrow, "narrow" } };
	int ret = 0;

	fputs("<figure>\n", f);
	for (int i = 0; i < 2 && !ret; i++) {
		char path[PATH_MAX], id[64], suffix[16];

		snprintf(suffix, sizeof(suffix), "-%s", looks[i].name);
		snprintf(path, sizeof(path), "%s/%s%s.svg", dir, plot->name, suffix);
		snprintf(id, sizeof(id), "%s%s", plot->name, suffix);
		ret = plot_write(plot, what, looks[i].look, dir, suffix);
		if (ret)
			break;
		fprintf(f, "<div class=\"%s\">", looks[i].name);
		ret = plot_inline(path, id, plot->title, f);
		fputs("</div>\n", f);
	}
	fputs("<figcaption>", f);
	html_text(plot->note, f);
	fputs("</figcaption>\n</figure>\n", f);
	return ret;
}

/* Print the comparison of one load of a scenario. */
static int put_scenario(const struct report_set *part, const char *scenario, const void *file)
{
	FILE *f = (FILE *)file;

	fputs("<section>\n<h2>", f);
	text(f, "%s", scenario);
	fputs("</h2>\n", f);
	put_compared(part, f);
	put_compared_stages(part, f);
	fputs("</section>\n", f);
	return 0;
}

static void put_layers(const struct report_set *set, FILE *f)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct result *r = &set->results[i];
		bool whole = true;

		if (strcmp(r->kind, "record"))
			continue;
		put_table(layers_table(r->devs, r->ndevs, &whole), "Layers; submit and complete "
			  "are net of tracing, as far as it is known", f);
		put_table(flow_table(r->devs, r->ndevs, &whole), "I/O that the layers got and made",
			  f);
	}
}

/* Print the tables that belong to a picture or take its place. */
static void put_tables_of(const struct report_set *set, const struct plot *plot, FILE *f)
{
	struct report_table *ops;

	if (plot == &plot_diffs) {
		put_compared_stages(set, f);
	} else if (plot == &plot_stages) {
		put_table(stage_table(&set->tops, set->tops.n), "Mean time per I/O and its share; "
			  "percentiles are over the I/Os that have the stage", f);
		if (!ops_table(&set->tops, &ops))
			put_table(ops, "Kinds of I/O", f);
	} else if (plot == &plot_legs) {
		put_layers(set, f);
		put_table(report_legs(&set->all), "Devices below", f);
	}
}

static int put_plots(const struct report_set *set, const char *dir, FILE *f)
{
	int ret = 0;

	for (size_t i = 0; plots[i] && !ret && !end_signal_pending(); i++) {
		const struct plot *plot = plots[i];
		bool shows = plot->shows(plot->below ? &set->all : &set->tops);
		struct report_table *legs = plot == &plot_legs ? report_legs(&set->all) : NULL;

		if (!shows && !legs)
			continue;
		report_table_free(legs);
		fprintf(f, "<section id=\"%s\">\n<h2>%s</h2>\n", plot->name, plot->title);
		if (shows)
			ret = put_plot(set, plot, dir, f);
		put_tables_of(set, plot, f);
		fputs("</section>\n", f);
	}
	return ret;
}

static void put_fact(FILE *f, const char *what, const char *value)
{
	if (!*value)
		return;
	fprintf(f, "<dt>%s</dt><dd>", what);
	html_text(value, f);
	fputs("</dd>\n", f);
}

static void put_machine(const struct result *r, FILE *f)
{
	json_object *machine = doc_get(r->doc, "machine"), *kernel = doc_get(r->doc, "kernel");
	char buf[512], size[FMT_LEN];

	put_fact(f, "File", r->path);
	snprintf(buf, sizeof(buf), "Linux %s %s, %s", doc_str(kernel, "release"),
		 doc_str(kernel, "version"), doc_str(kernel, "machine"));
	put_fact(f, "Kernel", buf);
	snprintf(buf, sizeof(buf), "%s%s%s, %llu CPUs, %s of memory, clock %s",
		 doc_str(machine, "product"), *doc_str(machine, "product") ? ", " : "",
		 doc_str(machine, "cpu"), (unsigned long long)doc_u64(machine, "cpus"),
		 fmt_size(size, sizeof(size), doc_u64(machine, "memory")),
		 doc_str(machine, "clocksource"));
	if (machine)
		put_fact(f, "Machine", buf);
	for (size_t i = 0; i < r->ndevs; i++) {
		if (!report_of_first_load(r, i))
			continue;
		report_facts_text(&r->devs[i].facts, buf, sizeof(buf));
		put_fact(f, i ? "" : "Devices", buf);
	}
}

static void put_tracing(const struct result *r, FILE *f)
{
	const struct trace_cost *cost = &r->devs[0].cost;
	char buf[256], ns[FMT_LEN], attach[FMT_LEN];
	bool timed = cost->per_io_ns >= 0;

	if (!cost->programs)
		return;
	fmt_time(ns, sizeof(ns), cost->per_io_ns);
	snprintf(buf, sizeof(buf), "%s%s%llu programs, attached in %s; %llu events missed",
		 timed ? ns : "",
		 timed ? " of BPF per I/O, which the times above include; " : "",
		 (unsigned long long)cost->programs,
		 fmt_time(attach, sizeof(attach), cost->attach_ns),
		 (unsigned long long)cost->misses);
	put_fact(f, "Tracing", buf);
}

static void put_missing(const struct result *r, FILE *f)
{
	char buf[512];

	for (size_t i = 0; report_missing(r, i, buf, sizeof(buf)); i++)
		put_fact(f, "Missing", buf);
}

static void put_facts(const struct report_set *set, FILE *f)
{
	fputs("<section id=\"facts\">\n<h2>Traced and lost I/Os</h2>\n"
	      "<p class=\"note\">started = completed + in flight + lost. An I/O is lost if there "
	      "was no room to follow it, or if its start or end was missed; no figure includes a "
	      "lost I/O. For an I/O that is not split, all its time below a layer is in one "
	      "stage.</p>\n", f);
	put_table(report_ledgers(&set->all), NULL, f);
	fputs("<h2>Machine, devices, command</h2>\n", f);
	for (size_t i = 0; i < set->n; i++) {
		json_object *command = doc_get(set->results[i].doc, "command");

		fputs("<dl>\n", f);
		put_machine(&set->results[i], f);
		put_tracing(&set->results[i], f);
		put_missing(&set->results[i], f);
		fputs("</dl>\n<pre>", f);
		for (size_t k = 0; k < doc_len(command); k++)
			text(f, "%s%s", k ? " " : "", json_object_get_string(doc_at(command, k)));
		fputs("</pre>\n", f);
	}
	fputs("</section>\n</main>\n</body>\n</html>\n", f);
}

static void remove_dir(const char *dir)
{
	static const char *const names[] = { "-wide.dat", "-wide.gp", "-wide.svg",
					     "-narrow.dat", "-narrow.gp", "-narrow.svg" };
	char path[PATH_MAX];

	for (size_t i = 0; plots[i]; i++)
		for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++) {
			snprintf(path, sizeof(path), "%s/%s%s", dir, plots[i]->name, names[k]);
			unlink(path);
		}
	rmdir(dir);
}

/* Print the plots, whose data and pictures are in files of a directory that is gone afterwards. */
static int put_plots_by_files(const struct report_set *set, FILE *f)
{
	char dir[PATH_MAX];
	sigset_t ending, before;
	int ret;

	snprintf(dir, sizeof(dir), "%s/blklat-report.XXXXXX", getenv("TMPDIR") ?: "/tmp");
	/* A signal would leave the directory behind, so it has to wait. */
	end_signals(&ending);
	sigprocmask(SIG_BLOCK, &ending, &before);
	if (mkdtemp(dir)) {
		ret = put_plots(set, dir, f);
		remove_dir(dir);
	} else {
		ret = err(-errno, "%s: cannot be made: %s", dir, strerror(errno));
	}
	/* A signal that came meanwhile ends this process here. */
	sigprocmask(SIG_SETMASK, &before, NULL);
	return ret;
}

int report_page(const struct report_set *set, const char *path)
{
	char *page = NULL;
	size_t len = 0;
	FILE *f;
	int ret = 0, plotted;

	f = open_memstream(&page, &len);
	if (!f)
		return err(-ENOMEM, "out of memory");
	put_head(set, f);
	put_summary(set, f);
	if (report_has_scenarios(set))
		ret = report_each_scenario(set, put_scenario, f);
	plotted = put_plots_by_files(set, f);
	ret = ret ?: plotted;
	put_facts(set, f);
	if (fclose(f) && !ret)
		ret = err(-ENOMEM, "out of memory");
	if (!ret)
		ret = report_write(page, path);
	free(page);
	return ret;
}
