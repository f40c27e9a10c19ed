/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_PROGRAM_H
#define BLKLAT_CORE_PROGRAM_H

#include "core/opt.h"

struct program {
	const char *name;
	const char *version;
	const char *built_with;
	const char *about;
	const struct cmd *const *cmds;	/* NULL-terminated */
	/*
	 * Called after an error if --json was given, also when --json comes after a wrong
	 * argument. May be NULL.
	 */
	void (*error_doc)(const char *name, const char *file, char *const *argv);
};

/**
 * program_main() - find the sub-command, parse its options, run it
 * @prog: the program
 * @argc: as main() has it
 * @argv: as main() has it
 * Return: exit status for main(): 0, 1 for errors, 2 for usage errors, or the exit status above 0
 * that the command returned.
 */
int program_main(const struct program *prog, int argc, char **argv);

#endif
