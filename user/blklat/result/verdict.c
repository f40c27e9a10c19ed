// SPDX-License-Identifier: GPL-2.0
/* Say in sentences what compared devices differ in: the latency, and the stages that make it. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/result/verdict.h"
#include "core/text.h"

/* Name a further stage only if its difference is at least this part of the largest one. */
#define LEAST_PART	0.1
/* With more devices, a short text has only the pairs with the baseline. */
#define FEW_DEVICES	4

/* One stage of the two devices. */
struct candidate {
	size_t row;
	struct compare_value v;
};

static int by_size(const void *a, const void *b)
{
	double x = fabs(((const struct candidate *)a)->v.diff.estimate);
	double y = fabs(((const struct candidate *)b)->v.diff.estimate);

	return (x < y) - (x > y);
}

/* Set @list to the stages in which the two devices can be compared, and @n to their number. */
static int compare_stages(const struct comparison *c, const struct verdict *v,
			  struct candidate *list, size_t *n)
{
	struct compare_value **values = calloc(c->nrows, sizeof(*values));
	int ret = values ? 0 : -ENOMEM;

	*n = 0;
	for (size_t r = COMPARE_STAGES; r < c->nrows && !ret; r++) {
		struct candidate *to = &list[*n];

		/* Thinking is no part of the latency. */
		if (!strcmp(c->rows[r].stage, "think"))
			continue;
		to->row = r;
		ret = compare_figure(c, v->more, v->less, r, COMPARE_NET, &to->v);
		if (to->v.has_diff && to->v.diff.interval)
			values[(*n)++] = &to->v;
	}
	ret = ret ?: compare_correct(c, values, *n);
	free(values);
	return ret;
}

/*
 * Look among the stages whose difference may be chance for the one that may differ most. Note it
 * if it may differ by more than the stage with the largest real difference does.
 */
static void find_unsure(struct verdict *v, const struct candidate *list, size_t n)
{
	double most = v->nstages ? fabs(v->stage[0].diff.estimate) : 0;

	for (size_t i = 0; i < n; i++) {
		const struct boot_diff *d = &list[i].v.diff;
		double bound = fmax(fabs(d->low), fabs(d->high));

		if (list[i].v.significant || bound <= most)
			continue;
		most = bound;
		v->unsure = list[i].row;
		v->unsure_v = list[i].v;
	}
}

static int find_stages(const struct comparison *c, struct verdict *v)
{
	struct candidate *list = calloc(c->nrows, sizeof(*list));
	size_t n;
	int ret;

	if (!list)
		return -ENOMEM;
	ret = compare_stages(c, v, list, &n);
	if (!ret)
		qsort(list, n, sizeof(*list), by_size);
	for (size_t i = 0; i < n && !ret && v->nstages < VERDICT_STAGES; i++) {
		const struct compare_value *at = &list[i].v;

		if (!at->significant)
			continue;
		if (v->nstages && fabs(at->diff.estimate) <
				  LEAST_PART * fabs(v->stage[0].diff.estimate))
			break;
		v->where[v->nstages] = list[i].row;
		v->stage[v->nstages++] = *at;
	}
	if (!ret)
		find_unsure(v, list, n);
	free(list);
	return ret;
}

static int find_one(const struct comparison *c, size_t a, size_t b, struct verdict *v)
{
	struct compare_value (*head)[NR_COMPARE] = c->rows[COMPARE_HEAD].v;
	bool more = head[a][COMPARE_MEAN].value > head[b][COMPARE_MEAN].value;
	int ret;

	*v = (struct verdict){ .more = more ? a : b, .less = more ? b : a };
	ret = compare_figure(c, v->more, v->less, COMPARE_HEAD, COMPARE_MEAN, &v->mean);
	ret = ret ?: compare_figure(c, v->more, v->less, COMPARE_HEAD, COMPARE_P99, &v->p99);
	ret = ret ?: compare_figure(c, v->more, v->less, COMPARE_HEAD, COMPARE_CPU, &v->cpu);
	return ret ?: find_stages(c, v);
}

int verdicts_find(struct comparison *c)
{
	int ret = 0;

	c->verdicts = calloc(c->ndevs * c->ndevs / 2 + 1, sizeof(*c->verdicts));
	if (!c->verdicts)
		return -ENOMEM;
	for (size_t i = 0; i < c->ndevs && !ret; i++)
		if (i != c->baseline)
			ret = find_one(c, i, c->baseline, &c->verdicts[c->nverdicts++]);
	for (size_t i = 0; i < c->ndevs && !ret; i++)
		for (size_t k = i + 1; k < c->ndevs && !ret; k++)
			if (i != c->baseline && k != c->baseline)
				ret = find_one(c, k, i, &c->verdicts[c->nverdicts++]);
	return ret;
}

/* Write a difference with its sign or without it: "1.88 ±0.02us", or how large it may be. */
static const char *size_of(char *buf, size_t len, const struct compare_value *v, bool sign)
{
	char *text = compare_diff_text(buf, len, v, v, false);

	text += strspn(text, "~ <");
	return text + (!sign && (*text == '+' || *text == '-'));
}

static void say_stages(const struct comparison *c, const struct verdict *v, FILE *f)
{
	const size_t pair[] = { v->more, v->less };
	char size[80], label[DEV_TEXT];

	for (size_t i = 0; i < v->nstages; i++)
		fprintf(f, "%s %s in %s",
			!i ? ": net of tracing" : i + 1 < v->nstages ? "," : " and",
			size_of(size, sizeof(size), &v->stage[i], true),
			compare_label(label, sizeof(label), &c->rows[v->where[i]], pair, 2));
	if (v->unsure)
		fprintf(f, "%s less than %s, if any, in %s", v->nstages ? ";" : ": net of tracing",
			size_of(size, sizeof(size), &v->unsure_v, true),
			compare_label(label, sizeof(label), &c->rows[v->unsure], pair, 2));
}

static void say_rest(const struct comparison *c, const struct verdict *v, FILE *f)
{
	const char *more = c->devs[v->more]->label;
	char size[80];

	if (v->p99.has_diff && v->p99.significant)
		fprintf(f, " The p99 of %s is %s %s.", more,
			size_of(size, sizeof(size), &v->p99, false),
			v->p99.diff.estimate > 0 ? "higher" : "lower");
	else if (v->p99.has_diff && v->p99.diff.interval)
		fprintf(f, " p99 is not known to differ; a difference, if any, is less than %s.",
			size_of(size, sizeof(size), &v->p99, true));
	if (v->cpu.has_diff && v->cpu.significant)
		fprintf(f, " %s uses %s %s CPU time.", more,
			size_of(size, sizeof(size), &v->cpu, false),
			v->cpu.diff.estimate > 0 ? "more" : "less");
}

char *verdict_text(char *buf, size_t len, const struct comparison *c, const struct verdict *v)
{
	const char *more = c->devs[v->more]->label, *less = c->devs[v->less]->label;
	double base = c->rows[COMPARE_HEAD].v[v->less][COMPARE_MEAN].value;
	double percent = 100 * v->mean.diff.estimate / base;
	FILE *f = fmemopen(buf, len, "w");
	char size[80];

	*buf = '\0';
	if (!f)
		return buf;
	if (!v->mean.has_diff)
		fprintf(f, "The latency of %s or %s is not known.", more, less);
	else if (!v->mean.diff.interval)
		fprintf(f, "There are too few rounds to compare %s with %s.", more, less);
	else if (!v->mean.significant)
		fprintf(f, "%s and %s are not known to differ in mean latency; a difference, if "
			"any, is less than %s.", more, less,
			size_of(size, sizeof(size), &v->mean, true));
	else
		fprintf(f, "An I/O of %s takes %s (%.*f%%) longer than one of %s", more,
			size_of(size, sizeof(size), &v->mean, false),
			compare_percent_digits(percent), percent, less);
	if (v->mean.has_diff && v->mean.significant) {
		say_stages(c, v, f);
		fputc('.', f);
	}
	if (v->mean.has_diff && v->mean.diff.interval)
		say_rest(c, v, f);
	fclose(f);
	return buf;
}

bool verdict_is_short(const struct comparison *c, const struct verdict *v)
{
	return c->ndevs <= FEW_DEVICES || v->more == c->baseline || v->less == c->baseline;
}

void verdicts_print(const struct comparison *c, FILE *f)
{
	char text[VERDICT_LEN];
	struct text out;
	bool any = false;
	FILE *to = text_open(&out, f);

	for (size_t i = 0; i < c->nverdicts; i++) {
		const struct verdict *v = &c->verdicts[i];

		if (!v->mean.diff.interval || !verdict_is_short(c, v))
			continue;
		fprintf(to, "%s\n", verdict_text(text, sizeof(text), c, v));
		any = true;
	}
	if (any)
		fputc('\n', to);
	text_close(&out);
}
