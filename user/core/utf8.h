/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_UTF8_H
#define BLKLAT_CORE_UTF8_H

#include <stddef.h>
#include <stdio.h>

/*
 * Return the length in bytes of the first character of @s, or 0 when it is not valid UTF-8. Check
 * strings that may hold any bytes: those of devices (model, serial) and command lines.
 */
size_t utf8_len(const char *s);

/*
 * Return the length in bytes of the first character of @s, or 0 when a terminal or a parser must
 * not get it: it is not valid UTF-8, or a control character other than a tab or a line end. Such
 * a character in the name of a device or task, or in a file, could move the cursor, change colors
 * or type into the terminal.
 */
size_t utf8_printable_len(const char *s);

/* Return the number of characters of a text. Nearly all take one column of a terminal. */
size_t utf8_columns(const char *s);

/* Return how many bytes at the start of a text fit in this many columns. */
size_t utf8_fitting(const char *s, size_t columns);

/* Write a text with '?' for each byte that utf8_printable_len() refuses. */
void utf8_print(FILE *f, const char *s);

/* Replace each byte of a text that utf8_printable_len() refuses by '?'. Return @s. */
char *utf8_clean(char *s);

/*
 * Do as utf8_clean(), and replace each tab and line end by a blank: a name with a line end must not
 * look like a line of its own. Return @s.
 */
char *utf8_one_line(char *s);

#endif
