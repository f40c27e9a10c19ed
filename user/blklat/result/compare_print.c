// SPDX-License-Identifier: GPL-2.0
/* Print comparisons as tables, and make JSON of them. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/log.h"
#include "core/text.h"
#include "core/units.h"
#include "report/report.h"
#include "blklat/result/compare_stats.h"
#include "blklat/result/verdict.h"

/* Number of devices side by side in a table of stages, without the baseline. */
#define ABREAST	4

static const struct what {
	const char *key, *title;
	enum col_type type;
	bool in_percent;
} figures[NR_COMPARE] = {
	[COMPARE_IOPS] = { "iops", "IOPS", COL_COUNT, true },
	[COMPARE_CPU] = { "cpu_ns_per_io", "CPU/IO", COL_TIME, true },
	[COMPARE_MEAN] = { "mean_ns", "mean", COL_TIME, true },
	[COMPARE_P50] = { "p50_ns", "p50", COL_TIME, true },
	[COMPARE_P90] = { "p90_ns", "p90", COL_TIME, true },
	[COMPARE_P99] = { "p99_ns", "p99", COL_TIME, true },
	[COMPARE_P999] = { "p99.9_ns", "p99.9", COL_TIME, true },
};

static double half_width(const struct boot_diff *d)
{
	return fmax(d->high - d->estimate, d->estimate - d->low);
}

static void percent_text(char *buf, size_t len, double v, double half, const char *pm,
			 bool interval)
{
	double size = fabs(v);
	int digits = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;

	/* Add digits until the first digit of the uncertainty can be seen. */
	while (interval && digits < 2 && half < 0.5 * pow(10, -digits))
		digits++;
	if (interval)
		snprintf(buf, len, "%+.*f%% %s%.*f", digits, v, pm, digits, half);
	else
		snprintf(buf, len, "%+.*f%%", digits, v);
}

static void time_text(char *buf, size_t len, double v, double half, const char *pm, bool interval)
{
	char a[FMT_LEN], b[FMT_LEN];

	fmt_time(a, sizeof(a), fabs(v));
	fmt_time(b, sizeof(b), half);
	if (interval)
		snprintf(buf, len, "%s%s %s%s", v < 0 ? "-" : "+", a, pm, b);
	else
		snprintf(buf, len, "%s%s", v < 0 ? "-" : "+", a);
}

char *compare_diff_text(char *buf, size_t len, const struct compare_value *v,
			const struct compare_value *base, bool in_percent)
{
	const char *pm = log_utf8() ? "\u00b1" : "+-";
	double half = half_width(&v->diff);
	char text[80];

	*buf = '\0';
	if (!v->has_diff)
		return buf;
	if (in_percent && base->value > 0)
		percent_text(text, sizeof(text), 100 * v->diff.estimate / base->value,
			     100 * half / base->value, pm, v->diff.interval);
	else
		time_text(text, sizeof(text), v->diff.estimate, half, pm, v->diff.interval);
	snprintf(buf, len, "%s%s", !v->diff.interval ? "? " : v->significant ? "" : "~ ", text);
	return buf;
}

/* Put a value into the table and, except for the baseline, its difference into the next column. */
static void put_value(struct report_table *t, int row, size_t col, const struct comparison *c,
		      const struct compare_row *r, size_t dev, int what, bool in_percent)
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
static void what_columns(struct column *cols, int what)
{
	cols[0] = (struct column){ figures[what].key, figures[what].title, figures[what].type };
	cols[1] = (struct column){ "difference", "", COL_STR, COL_RIGHT };
}

/* Print a table with a row per device. @which: the figures in it */
static int print_devices(const struct comparison *c, const int *which, size_t n, FILE *f)
{
	struct column cols[1 + 2 * NR_COMPARE] = { { "device", "device", COL_STR } };
	struct report_table *t;
	int ret;

	for (size_t k = 0; k < n; k++)
		what_columns(&cols[1 + 2 * k], which[k]);
	t = report_table_new(cols, 1 + 2 * n);
	if (!t)
		return -ENOMEM;
	for (size_t i = 0; i < c->ndevs; i++) {
		int row = report_row(t, -1);

		report_set_str(t, row, 0, c->devs[i]->label);
		for (size_t k = 0; k < n; k++)
			put_value(t, row, 1 + 2 * k, c, &c->rows[COMPARE_HEAD], i, which[k], true);
	}
	ret = report_print(t, f);
	fputc('\n', f);
	report_table_free(t);
	return ret;
}

static bool row_shown(const struct compare_row *r, size_t ndevs)
{
	for (size_t i = 0; i < ndevs; i++)
		if (r->v[i][COMPARE_MEAN].value > 0)
			return true;
	return false;
}

/* Return row @n of the table: first the stages, then the total, then "think", which is no part. */
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

static int add_stage(struct report_table *t, const struct compare_row *r)
{
	bool think = !strcmp(r->stage, "think");
	int row = report_row(t, -1);

	report_set_str(t, row, 0, think ? "(think)" : r->label);
	if (!*r->stage)
		report_row_bold(t, row);
	return row;
}

/* Print a table with the means of the stages, for the devices in @which. */
static int print_stages(const struct comparison *c, const size_t *which, size_t n, FILE *f)
{
	struct column cols[1 + 2 * (ABREAST + 1)] = { { "stage", "stage", COL_STR } };
	struct report_table *t;
	size_t ncols = 1;
	int ret;

	for (size_t i = 0; i < n; i++) {
		const char *label = c->devs[which[i]]->label;

		cols[ncols++] = (struct column){ "mean_ns", "mean", COL_TIME, 0, label };
		if (which[i] != c->baseline)
			cols[ncols++] = (struct column){ "difference", "", COL_STR, COL_RIGHT,
							 label };
	}
	t = report_table_new(cols, ncols);
	if (!t)
		return -ENOMEM;
	for (size_t k = 0; k + 1 < c->nrows; k++) {
		const struct compare_row *r = &c->rows[nth_row(c, k)];
		size_t col = 1;
		int row;

		if (!row_shown(r, c->ndevs))
			continue;
		row = add_stage(t, r);
		for (size_t i = 0; i < n; i++) {
			put_value(t, row, col, c, r, which[i], COMPARE_MEAN, false);
			col += which[i] == c->baseline ? 1 : 2;
		}
	}
	ret = report_print(t, f);
	fputc('\n', f);
	report_table_free(t);
	return ret;
}

static int print_abreast(const struct comparison *c, FILE *f)
{
	size_t which[ABREAST + 1], n = 1;
	int ret = 0;

	fputs("Mean time per I/O by stage, traced:\n", f);
	which[0] = c->baseline;
	for (size_t i = 0; i < c->ndevs && !ret; i++) {
		if (i != c->baseline)
			which[n++] = i;
		if (n == ABREAST + 1 || (i + 1 == c->ndevs && (n > 1 || c->ndevs == 1))) {
			ret = print_stages(c, which, n, f);
			n = 1;
		}
	}
	return ret;
}

static int print_detail(const struct comparison *c, size_t dev, FILE *f)
{
	static const int which[] = { COMPARE_MEAN, COMPARE_P50, COMPARE_P99, COMPARE_P999 };
	struct column cols[9] = { { "stage", "stage", COL_STR } };
	struct report_table *t;
	int ret;

	for (size_t k = 0; k < 4; k++)
		what_columns(&cols[1 + 2 * k], which[k]);
	t = report_table_new(cols, 9);
	if (!t)
		return -ENOMEM;
	for (size_t k = 0; k + 1 < c->nrows; k++) {
		const struct compare_row *r = &c->rows[nth_row(c, k)];
		int row;

		if (!row_shown(r, c->ndevs))
			continue;
		row = add_stage(t, r);
		for (size_t m = 0; m < 4; m++)
			put_value(t, row, 1 + 2 * m, c, r, dev, which[m], true);
	}
	fprintf(f, "%s against %s, traced:\n", c->devs[dev]->label, c->devs[c->baseline]->label);
	ret = report_print(t, f);
	fputc('\n', f);
	report_table_free(t);
	return ret;
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
		{ "critical_pct", "last to end", COL_PERCENT },
	};
	struct report_table *t = report_table_new(cols, sizeof(cols) / sizeof(*cols));
	int ret = 0;

	if (!t)
		return -ENOMEM;
	for (size_t i = 0; i < c->ndevs; i++)
		add_legs(t, c->devs[i]);
	if (report_rows(t)) {
		fputs("Balance of the legs, traced:\n", f);
		ret = report_print(t, f);
		fputc('\n', f);
	}
	report_table_free(t);
	return ret;
}

/* Return the least number of rounds or samples that a device's interval comes from. */
static size_t least_rounds(const struct comparison *c)
{
	size_t least = 0;

	for (size_t i = 0; i < c->ndevs; i++) {
		const struct compare_value *v = &c->rows[COMPARE_HEAD].v[i][COMPARE_IOPS];

		if (i != c->baseline && v->has_diff && (!least || v->diff.n < least))
			least = v->diff.n;
	}
	return least;
}

static void print_head(const struct comparison *c, FILE *to)
{
	size_t n = least_rounds(c);
	struct text text;
	FILE *f = text_open(&text, to);

	fprintf(f, "Differences to %s, ", c->devs[c->baseline]->label);
	if (n < BOOT_LEAST)
		fprintf(f, "?: there are too few %s (%zu) to tell differences from chance\n",
			c->paired ? "rounds" : "samples", n);
	else
		fprintf(f, "with %g%% confidence intervals from %zu %s; "
			"~: the difference may be chance\n", 100 * c->confidence, n,
			c->paired ? "rounds" : "samples or more of each");
	fprintf(f, "IOPS and CPU time are measured %s tracing, latency %s tracing\n\n",
		c->traced[COMPARE_IOPS] ? "with" : "without",
		c->traced[COMPARE_MEAN] ? "with" : "without");
	text_close(&text);
}

static bool known(const struct comparison *c, int what)
{
	for (size_t i = 0; i < c->ndevs; i++)
		if (isfinite(c->rows[COMPARE_HEAD].v[i][what].value))
			return true;
	return false;
}

int comparison_print(const struct comparison *c, bool detail, FILE *f)
{
	static const int rates[] = { COMPARE_IOPS, COMPARE_MEAN, COMPARE_CPU };
	static const int tails[] = { COMPARE_P50, COMPARE_P99, COMPARE_P999 };
	int ret;

	verdicts_print(c, f);
	print_head(c, f);
	ret = print_devices(c, rates, known(c, COMPARE_CPU) ? 3 : 2, f);
	if (!ret)
		ret = print_devices(c, tails, 3, f);
	if (!ret && c->nrows > COMPARE_STAGES)
		ret = print_abreast(c, f);
	for (size_t i = 0; i < c->ndevs && detail && !ret && c->nrows > COMPARE_STAGES; i++)
		if (i != c->baseline)
			ret = print_detail(c, i, f);
	return ret ?: print_legs(c, f);
}

static void diff_json(json_object *o, const struct compare_value *v, double of, bool corrected)
{
	json_real(o, "difference", v->diff.estimate);
	if (of > 0)
		json_real(o, "percent", 100 * v->diff.estimate / of);
	if (!v->diff.interval)
		return;
	json_real(o, "low", v->diff.low);
	json_real(o, "high", v->diff.high);
	json_real(o, "p", v->diff.p);
	if (corrected)
		json_real(o, "p_corrected", v->p);
	json_flag(o, "significant", v->significant);
}

void compare_figure_json(json_object *o, enum compare_what what, const struct compare_value *v,
			 double of, bool corrected)
{
	json_object *at;

	if (!isfinite(v->value))
		return;
	at = json_object_new_object();
	json_real(at, "value", v->value);
	json_u64(at, "samples", v->n);
	if (v->below > 0)
		json_real(at, "bucket", v->below);
	if (v->has_diff)
		diff_json(at, v, of, corrected);
	json_object_object_add(o, figures[what].key, at);
}

static json_object *values_json(const struct comparison *c, size_t row, size_t dev)
{
	struct compare_value (*v)[NR_COMPARE] = c->rows[row].v;
	json_object *o = json_object_new_object();

	for (int w = 0; w < NR_COMPARE; w++)
		if (row != COMPARE_TOTAL || w >= COMPARE_MEAN)
			compare_figure_json(o, w, &v[dev][w], v[c->baseline][w].value,
					    row >= COMPARE_STAGES);
	return o;
}

static json_object *device_json(const struct comparison *c, size_t dev)
{
	json_object *o = json_object_new_object(), *stages = json_object_new_array();

	json_str(o, "name", c->devs[dev]->name);
	json_str(o, "label", c->devs[dev]->label);
	json_flag(o, "baseline", dev == c->baseline);
	json_object_object_add(o, "values", values_json(c, COMPARE_HEAD, dev));
	json_object_object_add(o, "traced", values_json(c, COMPARE_TOTAL, dev));
	for (size_t r = COMPARE_STAGES; r < c->nrows; r++) {
		json_object *s = json_object_new_object();

		json_str(s, "stage", c->rows[r].stage);
		json_str(s, "group", c->rows[r].group);
		json_str(s, "layer", c->rows[r].layer);
		json_object_object_add(s, "values", values_json(c, r, dev));
		json_object_array_add(stages, s);
	}
	json_object_object_add(o, "stages", stages);
	return o;
}

json_object *comparison_json(const struct comparison *c)
{
	json_object *o = json_object_new_object(), *list = json_object_new_array();

	json_str(o, "baseline", c->devs[c->baseline]->label);
	json_real(o, "confidence", c->confidence);
	json_u64(o, "resamples", BOOT_RESAMPLES);
	json_u64(o, "seed", c->seed);
	json_flag(o, "paired", c->paired);
	json_flag(o, "rates_traced", c->traced[COMPARE_IOPS]);
	json_flag(o, "latency_traced", c->traced[COMPARE_MEAN]);
	json_object_object_add(o, "verdict", verdicts_json(c));
	for (size_t i = 0; i < c->ndevs; i++)
		json_object_array_add(list, device_json(c, i));
	json_object_object_add(o, "devices", list);
	return o;
}
