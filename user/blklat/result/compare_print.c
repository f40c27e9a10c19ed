// SPDX-License-Identifier: GPL-2.0
/* Print comparisons as tables. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/text.h"
#include "blklat/result/compare_stats.h"
#include "blklat/result/verdict.h"
#include "output/table.h"

/* Width of a difference in a table of stages, and of the stage and the value before it */
#define DIFF_WIDTH	18
#define STAGE_WIDTH	36

static const struct {
	const char *title;
	enum col_type type;
} figures[NR_COMPARE] = {
	[COMPARE_IOPS] = { "IOPS", COL_COUNT },
	[COMPARE_CPU] = { "CPU/IO", COL_TIME },
	[COMPARE_MEAN] = { "mean", COL_TIME },
	[COMPARE_P50] = { "p50", COL_TIME },
	[COMPARE_P90] = { "p90", COL_TIME },
	[COMPARE_P99] = { "p99", COL_TIME },
	[COMPARE_P999] = { "p99.9", COL_TIME },
	[COMPARE_NET] = { "net", COL_TIME },
};

/* Print a table and an empty line, and free the table. */
static int print_table(struct report_table *t, FILE *f)
{
	int ret = report_print_free(t, f);

	fputc('\n', f);
	return ret;
}

void compare_put_value(struct report_table *t, int row, size_t col, const struct comparison *c,
		       const struct compare_row *r, size_t dev, enum compare_what what,
		       bool in_percent)
{
	const struct compare_value *v = &r->v[dev][what];
	char text[96];

	report_set(t, row, col, v->value);
	if (dev == c->baseline || !v->has_diff)
		return;
	report_set_str(t, row, col + 1, compare_diff_text(text, sizeof(text), v,
							  &r->v[c->baseline][what], in_percent));
	report_mark(t, row, col + 1, v->significant);
}

/* Set the two columns of a figure in a table. */
static void what_columns(struct column *cols, enum compare_what what)
{
	cols[0] = (struct column){ compare_keys[what], figures[what].title, figures[what].type };
	cols[1] = (struct column){ "difference", "", COL_STR, COL_RIGHT };
}

struct report_table *comparison_devices(const struct comparison *c, const enum compare_what *which,
					size_t n, bool bold)
{
	struct column cols[1 + 2 * NR_COMPARE] = { { "device", "device", COL_STR } };
	struct report_table *t;

	for (size_t k = 0; k < n; k++)
		what_columns(&cols[1 + 2 * k], which[k]);
	t = report_table_new(cols, 1 + 2 * n);
	for (size_t i = 0; i < c->ndevs && t; i++) {
		int row = report_row(t, -1);

		report_set_str(t, row, 0, c->devs[i]->label);
		if (bold && i == c->baseline)
			report_row_bold(t, row);
		for (size_t k = 0; k < n; k++)
			compare_put_value(t, row, 1 + 2 * k, c, &c->rows[COMPARE_HEAD], i, which[k],
					  true);
	}
	return t;
}

static int print_devices(const struct comparison *c, const enum compare_what *which, size_t n,
			 FILE *f)
{
	struct report_table *t = comparison_devices(c, which, n, false);

	return t ? print_table(t, f) : -ENOMEM;
}

/*
 * Return true if one of @n devices has I/O in a row and, without @all, one differs in it from the
 * baseline.
 */
static bool row_shown(const struct compare_row *r, const size_t *devs, size_t n, bool all)
{
	bool has = false, differs = false;

	for (size_t i = 0; i < n; i++) {
		const struct compare_value *v = &r->v[devs[i]][COMPARE_NET];

		has |= r->v[devs[i]][COMPARE_MEAN].value > 0;
		differs |= v->has_diff && (v->significant || !v->diff.interval);
	}
	return has && (all || differs);
}

/* Return row @n of the table: the stages, the total, and "think", which is no part of the total. */
static size_t nth_row(const struct comparison *c, size_t n)
{
	size_t at = n + COMPARE_STAGES, think = 0;

	for (size_t r = COMPARE_STAGES; r < c->nrows; r++)
		if (!strcmp(c->rows[r].stage, "think"))
			think = r;
	if (think && n + 2 == c->nrows)
		return think;
	at += think && at >= think;
	return at < c->nrows ? at : COMPARE_TOTAL;
}

/* Add a row. Its label is that of the stage for these @n devices, or @total for the totals. */
static int add_stage(struct report_table *t, const struct compare_row *r, const size_t *devs,
		     size_t n, const char *total)
{
	char label[DEV_TEXT];
	bool think = !strcmp(r->stage, "think");
	int row = report_row(t, -1);

	report_set_str(t, row, 0, think ? "(think)" : !*r->stage ? total :
		       compare_label(label, sizeof(label), r, devs, n));
	if (!*r->stage)
		report_row_bold(t, row);
	return row;
}

/* Devices side by side in a table of stages; the first is the baseline. */
struct abreast {
	size_t *dev;
	size_t n;
	bool detail;
};

static struct report_table *stages_table(const struct comparison *c, const struct abreast *a)
{
	struct column *cols = calloc(1 + 2 * a->n, sizeof(*cols));
	struct report_table *t;
	size_t ncols = 1;

	if (!cols)
		return NULL;
	cols[0] = (struct column){ "stage", "stage", COL_STR };
	for (size_t i = 0; i < a->n; i++) {
		const char *label = c->devs[a->dev[i]]->label;

		if (!i || a->detail)
			cols[ncols++] = (struct column){ "net_ns", a->detail ? "net" : label,
							 COL_TIME, 0, a->detail ? label : NULL };
		if (i)
			cols[ncols++] = (struct column){ "difference", a->detail ? "" : label,
							 COL_STR, COL_RIGHT,
							 a->detail ? label : NULL };
	}
	t = report_table_new(cols, ncols);
	free(cols);
	return t;
}

/*
 * Fill a row of a table of stages with a figure of the devices side by side; with @kind, only of
 * those that are layers of this kind. A device that does not have the stage gets a dash.
 */
static void fill_stage(struct report_table *t, int row, const struct comparison *c,
		       const struct abreast *a, const struct compare_row *r, int what,
		       const char *kind)
{
	const struct compare_value *base = &r->v[c->baseline][what];
	bool base_has = r->v[c->baseline][COMPARE_MEAN].value > 0;

	for (size_t i = 0, col = 1; i < a->n; i++) {
		const struct compare_value *v = &r->v[a->dev[i]][what];
		bool own = r->v[a->dev[i]][COMPARE_MEAN].value > 0;
		bool has = (own || (i && base_has)) &&
			   (!kind || !strcmp(r->kinds[a->dev[i]], kind));
		char text[96];

		if (!i || a->detail) {
			if (has && own)
				report_set(t, row, col, v->value);
			col++;
		}
		if (!i)
			continue;
		if (has && v->has_diff)
			report_set_str(t, row, col, compare_diff_text(text, sizeof(text), v, base,
								      false));
		report_mark(t, row, col++, v->significant);
	}
}

/*
 * Add the rows of a stage: one for all devices, or one per kind of layer if the kinds are too many
 * for one label. If the baseline has the layer too, the others are compared with it in one row.
 */
static void add_stages(struct report_table *t, const struct comparison *c, const struct abreast *a,
		       const struct compare_row *r)
{
	char label[DEV_TEXT];
	bool split = *r->stage && !*r->kinds[c->baseline];

	/* Files of old versions have no kinds. */
	for (size_t i = 0; i < a->n; i++)
		split &= *r->kinds[a->dev[i]] || !(r->v[a->dev[i]][COMPARE_MEAN].value > 0);
	if (!split || strncmp(compare_label(label, sizeof(label), r, a->dev, a->n), "layer", 5)) {
		fill_stage(t, add_stage(t, r, a->dev, a->n, "total, net"), c, a, r, COMPARE_NET,
			   NULL);
		return;
	}
	for (size_t i = 1; i < a->n; i++) {
		const char *kind = r->kinds[a->dev[i]];
		size_t k = 1;

		while (strcmp(r->kinds[a->dev[k]], kind))
			k++;
		if (k == i && *kind)
			fill_stage(t, add_stage(t, r, &a->dev[i], 1, NULL), c, a, r, COMPARE_NET,
				   kind);
	}
}

/* Create the table of the stages of some devices; count in @left_out those that it leaves out. */
static struct report_table *stages_of(const struct comparison *c, const struct abreast *a,
				      int *left_out)
{
	struct report_table *t = stages_table(c, a);
	int row;

	if (!t)
		return NULL;
	for (size_t k = 0; k + 1 < c->nrows; k++) {
		const struct compare_row *r = &c->rows[nth_row(c, k)];

		if (r == &c->rows[COMPARE_TOTAL] || row_shown(r, a->dev, a->n, a->detail))
			add_stages(t, c, a, r);
		else
			*left_out += row_shown(r, a->dev, a->n, true);
	}
	row = report_row(t, -1);
	report_set_str(t, row, 0, c->traced[COMPARE_MEAN] ? "with tracing" : "without tracing");
	fill_stage(t, row, c, a, &c->rows[c->traced[COMPARE_MEAN] ? COMPARE_TOTAL : COMPARE_HEAD],
		   COMPARE_MEAN, NULL);
	return t;
}

/* Print a table of the stages of some devices; return how many stages were left out. */
static int print_stages(const struct comparison *c, const struct abreast *a, FILE *f)
{
	int left_out = 0;
	struct report_table *t = stages_of(c, a, &left_out);

	return t ? report_print_free(t, f) ?: left_out : -ENOMEM;
}

/* Put the baseline in front of @a, which has room for all devices. Return: 0 or -ENOMEM. */
static int abreast_init(struct abreast *a, const struct comparison *c, bool detail)
{
	*a = (struct abreast){ .dev = calloc(c->ndevs, sizeof(*a->dev)), .n = 1, .detail = detail };
	if (!a->dev)
		return -ENOMEM;
	a->dev[0] = c->baseline;
	return 0;
}

struct report_table *comparison_stages(const struct comparison *c)
{
	struct report_table *t;
	struct abreast a;
	int left_out = 0;

	if (abreast_init(&a, c, true))
		return NULL;
	for (size_t i = 0; i < c->ndevs; i++)
		if (i != c->baseline)
			a.dev[a.n++] = i;
	t = stages_of(c, &a, &left_out);
	free(a.dev);
	return t;
}

/* Return how many devices with a difference there is room for side by side. */
static size_t room(const struct comparison *c, bool detail, FILE *f)
{
	size_t width = text_width(f), one = DIFF_WIDTH + (detail ? 8 : 0);

	for (size_t i = 0; i < c->ndevs; i++)
		if (strlen(c->devs[i]->label) + 2 > one)
			one = strlen(c->devs[i]->label) + 2;
	if (width == TEXT_ANY)
		return 4;
	return width < STAGE_WIDTH + one ? 1 : (width - STAGE_WIDTH) / one;
}

static int print_abreast(const struct comparison *c, bool detail, FILE *f)
{
	size_t most = room(c, detail, f) + 1;
	struct abreast a;
	int ret = abreast_init(&a, c, detail);

	if (ret)
		return ret;
	text_line(f, "Stages of %s, net of tracing, mean per I/O, and differences to it:",
		  c->devs[c->baseline]->label);
	for (size_t i = 0; i < c->ndevs && ret >= 0; i++) {
		if (i != c->baseline)
			a.dev[a.n++] = i;
		if (a.n < most && i + 1 < c->ndevs)
			continue;
		if (a.n == 1 && c->ndevs > 1)
			break;
		ret = print_stages(c, &a, f);
		if (ret > 0)
			fprintf(f, "%d stage%s that %s not differ: --detail shows them\n", ret,
				ret > 1 ? "s" : "", ret > 1 ? "do" : "does");
		fputc('\n', f);
		a.n = 1;
	}
	free(a.dev);
	return ret < 0 ? ret : 0;
}

static int print_detail(const struct comparison *c, size_t dev, FILE *f)
{
	static const enum compare_what which[] = {
		COMPARE_MEAN, COMPARE_P50, COMPARE_P99, COMPARE_P999
	};
	const size_t pair[] = { dev, c->baseline };
	struct column cols[9] = { { "stage", "stage", COL_STR } };
	struct report_table *t;

	for (size_t k = 0; k < 4; k++)
		what_columns(&cols[1 + 2 * k], which[k]);
	t = report_table_new(cols, 9);
	if (!t)
		return -ENOMEM;
	for (size_t k = 0; k + 1 < c->nrows; k++) {
		const struct compare_row *r = &c->rows[nth_row(c, k)];
		int row;

		if (!row_shown(r, pair, 2, true))
			continue;
		row = add_stage(t, r, pair, 2, r->label);
		for (size_t m = 0; m < 4; m++)
			compare_put_value(t, row, 1 + 2 * m, c, r, dev, which[m], true);
	}
	text_line(f, "%s against %s, traced:", c->devs[dev]->label,
		  c->devs[c->baseline]->label);
	return print_table(t, f);
}

static void add_legs(struct report_table *t, const struct result_dev *d)
{
	for (size_t i = 0; i < d->nlegs && d->nlegs > 1; i++) {
		const struct result_leg *leg = &d->legs[i];
		int row = report_row(t, -1);

		report_set_str(t, row, 0, i ? "" : d->label);
		report_set_str(t, row, 1, leg->device);
		report_set(t, row, 2, leg->linked);
		report_set(t, row, 3, leg->share_pct);
		report_set(t, row, 4, leg->critical_pct);
	}
}

/* Print how evenly the I/Os of layers are spread over the devices below. */
static int print_legs(const struct comparison *c, FILE *f)
{
	static const struct column cols[] = {
		{ "device", "device", COL_STR },
		{ "leg", "leg", COL_STR },
		{ "linked", "I/Os", COL_COUNT },
		{ "share_pct", "share", COL_PERCENT },
		{ "critical_pct", "critical", COL_PERCENT },
	};
	struct report_table *t = report_table_new(cols, sizeof(cols) / sizeof(*cols));

	if (!t)
		return -ENOMEM;
	for (size_t i = 0; i < c->ndevs; i++)
		add_legs(t, c->devs[i]);
	if (report_rows(t)) {
		fputs("Balance of the legs, traced:\n", f);
		return print_table(t, f);
	}
	report_table_free(t);
	return 0;
}

/*
 * Return the least number of rounds or samples that the intervals of a figure come from, 0 if it
 * has no interval. The number may differ from figure to figure: an interval of a recording without
 * I/O has no latency.
 */
static size_t least_rounds(const struct comparison *c, size_t row, enum compare_what what)
{
	size_t least = 0;

	for (size_t i = 0; i < c->ndevs; i++) {
		const struct compare_value *v = &c->rows[row].v[i][what];

		if (i != c->baseline && v->has_diff && (!least || v->diff.n < least))
			least = v->diff.n;
	}
	return least;
}

static void print_confidence(const struct comparison *c, FILE *f)
{
	size_t iops = least_rounds(c, COMPARE_HEAD, COMPARE_IOPS);
	size_t mean = least_rounds(c, COMPARE_TOTAL, COMPARE_MEAN);
	size_t least = !iops || (mean && mean < iops) ? mean : iops;
	size_t most = iops > mean ? iops : mean;
	const char *what = c->paired ? "rounds" : "samples";

	if (most < BOOT_LEAST) {
		fprintf(f, "?: there are too few %s (%zu) to tell differences from chance\n", what,
			least);
		return;
	}
	/* After Ctrl-C there may be too few traced rounds, because they come after all others. */
	if (least < BOOT_LEAST && !c->traced[COMPARE_MEAN])
		fprintf(f, "with %g%% confidence intervals from %zu %s; ?: %zu traced %s are too "
			"few for an interval; ", 100 * c->confidence, most, what, least, what);
	else
		fprintf(f, "with %g%% confidence intervals from %zu %s; ", 100 * c->confidence,
			least, c->paired ? what : "samples or more of each");
	fprintf(f, "~: the difference may be chance\n");
}

static void print_head(const struct comparison *c, FILE *to)
{
	char how[COMPARE_HOW_LEN];
	struct text text;
	FILE *f = text_open(&text, to);

	if (c->load)
		fprintf(f, "Load: %s\n", c->load);
	fprintf(f, "Differences to %s, ", c->devs[c->baseline]->label);
	print_confidence(c, f);
	fprintf(f, "%s\n\n", compare_how_text(how, sizeof(how), c));
	text_close(&text);
}

struct report_table *comparison_tracing(const struct comparison *c)
{
	static const struct column cols[] = {
		{ "device", "device", COL_STR, COL_LEFT },
		{ "untraced_ns", "untraced", COL_TIME },
		{ "traced_ns", "traced", COL_TIME },
		{ "tracing_ns", "tracing adds", COL_TIME },
		{ "taken_out_ns", "taken out", COL_TIME },
		{ "left_in_ns", "left in", COL_TIME },
	};
	struct report_table *t = report_table_new(cols, sizeof(cols) / sizeof(*cols));

	for (size_t i = 0; i < c->ndevs && t; i++) {
		const struct compare_value *total = c->rows[COMPARE_TOTAL].v[i];
		double untraced = c->rows[COMPARE_HEAD].v[i][COMPARE_MEAN].value;
		double traced = total[COMPARE_MEAN].value, net = total[COMPARE_NET].value;
		int row = report_row(t, -1);

		report_set_str(t, row, 0, c->devs[i]->label);
		report_set(t, row, 1, untraced);
		report_set(t, row, 2, traced);
		report_set(t, row, 3, traced - untraced);
		report_set(t, row, 4, traced - net);
		report_set(t, row, 5, net - untraced);
	}
	return t;
}

static int print_tracing(const struct comparison *c, FILE *f)
{
	struct report_table *t;

	/* Without untraced latencies nothing says how much tracing adds. */
	if (c->traced[COMPARE_MEAN])
		return 0;
	t = comparison_tracing(c);
	if (!t)
		return -ENOMEM;
	fputs(COMPARISON_TRACING ":\n", f);
	return print_table(t, f);
}

int comparison_print(const struct comparison *c, bool detail, FILE *f)
{
	static const enum compare_what totals[] = {
		COMPARE_MEAN, COMPARE_P99, COMPARE_IOPS, COMPARE_CPU
	};
	static const enum compare_what tails[] = { COMPARE_P50, COMPARE_P90, COMPARE_P999 };
	bool stages = c->nrows > COMPARE_STAGES;
	int ret;

	verdicts_print(c, f);
	print_head(c, f);
	ret = print_devices(c, totals, compare_known(c, COMPARE_CPU) ? 4 : 3, f);
	if (!ret && detail)
		ret = print_devices(c, tails, 3, f);
	if (!ret && stages)
		ret = print_abreast(c, detail, f);
	if (!ret && stages)
		ret = print_tracing(c, f);
	for (size_t i = 0; i < c->ndevs && detail && !ret && stages; i++)
		if (i != c->baseline)
			ret = print_detail(c, i, f);
	return ret ?: detail ? print_legs(c, f) : 0;
}
