// SPDX-License-Identifier: GPL-2.0
/* Show what each device did in the last interval. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/result/names.h"
#include "blklat/trace/sampling.h"
#include "blklat/trace/unfinished.h"
#include "blklat/trace/view.h"
#include "core/text.h"
#include "core/units.h"

const char *const view_sorts[] = {
	[SORT_NAME] = "name", [SORT_IOPS] = "iops", [SORT_BANDWIDTH] = "bandwidth",
	[SORT_IN_FLIGHT] = "in-flight", [SORT_MEAN] = "mean", [SORT_P99] = "p99",
	[SORT_MAX] = "max", [NR_SORTS] = NULL,
};

/* The bar has a letter of its group for each part of the mean; other groups have a '+'. */
static const char letters[NR_GROUPS] = {
	[GROUP_KERNEL] = 'k', [GROUP_DRIVER] = 'd', [GROUP_DEVICE] = 'D',
};
static const char *const colors[NR_GROUPS] = {
	[GROUP_KERNEL] = "33", [GROUP_DRIVER] = "36", [GROUP_DEVICE] = "32",
};

#define NUMBERS 57	/* columns of the numbers behind the name; two blanks and the bar follow */
#define NAME_MIN 8
#define BAR_MIN 6
#define BAR_MAX 24

/* These are the counters of all devices at the end of an interval. */
struct view_before {
	struct trace_samples samples;
	struct result_sample sample;	/* room for view_take() */
	uint64_t sum[BLKLAT_MAX_DEVS][NR_ALL_ROWS];
};

int view_new(struct view *v)
{
	memset(v, 0, sizeof(*v));
	v->chosen = v->open = SIZE_MAX;
	v->before = calloc(1, sizeof(*v->before));
	if (!v->before)
		return -ENOMEM;
	return hist_init(&v->before->sample.total, BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS);
}

void view_free(struct view *v)
{
	if (!v->before)
		return;
	trace_samples_free(&v->before->samples);
	hist_free(&v->before->sample.total);
	free(v->before);
	v->before = NULL;
}

static int take_totals(struct view_device *d, struct view_before *b, size_t i, double seconds,
		       const struct session *session)
{
	struct result_sample *s = &b->sample;
	int ret;

	hist_clear(&s->total);
	s->bytes = 0;
	ret = trace_samples_take(&b->samples, session, i, NULL, s);
	d->iops = s->total.count / seconds;
	d->bandwidth = s->bytes / seconds;
	d->mean = hist_mean(&s->total);
	d->p99 = hist_percentile(&s->total, 99);
	d->max = hist_percentile(&s->total, 100);
	return ret;
}

static void take_stages(struct view_device *d, struct view_before *b, size_t i,
			const struct session *session)
{
	uint64_t ios = b->sample.total.count;

	for (unsigned int row = 0; row < NR_ALL_ROWS; row++) {
		uint64_t count, sum;

		session_sum(session, i, NR_OPS, row, &count, &sum);
		d->stage[row] = ios ? (double)(sum - b->sum[i][row]) / ios : 0;
		b->sum[i][row] = sum;
	}
}

int view_take(struct view *v, const struct trace_stack *s, const struct session *session,
	      unsigned long long now_ns)
{
	struct unfinished unfinished[BLKLAT_MAX_DEVS] = { 0 };

	v->seconds = (now_ns - v->now_ns) / 1e9;
	v->now_ns = now_ns;
	session_unfinished(session, unfinished);
	for (size_t i = 0; i < s->ndevs; i++) {
		struct view_device *d = &v->devs[i];

		if (take_totals(d, v->before, i, v->seconds, session))
			return -ENOMEM;
		take_stages(d, v->before, i, session);
		d->unfinished = unfinished[i];
	}
	return 0;
}

/* Return true if a row is a part of the total: not think time, btt's gaps and tracing's part. */
static bool is_part(unsigned int row)
{
	return row != STAGE_THINK && (row < NR_STAGES || row >= NR_ROWS);
}

/* Return by how much a bar that ends at @ns is longer than one that is @done long. */
static int bar_part(double ns, double total, int width, int done)
{
	int end = total > 0 ? (int)(ns / total * width + 0.5) : 0;

	/* Stages and total are not read at one moment, so the stages may be more than the total. */
	end = end > width ? width : end;
	return end > done ? end - done : 0;
}

/* Print a bar of the groups of stages that the mean is made of. */
static void print_bar(const struct view_device *d, int width, bool color, FILE *f)
{
	double group[NR_GROUPS] = { 0 }, ns = 0;
	int done = 0;

	for (unsigned int row = 0; row < NR_ALL_ROWS; row++)
		if (is_part(row))
			group[stage_group(row)] += d->stage[row];
	for (unsigned int g = 0; g < NR_GROUPS; g++) {
		int n;

		ns += group[g];
		n = bar_part(ns, d->mean, width, done);
		done += n;
		if (n && color && colors[g])
			fprintf(f, "\033[%sm", colors[g]);
		for (int i = 0; i < n; i++)
			fputc(letters[g] ?: '+', f);
		if (n && color && colors[g])
			fputs("\033[m", f);
	}
}

/* Print the stages of a device, the longest first. */
static void print_stages(const struct view_device *d, int bar, FILE *f)
{
	bool printed[NR_ALL_ROWS] = { 0 };
	char mean[FMT_LEN];

	for (;;) {
		unsigned int longest = NR_ALL_ROWS;

		for (unsigned int row = 0; row < NR_ALL_ROWS; row++)
			if (is_part(row) && !printed[row] && d->stage[row] > 0 &&
			    (longest == NR_ALL_ROWS || d->stage[row] > d->stage[longest]))
				longest = row;
		if (longest == NR_ALL_ROWS)
			return;
		printed[longest] = true;
		fmt_time(mean, sizeof(mean), d->stage[longest]);
		if (longest < NR_ROWS)
			fprintf(f, "    %-26s", stage_name(longest));
		else
			fprintf(f, "    layer %u%-19s", (longest - NR_ROWS) / NR_LAYER_STAGES,
				layer_stage(stage_name(longest)));
		fprintf(f, "%9s %5.1f%%  ", mean, percent(d->stage[longest], d->mean));
		for (int i = bar_part(d->stage[longest], d->mean, bar, 0); i > 0; i--)
			fputc('=', f);
		fputc('\n', f);
	}
}

/**
 * struct printing - how view_print() prints
 * @v: the view
 * @s: the devices
 * @how: what the caller wants
 * @name: columns of the names
 * @bar: columns of the bars, 0 for no bars
 * @f: where to print
 */
struct printing {
	struct view *v;
	const struct trace_stack *s;
	const struct view_how *how;
	int name;
	int bar;
	FILE *f;
};

#define AT 10	/* columns of the seconds before a line */

/* Format a time of the totals: "-" if there was no I/O. */
static const char *total_time(char *buf, const struct view_device *d, double ns)
{
	return d->iops > 0 ? fmt_time(buf, FMT_LEN, ns) : "-";
}

/* Print the name of a device, indented. A name without room is cut, and "~" shows that. */
static void print_name(const struct printing *p, const char *name, unsigned int depth)
{
	int indent = 2 * (int)depth, room = p->name > indent ? p->name - indent : 1;

	if (strlen(name) > (size_t)room)
		fprintf(p->f, "%*s%.*s~", indent, "", room - 1, name);
	else
		fprintf(p->f, "%*s%-*s", indent, "", room, name);
}

static void print_device(const struct printing *p, size_t i, unsigned int depth)
{
	const struct view_device *d = &p->v->devs[i];
	const struct unfinished *u = &d->unfinished;
	char n[FMT_LEN], bw[FMT_LEN], mean[FMT_LEN], p99[FMT_LEN], max[FMT_LEN], text[160];
	bool chosen = p->v->chosen == i;

	if (p->v->nrows < BLKLAT_MAX_DEVS)
		p->v->rows[p->v->nrows++] = i;
	if (p->how->at >= 0)
		fprintf(p->f, "%*.1fs  ", AT - 3, p->how->at);
	fputs(chosen ? "\033[7m" : "", p->f);
	print_name(p, p->s->devs[i].name, depth);
	fprintf(p->f, "%s %8s %10s %6llu %9s %9s %9s", chosen ? "\033[m" : "",
		fmt_count(n, sizeof(n), d->iops), fmt_bw(bw, sizeof(bw), d->bandwidth),
		(unsigned long long)u->n, total_time(mean, d, d->mean),
		total_time(p99, d, d->p99), total_time(max, d, d->max));
	if (p->bar) {
		fputs("  ", p->f);
		print_bar(d, p->bar, p->how->color, p->f);
	}
	fputc('\n', p->f);
	if (u->n && p->v->now_ns > u->begin_ns &&
	    p->v->now_ns - u->begin_ns > p->v->seconds * 1e9)
		fprintf(p->f, "    %.*s\n", (int)(p->how->width < sizeof(text) + 4 ?
						  p->how->width - 4 : sizeof(text)),
			unfinished_text(u, &p->s->devs[i], p->v->now_ns, text, sizeof(text)));
	if (p->v->open == i)
		print_stages(d, p->bar, p->f);
}

static void print_tree(const struct printing *p, size_t i, unsigned int depth)
{
	print_device(p, i, depth);
	for (size_t k = 0; k < p->s->ndevs && depth < BLKLAT_MAX_LAYERS; k++)
		if (p->s->below[i] & p->s->inside & DEV_BIT(k))
			print_tree(p, k, depth + 1);
}

static int name_width(const struct trace_stack *s, size_t i, unsigned int depth)
{
	int width = 2 * depth + strlen(s->devs[i].name);

	for (size_t k = 0; k < s->ndevs && depth < BLKLAT_MAX_LAYERS; k++) {
		int below = s->below[i] & s->inside & DEV_BIT(k) ? name_width(s, k, depth + 1) : 0;

		width = below > width ? below : width;
	}
	return width;
}

static double sort_key(const struct view_device *d, enum view_sort sort)
{
	switch (sort) {
	case SORT_IOPS: return d->iops;
	case SORT_BANDWIDTH: return d->bandwidth;
	case SORT_IN_FLIGHT: return d->unfinished.n;
	case SORT_MEAN: return d->mean;
	case SORT_P99: return d->p99;
	case SORT_MAX: return d->max;
	default: return 0;
	}
}

/* Put the devices on top in order. Devices with equal numbers keep the order of the stack. */
static void sort_tops(const struct view *v, size_t *tops, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = i; k > 0 && sort_key(&v->devs[tops[k]], v->sort) >
		     sort_key(&v->devs[tops[k - 1]], v->sort); k--) {
			size_t swap = tops[k];

			tops[k] = tops[k - 1];
			tops[k - 1] = swap;
		}
}

/* Find how many columns the names and the bars get. */
static void fit(struct printing *p)
{
	size_t width = p->how->width;
	int left;

	for (size_t i = 0; i < p->s->ntops; i++) {
		int w = name_width(p->s, i, 0);

		p->name = w > p->name ? w : p->name;
	}
	if (width == TEXT_ANY) {
		p->bar = BAR_MAX;
		return;
	}
	left = (int)width - NUMBERS - (p->how->at >= 0 ? AT : 0);
	if (p->name > left)
		p->name = left > NAME_MIN ? left : NAME_MIN;
	left -= p->name + 2;
	p->bar = left > BAR_MAX ? BAR_MAX : left < BAR_MIN ? 0 : left;
}

void view_print(struct view *v, const struct trace_stack *s, const struct view_how *how, FILE *f)
{
	struct printing p = { .v = v, .s = s, .how = how, .name = NAME_MIN, .f = f };
	size_t tops[BLKLAT_MAX_DEVS];

	fit(&p);
	for (size_t i = 0; i < s->ntops; i++)
		tops[i] = i;
	v->nrows = 0;
	sort_tops(v, tops, s->ntops);
	if (how->head)
		fprintf(f, "%*s%-*s %8s %10s %6s %9s %9s %9s%s\n", how->at >= 0 ? AT : 0, "",
			p.name, "device", "IOPS", "bandwidth", "flight", "mean", "p99", "max",
			p.bar ? "  mean of" : "");
	for (size_t i = 0; i < s->ntops; i++)
		print_tree(&p, tops[i], 0);
}
