/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_UNDO_H
#define BLKLAT_STACK_UNDO_H

#include <stddef.h>

/**
 * undo_line() - remove what a line of a journal names
 * @words: the words of the line
 * @n: number of @words, at least 1
 * @what: set to what was removed, or what could not be removed and why
 * @len: bytes of @what
 * Return: 1 if the thing was there and is removed, 0 if it was not there, or -errno.
 */
int undo_line(char *const *words, size_t n, char *what, size_t len);

#endif
