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

/**
 * sampler_wants_turn() - tell if it is time to turn measuring on or off
 * @s: the sampler; zeroed at first
 * @now_ns: the time now, in ns of the clock that sampler_turn() gets
 * @ios: I/Os that have completed so far
 *
 * Return: true if the caller should call sampler_turn() now.
 */
bool sampler_wants_turn(const struct sampler *s, uint64_t now_ns, uint64_t ios);

/**
 * sampler_turn() - note that measuring is turned on if it was off, or off if it was on
 * @s: the sampler; the caller itself turns measuring on before this call, or off after it
 * @now_ns: the time now, in ns
 * @seen: the counters now
 */
void sampler_turn(struct sampler *s, uint64_t now_ns, const struct sample *seen);

/**
 * sampler_estimate() - estimate the cost of all I/Os from the measured ones
 * @s: the sampler; only times after which measuring was turned off count
 * @ios: number of all I/Os
 *
 * Return: the estimate for @ios I/Os; all 0 if none were measured.
 */
struct sample sampler_estimate(const struct sampler *s, uint64_t ios);

#endif
