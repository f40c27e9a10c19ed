/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_READER_H
#define BLKLAT_CORE_READER_H

#include <stdbool.h>

/*
 * Whoever reads what we print may be gone ("| head"). That ends us, quietly, as it ends every
 * program, but not before files are written and what was made is taken down.
 */

/* From now on it does not end us. Where SIGPIPE is ignored nothing changes: writing fails. */
void reader_hold(void);

/* Something was printed since reader_hold() that nobody reads any more. */
bool reader_gone(void);

/**
 * reader_release() - print what stdio still has, and undo reader_hold() if it was called
 *
 * Ends the process by SIGPIPE when the reader is gone.
 * Return: 0, or -EIO: something that was printed is lost. Not reported.
 */
int reader_release(void);

/**
 * reader_print_error() - report that a result could not be printed
 * @ret: 0 or -errno
 * Return: @ret; 0 when it is only that nobody reads it, which is not reported.
 */
int reader_print_error(int ret);

/* It was not this thread, or not through stdio, that found the reader gone. Return: as above. */
int reader_print_lost(void);

#endif
