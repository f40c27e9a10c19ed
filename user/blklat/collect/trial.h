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
 * trials_run() - have the kernel load one program of each type and make a map of the needed size
 * @trials: filled in
 *
 * Each program is also attached, because a kernel may load a type and still not let it run. The
 * programs do nothing, and are gone on return. Reads the kernel's BTF, and may take a tenth of a
 * second.
 *
 * Return: how many were refused, or a negative errno, reported.
 */
int trials_run(struct trial trials[NR_TRIALS]);

/**
 * trial_refuses_memory() - find out whether a map as large as the programs' variables is refused
 *
 * For after -E2BIG, which the verifier returns for other reasons as well.
 *
 * Return: true when the kernel returns -E2BIG for the map.
 */
bool trial_refuses_memory(void);

#endif
