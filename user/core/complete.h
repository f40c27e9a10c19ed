/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_COMPLETE_H
#define BLKLAT_CORE_COMPLETE_H

#include "core/opt.h"

/**
 * complete_print() - print what may stand at the cursor of a command line, a word per line
 * @cmds: the commands of the program; NULL ends the list
 * @line: the command line, COMP_LINE of bash
 * @point: where the cursor is, in characters from the start of @line
 * @word: the part of the line that the shell will replace, or NULL: it may begin after a "="
 *
 * Prints sub-commands, options, the values that an option has, and names of block devices, all from
 * the tables. Prints nothing where a file may stand: the shell completes files itself. Blanks
 * separate words; quotes and backslashes are not understood.
 */
void complete_print(const struct cmd *const *cmds, const char *line, size_t point,
		    const char *word);

#endif
