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

/* Return the part of a path after its last slash. */
const char *path_base(const char *path);

/*
 * Return true if a list has the word @word of @len bytes. Any number of the characters @between
 * separate its words. No list has an empty word.
 */
bool text_has_word(const char *list, const char *between, const char *word, size_t len);

/* Print a title or another text that may contain such names. */
void text_printf(FILE *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(FILE *f, const char *fmt, va_list ap);

/*
 * Return how many columns a line on @f may have: $COLUMNS, or those of the terminal; TEXT_ANY if @f
 * is no terminal, because a program that reads the output needs lines that are not broken.
 */
size_t text_width(FILE *f);
#define TEXT_ANY	((size_t)-1)

/* Do as text_width(), but for a drawing, which needs a width: return 80 if @f is no terminal. */
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
/* Print the text that was collected since text_open(), and free it. */
void text_close(struct text *t);

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
