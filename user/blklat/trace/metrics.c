// SPDX-License-Identifier: GPL-2.0
/* Write the file of --openmetrics during a trace and at its end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include "blklat/trace/trace.h"
#include "blklat/trace/metrics.h"
#include "core/clocks.h"
#include "core/log.h"
#include "blklat/result/openmetrics.h"

static int make_room(struct trace_metrics *m, const struct trace_stack *s)
{
	if (!m->devs)
		m->devs = calloc(BLKLAT_MAX_DEVS, sizeof(*m->devs));
	if (!m->devs)
		return -ENOMEM;
	for (; m->ndevs < s->ndevs; m->ndevs++)
		if (breakdown_init(&m->devs[m->ndevs], &s->devs[m->ndevs]))
			return -ENOMEM;
	return 0;
}

static void read_hist(const struct session *s, struct hist *h, unsigned int dev, unsigned int op,
		      unsigned int row)
{
	hist_clear(h);
	session_hist(s, h, dev, op, row);
}

/* Fill in those parts of a breakdown that metrics_of_dev() uses. */
static void look(const struct trace *t, struct breakdown *b, size_t i, uint64_t elapsed_ns)
{
	b->elapsed_ns = trace_changes_time(&t->changes, i, elapsed_ns);
	session_ledger(t->session, i, &b->ledger);
	for (unsigned int k = 0; k < NR_LINES; k++) {
		unsigned int row = breakdown_row_order()[k];

		read_hist(t->session, &b->rows[row], i, NR_OPS, row);
	}
	for (unsigned int op = 0; op < NR_OPS; op++)
		read_hist(t->session, &b->ops[op][ROW_OF_SPAN(SPAN_TOTAL)], i, op,
			  ROW_OF_SPAN(SPAN_TOTAL));
}

/*
 * Return true if a later device has the same name. A series that appears twice would make the
 * file invalid.
 */
static bool name_taken(const struct trace_stack *s, size_t i)
{
	for (size_t k = i + 1; k < s->ndevs; k++)
		if (!strcmp(s->devs[k].name, s->devs[i].name))
			return true;
	return false;
}

/* Set @m->devs to the metrics of the devices, which point into @devs. */
static int take_devices(struct trace *t, uint64_t elapsed_ns, const char *kernel,
			struct result_dev *devs, struct metrics *m)
{
	for (size_t i = 0; i < t->stack.ndevs; i++) {
		int ret;

		if (name_taken(&t->stack, i))
			continue;
		look(t, &t->metrics.devs[i], i, elapsed_ns);
		ret = breakdown_dev(t->metrics.devs, t->stack.ndevs, i, &devs[i]);
		if (ret)
			return ret;
		devs[i].top = i < t->stack.ntops;
		metrics_of_dev(&m->devs[m->ndevs], &devs[i]);
		m->devs[m->ndevs++].kernel = kernel;
	}
	return 0;
}

static int write_metrics(struct trace *t, uint64_t elapsed_ns)
{
	struct result_dev *devs = calloc(t->stack.ndevs, sizeof(*devs));
	struct metrics m = {
		.start_ns = t->metrics.start_ns,
		.missed = session_missed(t->session),
		.devs = calloc(t->stack.ndevs, sizeof(*m.devs)),
	};
	int ret = devs && m.devs ? make_room(&t->metrics, &t->stack) : -ENOMEM;
	struct utsname un;

	uname(&un);
	if (!ret)
		ret = take_devices(t, elapsed_ns, un.release, devs, &m);
	if (!ret)
		ret = metrics_write(&m, t->cfg->openmetrics);
	for (size_t i = 0; devs && i < t->stack.ndevs; i++)
		result_dev_free(&devs[i]);
	free(devs);
	free(m.devs);
	return ret;
}

/* Write the file. A failure that repeats is reported once. */
static int try_write(struct trace *t, uint64_t elapsed_ns)
{
	struct trace_metrics *m = &t->metrics;
	int ret;

	if (!m->start_ns)
		m->start_ns = (int64_t)t->start_ns + clock_offset(CLOCK_REALTIME);
	ret = write_metrics(t, elapsed_ns);
	if (ret && ret != m->error)
		err(ret, "%s: cannot write: %s", t->cfg->openmetrics, strerror(-ret));
	m->error = ret;
	return ret;
}

void trace_metrics_tick(struct trace *t, unsigned long long now)
{
	struct trace_metrics *m = &t->metrics;

	if (!t->cfg->openmetrics)
		return;
	if (m->last_ns && now - m->last_ns < (t->cfg->interval ?: METRICS_EVERY_NS))
		return;
	m->last_ns = now;
	try_write(t, now - t->start_ns);
}

int trace_metrics_end(struct trace *t)
{
	if (!t->cfg->openmetrics || !t->elapsed_ns)
		return 0;
	return try_write(t, t->elapsed_ns);
}

void trace_metrics_free(struct trace_metrics *m)
{
	for (size_t i = 0; i < m->ndevs; i++)
		breakdown_free(&m->devs[i]);
	free(m->devs);
}
