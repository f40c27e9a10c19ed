/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_UTF8_H
#define BLKLAT_CORE_UTF8_H

#include <stddef.h>
#include <stdio.h>

/**
 * utf8_len() - check the first character of a text
 * @s: the text
 *
 * Call this for strings that may hold any bytes: those of devices (model, serial) and command
 * lines.
 *
 * Return: its length in bytes; 0 if it is not valid UTF-8. The end of the text counts as 1 byte.
 */
size_t utf8_len(const char *s);

/**
 * utf8_printable_len() - check that a terminal or a parser may get the first character of a text
 * @s: the text
 *
 * A control character in the name of a device or task, or in a file, could move the cursor, change
 * colors or type into the terminal.
 *
 * Return: its length in bytes; 0 if it is not valid UTF-8, or is a control character other than a
 * tab or a line end, or the text is empty.
 */
size_t utf8_printable_len(const char *s);

/**
 * utf8_columns() - count the characters of a text
 * @s: the text
 *
 * Return: the number of characters. Nearly all take one column of a terminal.
 */
size_t utf8_columns(const char *s);

/**
 * utf8_fitting() - find how much of a text fits in a line
 * @s: the text
 * @columns: columns of the line
 *
 * Return: how many bytes at the start of @s fit, in whole characters.
 */
size_t utf8_fitting(const char *s, size_t columns);

/**
 * utf8_print() - print a text with '?' for each byte that utf8_printable_len() refuses
 * @f: where to print
 * @s: the text
 */
void utf8_print(FILE *f, const char *s);

/**
 * utf8_clean() - replace each byte of a text that utf8_printable_len() refuses by '?'
 * @s: the text, changed in place
 *
 * Return: @s.
 */
char *utf8_clean(char *s);

/**
 * utf8_one_line() - do as utf8_clean(), and replace each tab and line end by a blank
 * @s: the text, changed in place
 *
 * A name with a line end must not look like a line of its own.
 *
 * Return: @s.
 */
char *utf8_one_line(char *s);

#endif
