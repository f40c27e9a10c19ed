/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_STACK_UNDO_H
#define BLKLAT_STACK_UNDO_H

#include <stddef.h>

/**
 * undo_line() - undo what a line of a journal says
 * @what: of @len bytes, what was removed, or what could not be and why
 * Return: 1 if something was there, 0 if not, or -errno.
 */
int undo_line(char *const *words, size_t n, char *what, size_t len);

#endif
