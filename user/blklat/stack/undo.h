/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_UNDO_H
#define BLKLAT_STACK_UNDO_H

#include <sys/types.h>

/**
 * journal_undo() - undo the lines of a journal, from the last back to the line at @from
 * @path: path of the journal; undone lines are removed from it, or marked as done
 * @from: offset of a line
 * @done: called with each thing that was there and is removed; may be NULL
 * @failed: called with each thing that could not be removed; may be NULL
 *
 * Return: 0, or -errno if something is left. A journal that cannot be read is reported.
 */
int journal_undo(const char *path, off_t from, void (*done)(const char *what),
		 void (*failed)(const char *what));

#endif
