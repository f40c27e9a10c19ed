// SPDX-License-Identifier: GPL-2.0
/* Decide when to measure the time of the BPF programs, because measuring takes time too. */
#include "core/sampler.h"

/* So many I/Os are enough to know the time per I/O. */
#define ENOUGH_IOS 1000
/* Measure for at least this long at a time. */
#define WINDOW_NS 50000000ULL
/* While fewer than ENOUGH_IOS were measured, go on for this long. */
#define PATIENCE_NS 1000000000ULL
/* Measure during 1/PART of the time. */
#define PART 20

bool sampler_wants_turn(const struct sampler *s, uint64_t now_ns, uint64_t ios)
{
	uint64_t lasted = now_ns - s->since_ns, seen = ios - s->begin.ios;

	if (!s->on)
		return now_ns >= s->next_ns || (s->sum.ios < ENOUGH_IOS && seen);
	if (s->sum.ios + seen < ENOUGH_IOS && (seen || s->turns == 1))
		return lasted >= PATIENCE_NS;
	return lasted >= WINDOW_NS;
}

void sampler_turn(struct sampler *s, uint64_t now_ns, const struct sample *seen)
{
	if (s->on) {
		s->sum.run_ns += seen->run_ns - s->begin.run_ns;
		s->sum.runs += seen->runs - s->begin.runs;
		s->sum.ios += seen->ios - s->begin.ios;
		s->next_ns = now_ns + (PART - 1) * (now_ns - s->since_ns);
	}
	s->on = !s->on;
	s->turns++;
	s->since_ns = now_ns;
	s->begin = *seen;
}

static uint64_t scale(uint64_t n, uint64_t all, uint64_t part)
{
	return (uint64_t)((double)n * all / part + 0.5);
}

struct sample sampler_estimate(const struct sampler *s, uint64_t ios)
{
	if (!s->sum.ios)
		return (struct sample) { 0 };
	return (struct sample) {
		.run_ns = scale(s->sum.run_ns, ios, s->sum.ios),
		.runs = scale(s->sum.runs, ios, s->sum.ios),
		.ios = ios,
	};
}
