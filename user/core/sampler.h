/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_SAMPLER_H
#define BLKLAT_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct sample - what the programs did, so far or in some time
 * @run_ns: time they took
 * @runs: how often they ran
 * @ios: I/Os that were completed
 */
struct sample {
	uint64_t run_ns;
	uint64_t runs;
	uint64_t ios;
};

/**
 * struct sampler - when to measure what costs time to measure
 *
 * A short while now and then is enough to tell the time per I/O. Until then it is
 * measured as long as there are I/Os.
 *
 * @on: it is measured now
 * @turns: how often that has changed
 * @since_ns: since when it has been so
 * @next_ns: when it is measured again
 * @begin: what there was at @since_ns
 * @sum: what was measured
 */
struct sampler {
	bool on;
	unsigned int turns;
	uint64_t since_ns;
	uint64_t next_ns;
	struct sample begin;
	struct sample sum;
};

/* Whether to begin, or to end, to measure: then call sampler_turn(). */
bool sampler_wants_turn(const struct sampler *s, uint64_t now_ns, uint64_t ios);

/* It is measured from now on, or no more. */
void sampler_turn(struct sampler *s, uint64_t now_ns, const struct sample *seen);

/* What all @ios I/Os took, going by those that were measured; 0 when none were. */
struct sample sampler_estimate(const struct sampler *s, uint64_t ios);

#endif
