/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRIAL_H
#define BLKLAT_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct trial - something that a trace needs of the kernel, and if the kernel gave it
 * @what: its name: a type of BPF program, something that a program does, or memory
 * @needed_for: what a trace does with it
 * @optional: true if a trace works without it, and tells fewer stages apart
 * @error: 0, or the negative errno with which the kernel refused it
 * @symbol: the tracepoint or function at which it was tried, NULL if there was none
 * @whole_type: true if the kernel refuses this type of program at each function
 * @reason: one line about the refusal, "" if there was none
 */
struct trial {
	const char *what;
	const char *needed_for;
	bool optional;
	int error;
	const char *symbol;
	bool whole_type;
	char reason[192];
};

#define NR_TRIALS 8

/**
 * trials_run() - have the kernel load programs and make a map like those of a trace
 * @trials: filled in
 *
 * Each type of program is tried, and programs that read memory and have a callback. Those that are
 * not of type syscall are also attached, because a kernel may load a type and still not let it run.
 * The programs change nothing, and are gone on return. This reads the kernel's BTF, and may take a
 * tenth of a second.
 *
 * Return: how many of the refused trials are not optional, or a negative errno, reported.
 */
int trials_run(struct trial trials[NR_TRIALS]);

/**
 * trial_refuses_memory() - find out if the kernel refuses a map as large as the programs'
 * variables
 *
 * Call this after -E2BIG, because the verifier returns that for other reasons as well.
 *
 * Return: true if the kernel returns -E2BIG for the map.
 */
bool trial_refuses_memory(void);

#endif
