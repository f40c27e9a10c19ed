/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_JOURNAL_H
#define BLKLAT_STACK_JOURNAL_H

#include <stdbool.h>
#include <sys/types.h>
#include "core/log.h"

/*
 * A journal is a file below /run/blklat with a line for each thing that a run of blklat makes. The
 * file is locked as long as the run, its keeper or one of its tools lives. The run writes the line
 * before it makes the thing. So undoing a line may find that the thing does not exist (yet), and
 * must check that the thing is ours.
 */
#define JOURNAL_DIR	"/run/blklat"

struct journal {
	int fd;
	char path[64];
	char id[8];		/* six hexadecimal digits, part of the names of all things */
};

/**
 * journal_create() - create and lock a journal
 * @j: filled in. Its @fd is -1 before; if it is not -1 after a failure, journal_close() is needed.
 *
 * Return: 0 or -errno, reported.
 */
int journal_create(struct journal *j);

/**
 * journal_write() - write a line to a journal, before the thing that it names is made
 * @j: the journal
 * @fmt: format of the line, without a line end
 * @...: what @fmt needs
 *
 * The lines are "nullb ITEM", "null_blk", "dm NAME UUID", "md NAME LEG...", "vg NAME PV..." and
 * "wipe NAME MAJOR:MINOR TYPE UUID".
 *
 * Return: 0; -ENAMETOOLONG for over 1022 bytes, or -EIO; reported.
 */
int journal_write(struct journal *j, const char *fmt, ...) __printf(2, 3);

/**
 * journal_end() - find the end of a journal, where the next line begins
 * @j: the journal
 *
 * Return: the offset of the next line in bytes.
 */
off_t journal_end(const struct journal *j);

/**
 * journal_close() - close a journal, and remove the file if all its lines were undone
 * @j: the journal
 */
void journal_close(struct journal *j);

#endif
