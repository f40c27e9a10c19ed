/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_JOURNAL_H
#define BLKLAT_STACK_JOURNAL_H

#include <stdbool.h>
#include <sys/types.h>
#include "core/log.h"

/*
 * What one run of blklat makes, a line each, in a file below /run/blklat that is locked as long as
 * the run, its keeper or one of its tools lives. A line is written before what it says is done, so
 * undoing finds things that are not there (yet), and each is checked to be ours.
 */
#define JOURNAL_DIR	"/run/blklat"
#define JOURNAL_WORDS	24

struct journal {
	int fd;
	char path[64];
	char id[8];		/* six hexadecimal digits, part of all names */
};

/* Return: 0 or -errno, reported. */
int journal_create(struct journal *j);

/*
 * Write a line: "nullb ITEM", "null_blk", "dm NAME UUID", "md NAME LEG...", "vg NAME PV...",
 * "wipe NAME MAJOR:MINOR TYPE UUID". Return: 0 or -errno, reported.
 */
int journal_write(struct journal *j, const char *fmt, ...) __printf(2, 3);

/* Where the next line goes. */
off_t journal_end(const struct journal *j);

/**
 * journal_undo() - undo lines from the last to the one at @from
 * @path: of the file; undone lines are taken out of it
 * @done: called with each thing that was there and is removed; may be NULL
 * @failed: called with each that could not be; may be NULL
 * Return: 0, or -errno when something is left.
 */
int journal_undo(const char *path, off_t from, void (*done)(const char *what),
		 void (*failed)(const char *what));

/* Let it go, and remove the file if all in it was undone. */
void journal_close(struct journal *j);

#endif
