/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_TEXT_H
#define BLKLAT_CORE_TEXT_H

#include <stddef.h>
#include <stdio.h>

/*
 * Return how many columns a line on @f may have: $COLUMNS, or those of the terminal; TEXT_ANY if @f
 * is no terminal, as a program that reads it wants each line whole.
 */
size_t text_width(FILE *f);
#define TEXT_ANY	((size_t)-1)

/**
 * text_wrap() - print words, with line breaks where a line would be too long
 * @f: where to print; the text ends with a line end
 * @text: the words; line ends count as blanks
 * @indent: blanks before each line but the first
 * @col: column at which the text begins
 * @width: columns of a line
 */
void text_wrap(FILE *f, const char *text, size_t indent, size_t col, size_t width);

/* Sentences on their way to a file, see text_open(). */
struct text {
	FILE *to;
	FILE *f;
	char *buf;
	size_t len;
};

/**
 * text_open() - begin to print lines of sentences that are broken where they are too long
 * @t: overwritten; end it with text_close()
 * @to: where they are printed in the end
 *
 * A line that is broken goes on two columns further to the right.
 * Return: where to print them; @to itself without memory.
 */
FILE *text_open(struct text *t, FILE *to);
void text_close(struct text *t);

#endif
