// SPDX-License-Identifier: GPL-2.0
/*
 * This test will let the sampler measure programs now and then, and expect the right cost of all
 * I/Os.
 */
/* needs: host */
#include <string.h>
#include "core/sampler.h"
#include "unit.h"

#define TICK_NS 100000000ULL
#define RUN_NS 700
#define RUNS 7

static struct sampler sampler;
static struct sample seen;
static uint64_t now, ios, on_ns;

static void begin(void)
{
	memset(&sampler, 0, sizeof(sampler));
	memset(&seen, 0, sizeof(seen));
	now = 1000000000ULL;
	ios = on_ns = 0;
	sampler_turn(&sampler, now, &seen);
}

/* Let time go by with @per_tick I/Os each tick; their cost is seen only while the sampler is on. */
static void pass(unsigned int ticks, unsigned int per_tick)
{
	while (ticks--) {
		now += TICK_NS;
		ios += per_tick;
		if (sampler.on) {
			on_ns += TICK_NS;
			seen.run_ns += (uint64_t)per_tick * RUN_NS;
			seen.runs += (uint64_t)per_tick * RUNS;
		}
		seen.ios = ios;
		if (sampler_wants_turn(&sampler, now, ios))
			sampler_turn(&sampler, now, &seen);
	}
}

static bool is_exact(void)
{
	struct sample all;

	if (sampler.on)
		sampler_turn(&sampler, now, &seen);
	all = sampler_estimate(&sampler, ios);
	return all.run_ns == ios * RUN_NS && all.runs == ios * RUNS && all.ios == ios;
}

int main(void)
{
	begin();
	pass(1000, 5000);
	check(on_ns >= 40 * TICK_NS && on_ns <= 60 * TICK_NS && is_exact(),
	      "a busy device is measured for a twentieth of the time, and all I/Os are charged");

	begin();
	pass(1000, 0);
	check(on_ns >= 10 * TICK_NS && on_ns <= 70 * TICK_NS,
	      "an idle device is measured hardly longer");
	check(!sampler_estimate(&sampler, ios).run_ns, "nothing is reported about an idle device");

	begin();
	pass(100, 1);
	check(on_ns >= 85 * TICK_NS && is_exact(),
	      "a slow device is measured as long as there was little to see");
	begin();
	pass(1000, 30);
	check(on_ns <= 100 * TICK_NS && is_exact(),
	      "a slow device is measured no longer once there was enough to see");

	begin();
	pass(1, 0);
	pass(2, 300);
	check(is_exact() && sampler.sum.ios == 600,
	      "a burst that soon follows the start is measured");
	return unit_end();
}
