/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_TEXT_H
#define BLKLAT_CORE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Names of devices, files, jobs and tasks may hold anything, also what moves the cursor, changes
 * colors or types into the terminal. So what is printed for a reader goes through text_printf() or
 * text_open(), or is a table (output/table.h) or a message (core/log.h). All of them print '?' for
 * control characters and for bytes that are not UTF-8, as utf8_print() does. Tables and messages
 * also print a blank for a tab or a line end.
 */

/**
 * path_base() - find the last part of a path
 * @path: the path
 *
 * Return: the part of @path after its last slash; @path itself if it has no slash.
 */
const char *path_base(const char *path);

/**
 * text_has_word() - tell if a list has a word
 * @list: the list
 * @between: the characters that separate its words; several in a row count as one
 * @word: the word; it need not end with a 0 byte
 * @len: bytes of @word
 *
 * Return: true if @list has @word; no list has an empty word.
 */
bool text_has_word(const char *list, const char *between, const char *word, size_t len);

/**
 * text_printf() - print a title or another text that may contain such names
 * @f: where to print
 * @fmt: the text
 * @...: the values for @fmt
 */
void text_printf(FILE *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/**
 * text_vprintf() - do as text_printf(), with a list of values
 * @f: where to print
 * @fmt: the text
 * @ap: the values for @fmt
 */
void text_vprintf(FILE *f, const char *fmt, va_list ap);

/**
 * text_width() - find how many columns a line may have
 * @f: where the line will be printed
 *
 * Return: $COLUMNS if it is set, else the columns of the terminal, but at least 40; TEXT_ANY if
 * $COLUMNS is not set and @f is no terminal, because a program that reads the output needs lines
 * that are not broken.
 */
size_t text_width(FILE *f);
#define TEXT_ANY	((size_t)-1)

/**
 * text_drawing_width() - do as text_width(), but for a drawing, which needs a width
 * @f: where the drawing will be printed
 *
 * Return: columns, at least 40; 80 if text_width() is TEXT_ANY.
 */
size_t text_drawing_width(FILE *f);

/**
 * text_wrap() - print words, with line breaks where a line would be too long
 * @f: where to print; the text ends with a line end
 * @text: the words; line ends count as blanks
 * @indent: blanks before each line but the first
 * @col: column at which the text begins
 * @width: columns of a line
 */
void text_wrap(FILE *f, const char *text, size_t indent, size_t col, size_t width);

/* The text is collected here from text_open() until text_close() prints it. */
struct text {
	FILE *to;
	FILE *f;
	char *buf;
	size_t len;
};

/**
 * text_open() - begin to print text whose lines are broken if they are too long
 * @t: overwritten; end it with text_close()
 * @to: file to which text_close() prints the text
 *
 * The rest of a broken line is indented by two more columns. Like text_printf(), this prints no
 * control characters, so the text cannot have colors.
 * Return: the file to print to now; @to itself without memory.
 */
FILE *text_open(struct text *t, FILE *to);

/**
 * text_close() - print the text that was collected since text_open(), and free it
 * @t: from text_open()
 */
void text_close(struct text *t);

/**
 * text_line() - print a line of text, broken where it is too long, as text_open() says
 * @to: where to print
 * @fmt: format as of printf(), without a line end
 * @...: the values for @fmt
 */
void text_line(FILE *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/**
 * text_is_nearer() - find the name that a user may have meant, to offer "--jobs" for "--job"
 * @written: what the user wrote
 * @len: bytes of @written
 * @name: a name that there is
 * @best: the smallest distance so far, TEXT_TOO_FAR at first
 * Return: true if @name is nearer than all names before; then *@best is its distance.
 */
bool text_is_nearer(const char *written, size_t len, const char *name, size_t *best);
#define TEXT_TOO_FAR	3	/* a name at this distance is not proposed */

#endif
