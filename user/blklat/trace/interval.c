// SPDX-License-Identifier: GPL-2.0
/* Print the lines of --interval. */
#include <string.h>
#include "blklat/trace/interval.h"
#include "core/units.h"

/* The changes since the last line. */
struct since {
	const struct trace_stack *stack;
	int width;
	double at;
	double seconds;
	uint64_t count[BLKLAT_MAX_DEVS];
	uint64_t sum[BLKLAT_MAX_DEVS];
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

static void print_device(const struct since *v, size_t i, unsigned int depth)
{
	const struct trace_stack *s = v->stack;
	char rate[FMT_LEN], mean[FMT_LEN];

	fmt_count(rate, sizeof(rate), v->seconds > 0 ? v->count[i] / v->seconds : 0);
	fmt_time(mean, sizeof(mean), v->count[i] ? (double)v->sum[i] / v->count[i] : 0);
	fprintf(v->f, "%7.1fs  %*s%-*s %8s I/Os/s  mean %s\n", v->at, 2 * (int)depth, "",
		v->width - 2 * (int)depth, s->devs[i].name, rate, mean);
	for (size_t k = 0; k < s->ndevs && depth < BLKLAT_MAX_LAYERS; k++)
		if (s->below[i] & s->inside & DEV_BIT(k))
			print_device(v, k, depth + 1);
}

void trace_interval_print(struct trace_interval *v, const struct trace_stack *s,
			  const struct session *session, unsigned long long now, FILE *f)
{
	struct since since = {
		.stack = s, .at = (now - v->start_ns) / 1e9,
		.seconds = (now - v->last_ns) / 1e9, .f = f,
	};

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
