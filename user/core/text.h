/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_TEXT_H
#define BLKLAT_CORE_TEXT_H

#include <stddef.h>
#include <stdio.h>

/*
 * Return how many columns a text on @f may have: those of the terminal, or of $COLUMNS, but not
 * more than 100, as longer lines are hard to read. 100 if @f is no terminal.
 */
size_t text_width(FILE *f);

/**
 * text_wrap() - print words, with line breaks where a line would be too long
 * @f: where to print; the text ends with a line end
 * @text: the words
 * @indent: blanks before each line but the first
 * @col: column at which the text begins
 * @width: columns of a line
 */
void text_wrap(FILE *f, const char *text, size_t indent, size_t col, size_t width);

#endif
