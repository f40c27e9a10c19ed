// SPDX-License-Identifier: GPL-2.0
/* Find the stalls of a device from the stalls of its jobs. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include "core/stall.h"

/* An event is the begin or end of a job, or of one of its stalls. Running sums get its values. */
struct event {
	uint64_t at;
	int active, stalled;
	int64_t inflight;
};

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

static size_t job_events(const struct stall_job *j, struct event *e)
{
	uint64_t start = j->start_ns, end = j->end_ns;
	size_t n = 0, i;

	/* A failed I/O ends a stall, but end_ns does not count it: include all stalls. */
	if (j->n && j->stalls[0].start_ns < start)
		start = j->stalls[0].start_ns;
	if (j->n && j->stalls[j->n - 1].end_ns > end)
		end = j->stalls[j->n - 1].end_ns;
	e[n++] = (struct event) { .at = start, .active = 1 };
	for (i = 0; i < j->n; i++) {
		const struct stall *s = &j->stalls[i];

		e[n++] = (struct event) { s->start_ns, 0, 1, s->inflight };
		e[n++] = (struct event) { s->end_ns, 0, -1, -(int64_t)s->inflight };
	}
	e[n++] = (struct event) { .at = end, .active = -1 };
	return n;
}

/* Find when all active jobs are stalled. An event ends at most one stall: @n entries are enough. */
static size_t sweep(const struct event *e, size_t n, uint64_t min_ns, struct stall *out)
{
	int64_t active = 0, stalled = 0, inflight = 0;
	struct stall now = { 0 };
	size_t i, nout = 0;
	bool open = false, ended;

	for (i = 0; i < n;) {
		uint64_t at = e[i].at;

		ended = false;
		for (; i < n && e[i].at == at; i++) {
			active += e[i].active;
			stalled += e[i].stalled;
			inflight += e[i].inflight;
			/* An I/O ended, even if the job's next stall begins at the same time. */
			ended |= e[i].stalled < 0 || e[i].active < 0;
		}
		if (open && (ended || stalled != active)) {
			now.end_ns = at;
			if (now.end_ns - now.start_ns >= min_ns)
				out[nout++] = now;
			open = false;
		}
		if (!stalled || stalled != active)
			continue;
		if (!open)
			now.start_ns = at;
		now.inflight = inflight;
		open = true;
	}
	return nout;
}

int stalls_of_device(const struct stall_job *jobs, size_t njobs, uint64_t min_ns,
		     struct stall **out, size_t *nout)
{
	size_t i, n = 0, max = 0;
	struct event *e;

	for (i = 0; i < njobs; i++)
		max += 2 + 2 * jobs[i].n;
	*nout = 0;
	e = calloc(max ? max : 1, sizeof(*e));
	*out = calloc(max ? max : 1, sizeof(**out));
	if (!e || !*out) {
		free(e);
		free(*out);
		*out = NULL;
		return -ENOMEM;
	}
	for (i = 0; i < njobs; i++)
		n += job_events(&jobs[i], e + n);
	qsort(e, n, sizeof(*e), by_time);
	*nout = sweep(e, n, min_ns, *out);
	free(e);
	return 0;
}
