// SPDX-License-Identifier: GPL-2.0
/* Print the lines of --interval. */
#include <string.h>
#include "blklat/trace/interval.h"
#include "blklat/trace/unfinished.h"
#include "core/units.h"

/* The changes since the last line. */
struct since {
	const struct trace_stack *stack;
	int width;
	double at;
	double seconds;
	uint64_t count[BLKLAT_MAX_DEVS];
	uint64_t sum[BLKLAT_MAX_DEVS];
	struct unfinished unfinished[BLKLAT_MAX_DEVS];
	unsigned long long now;
	FILE *f;
};

void trace_interval_begin(struct trace_interval *v, unsigned long long start_ns)
{
	memset(v, 0, sizeof(*v));
	v->start_ns = v->last_ns = start_ns;
}

/* Return the width of the longest name of the device and those below it, indents included. */
static int width_below(const struct trace_stack *s, size_t i, unsigned int depth)
{
	int width = 2 * depth + strlen(s->devs[i].name);

	for (size_t k = 0; k < s->ndevs && depth < BLKLAT_MAX_LAYERS; k++) {
		int below = s->below[i] & s->inside & DEV_BIT(k) ? width_below(s, k, depth + 1) : 0;

		width = below > width ? below : width;
	}
	return width;
}

/* Print what hangs: the oldest I/O in flight, if it began before this interval. */
static void print_hanging(const struct since *v, size_t i)
{
	const struct unfinished *u = &v->unfinished[i];
	char text[160];

	if (u->n && v->now > u->begin_ns && v->now - u->begin_ns > v->seconds * 1e9)
		fprintf(v->f, "; %s", unfinished_text(u, &v->stack->devs[i], v->now, text,
						      sizeof(text)));
}

static void print_device(const struct since *v, size_t i, unsigned int depth)
{
	const struct trace_stack *s = v->stack;
	char rate[FMT_LEN], mean[FMT_LEN];

	fmt_count(rate, sizeof(rate), v->seconds > 0 ? v->count[i] / v->seconds : 0);
	fmt_time(mean, sizeof(mean), v->count[i] ? (double)v->sum[i] / v->count[i] : 0);
	fprintf(v->f, "%7.1fs  %*s%-*s %8s I/Os/s  mean %s", v->at, 2 * (int)depth, "",
		v->width - 2 * (int)depth, s->devs[i].name, rate, mean);
	print_hanging(v, i);
	fputc('\n', v->f);
	for (size_t k = 0; k < s->ndevs && depth < BLKLAT_MAX_LAYERS; k++)
		if (s->below[i] & s->inside & DEV_BIT(k))
			print_device(v, k, depth + 1);
}

void trace_interval_print(struct trace_interval *v, const struct trace_stack *s,
			  const struct session *session, unsigned long long now, FILE *f)
{
	struct since since = {
		.stack = s, .at = (now - v->start_ns) / 1e9,
		.seconds = (now - v->last_ns) / 1e9, .now = now, .f = f,
	};

	session_unfinished(session, since.unfinished);

	for (size_t i = 0; i < s->ndevs; i++) {
		uint64_t count, sum;

		session_sum(session, i, ROW_OF_SPAN(SPAN_TOTAL), &count, &sum);
		since.count[i] = count - v->count[i];
		since.sum[i] = sum - v->sum[i];
		v->count[i] = count;
		v->sum[i] = sum;
	}
	since.width = 12;
	for (size_t i = 0; i < s->ntops; i++)
		if (width_below(s, i, 0) > since.width)
			since.width = width_below(s, i, 0);
	for (size_t i = 0; i < s->ntops; i++)
		print_device(&since, i, 0);
	fflush(f);
}
