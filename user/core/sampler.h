/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_SAMPLER_H
#define BLKLAT_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct sample - what the BPF programs did, since the start or in some time
 * @run_ns: time that the programs took
 * @runs: how often programs ran
 * @ios: I/Os that completed
 */
struct sample {
	uint64_t run_ns;
	uint64_t runs;
	uint64_t ios;
};

/**
 * struct sampler - decides when to measure the time of the programs
 *
 * Measuring takes time itself, and short measurements from time to time are enough to know the time
 * per I/O. Until enough I/Os were measured, the sampler measures as long as there are I/Os.
 *
 * @on: measuring is on
 * @turns: how often measuring was turned on or off
 * @since_ns: time of the last turn
 * @next_ns: when to measure again
 * @begin: the counters at @since_ns
 * @sum: sum of all that was measured
 */
struct sampler {
	bool on;
	unsigned int turns;
	uint64_t since_ns;
	uint64_t next_ns;
	struct sample begin;
	struct sample sum;
};

/* Return true if it is time to turn measuring on or off with sampler_turn(). @ios: I/Os so far. */
bool sampler_wants_turn(const struct sampler *s, uint64_t now_ns, uint64_t ios);

/* Turn measuring on if it is off, or off if it is on. @seen: the counters now. */
void sampler_turn(struct sampler *s, uint64_t now_ns, const struct sample *seen);

/* Estimate the cost of all @ios I/Os from the measured ones; all 0 if none were measured. */
struct sample sampler_estimate(const struct sampler *s, uint64_t ios);

#endif
