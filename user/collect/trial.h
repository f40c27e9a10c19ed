/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_TRIAL_H
#define BLKLAT_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct trial - something that a trace needs of the kernel, and whether it was given
 * @what: its name: a type of BPF program or map
 * @needed_for: what a trace does with it
 * @error: 0, or the negative errno of the refusal
 * @reason: one line about the refusal, "" where there was none
 */
struct trial {
	const char *what;
	const char *needed_for;
	int error;
	char reason[192];
};

#define NR_TRIALS 6

/**
 * trials_run() - have the kernel load one program of each type and make the largest map
 * @trials: filled in
 *
 * Programs are attached, do nothing, and are gone on return: only so is known that a kernel which knows
 * a type of program also lets it run. Reads the kernel's BTF, and may take a tenth of a second.
 *
 * Return: how many were refused, or a negative errno, reported.
 */
int trials_run(struct trial trials[NR_TRIALS]);

/* Whether the kernel refuses a map as large as a trace needs: the verifier has the same errno for other reasons. */
bool trial_refuses_memory(void);

#endif
