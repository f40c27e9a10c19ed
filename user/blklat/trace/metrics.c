// SPDX-License-Identifier: GPL-2.0
/* Write the file of --openmetrics during a trace and at its end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include "blklat/trace/collect.h"
#include "blklat/trace/metrics.h"
#include "core/clocks.h"
#include "core/log.h"
#include "blklat/result/openmetrics.h"

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
		ret = collect_device(t, i, elapsed_ns, &devs[i]);
		if (ret)
			return ret;
		m->devs[m->ndevs++] = (struct metrics_dev){ &devs[i], devs[i].name, kernel };
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
	int ret = devs && m.devs ? 0 : -ENOMEM;
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
