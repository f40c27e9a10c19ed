// SPDX-License-Identifier: GPL-2.0
/*
 * This test will let jobs complete I/Os at random times, and compare the stalls of the device with
 * the gaps between completions.
 */
/* needs: host */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "core/stall.h"
#include "random.h"
#include "unit.h"

#define JOBS 4
#define LENGTH 400
#define LEAST 12

static unsigned int rnd(unsigned int n)
{
	return (random_u64() >> 32) % n;
}

/* A job always has an I/O in flight from @start to its last completion. */
struct model {
	unsigned int start, end;
	bool done[LENGTH + 1];		/* something came back at this time */
	struct stall stalls[LENGTH];
	size_t n;
};

static void list_gaps(struct model *m)
{
	unsigned int t, last = m->start;

	for (t = m->start + 1; t <= m->end; t++) {
		if (!m->done[t])
			continue;
		if (t - last > LEAST)
			m->stalls[m->n++] = (struct stall) { last, t, 1 };
		last = t;
	}
}

static void make(struct model *m, unsigned int start, unsigned int end, const bool *frozen)
{
	unsigned int t;

	memset(m, 0, sizeof(*m));
	m->start = start;
	for (t = start + 1; t <= end; t++)
		m->done[t] = t == end || (!frozen[t] && !rnd(6));
	m->end = end;
	list_gaps(m);
}

/* List the times in which no job completes an I/O, while at least one job runs. */
static size_t gaps(const struct model *m, size_t n, struct stall *out)
{
	unsigned int t, last = 0;
	size_t i, found = 0;
	bool open = false;

	for (t = 0; t <= LENGTH; t++) {
		bool done = false, active = false;

		for (i = 0; i < n; i++) {
			done |= m[i].done[t];
			active |= t >= m[i].start && t < m[i].end;
		}
		if (open && (done || !active)) {
			if (t - last > LEAST)
				out[found++] = (struct stall) { last, t, 0 };
			open = false;
		}
		if (active && !open) {
			open = true;
			last = t;
		}
	}
	return found;
}

static bool same(const struct model *m, size_t njobs)
{
	struct stall want[LENGTH], *got;
	struct stall_job jobs[JOBS];
	size_t i, k, n, nwant = gaps(m, njobs, want);
	bool good;

	for (i = 0; i < njobs; i++)
		jobs[i] = (struct stall_job) { m[i].start, m[i].end, m[i].stalls, m[i].n };
	stalls_of_device(jobs, njobs, LEAST + 1, &got, &n);
	good = n == nwant;
	for (i = 0; i < n && good; i++) {
		uint64_t inflight = 0;

		for (k = 0; k < njobs; k++)
			inflight += got[i].end_ns > m[k].start && got[i].end_ns <= m[k].end;
		good = got[i].start_ns == want[i].start_ns && got[i].end_ns == want[i].end_ns &&
		       got[i].inflight == inflight;
		if (!good)
			printf("# %llu to %llu with %llu, wanted %llu to %llu with %llu\n",
			       (unsigned long long)got[i].start_ns,
			       (unsigned long long)got[i].end_ns,
			       (unsigned long long)got[i].inflight,
			       (unsigned long long)want[i].start_ns,
			       (unsigned long long)want[i].end_ns, (unsigned long long)inflight);
	}
	free(got);
	return good;
}

static void random_jobs(size_t njobs, unsigned int spread)
{
	size_t r, i, good = 0, stalls = 0, rounds = 5000;
	struct model m[JOBS];

	for (r = 0; r < rounds; r++) {
		bool frozen[LENGTH + 1] = { false };
		struct stall out[LENGTH];
		unsigned int t, k;

		for (k = 0; k < 3; k++)
			for (t = 60 + rnd(200), i = rnd(50); i; i--)
				frozen[t++] = true;
		/* All jobs run before the device freezes; some end before the others. */
		for (i = 0; i < njobs; i++)
			make(&m[i], 0, LENGTH - (i ? rnd(spread + 1) : 0), frozen);
		good += same(m, njobs);
		stalls += gaps(m, njobs, out);
	}
	check(good == rounds && stalls > rounds / 2,
	      "%zu jobs that end within %u: %zu of %zu runs right, with %zu stalls", njobs, spread,
	      good, rounds, stalls);
}

static void cases(void)
{
	const struct stall twice[] = { { 10, 50, 3 }, { 50, 90, 4 } }, one[] = { { 5, 100, 2 } };
	struct stall_job jobs[] = { { 0, 200, twice, 2 }, { 0, 200, one, 1 }, { 0, 4, NULL, 0 } };
	struct stall *s;
	size_t n;

	stalls_of_device(jobs, 3, 1, &s, &n);
	check(n == 2 && s[0].start_ns == 10 && s[0].end_ns == 50 && s[0].inflight == 5 &&
	      s[1].start_ns == 50 && s[1].end_ns == 90 && s[1].inflight == 6,
	      "one completion in between makes two of them");
	free(s);
	stalls_of_device(jobs, 3, 41, &s, &n);
	check(n == 0, "short ones are left out");
	free(s);
	jobs[2].end_ns = 200;
	stalls_of_device(jobs, 3, 1, &s, &n);
	check(n == 0, "a job that goes on is no stall of the device");
	free(s);
	jobs[2] = (struct stall_job) { 30, 200, NULL, 0 };
	stalls_of_device(jobs, 3, 1, &s, &n);
	check(n == 1 && s[0].start_ns == 10 && s[0].end_ns == 30,
	      "a stall of the device ends where another job begins");
	free(s);
	stalls_of_device(NULL, 0, 1, &s, &n);
	check(n == 0, "no jobs, no stalls");
	free(s);
}

int main(void)
{
	random_jobs(1, 0);
	random_jobs(2, 0);
	random_jobs(4, 0);
	random_jobs(3, 300);
	cases();
	return unit_end();
}
