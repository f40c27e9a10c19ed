/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_PLOT_SCRIPT_H
#define BLKLAT_PLOT_SCRIPT_H

#include <stddef.h>
#include <stdio.h>

/* Write the words of gnuplot's scripts and data: texts, items and times. */

/**
 * plot_quote() - write a string of gnuplot in single quotes
 * @text: any text; blanks replace its control characters
 * @f: the script
 *
 * gnuplot expands and runs nothing in single quotes.
 */
void plot_quote(const char *text, FILE *f);

/**
 * plot_quote_data() - write a text for a column of data, in double quotes
 * @text: any text; blanks replace its tabs, line ends and other control characters, and single
 *	quotes replace its double quotes and backslashes
 * @f: the data
 */
void plot_quote_data(const char *text, FILE *f);

/**
 * plot_item() - write what comes before the next item of a plot command: "plot" or a comma
 * @n: number of items that the command has; 0 at first, and counted on
 * @f: the script
 */
void plot_item(unsigned int *n, FILE *f);

/**
 * plot_tick() - write a round time for an axis: "10 ms"
 * @buf: gets the text
 * @len: bytes in @buf; FMT_LEN bytes are enough
 * @ns: the time in ns
 *
 * Return: @buf.
 */
char *plot_tick(char *buf, size_t len, double ns);

/**
 * plot_unit() - choose the unit of an axis of times
 * @max: the longest time, in ns
 * @unit: set to the name of the unit, "ns" to "s", which is not to be freed
 * @ns: set to the length of the unit, in ns
 */
void plot_unit(double max, const char **unit, double *ns);

#endif
