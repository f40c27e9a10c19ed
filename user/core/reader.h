/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_READER_H
#define BLKLAT_CORE_READER_H

#include <stdbool.h>

/*
 * The reader of our output may be gone ("| head"). Then the program ends quietly by SIGPIPE, as
 * every program does, but only after it has written its files and taken down what it made.
 */

/**
 * reader_hold() - hold SIGPIPE back from now on, so that it does not end the process
 *
 * If SIGPIPE is ignored, this does nothing: then writes fail. SIGPIPE is blocked only in the
 * calling thread and in the threads that it starts later.
 */
void reader_hold(void);

/**
 * reader_gone() - tell if a write since reader_hold() found that the reader is gone
 *
 * Return: true if SIGPIPE is pending for this thread; false without reader_hold().
 */
bool reader_gone(void);

/**
 * reader_release() - flush stdout, and undo reader_hold() if it was called
 *
 * If the reader is gone, SIGPIPE ends the process here.
 * Return: 0, or -EIO if a part of the output is lost. Not reported.
 */
int reader_release(void);

/**
 * reader_print_error() - report that a result could not be printed
 * @ret: 0 or -errno
 * Return: @ret; 0 if the only reason is that the reader is gone, which is not reported.
 */
int reader_print_error(int ret);

/**
 * reader_print_lost() - note that the reader is gone
 *
 * This is for a write of another thread, or for one that did not use stdio.
 *
 * Return: as reader_print_error(-EPIPE).
 */
int reader_print_lost(void);

#endif
