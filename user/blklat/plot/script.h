/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_PLOT_SCRIPT_H
#define BLKLAT_PLOT_SCRIPT_H

#include <stddef.h>
#include <stdio.h>

/* Write the words of gnuplot's scripts and data: texts, items and times. */

/* Write a string of gnuplot in single quotes, in which gnuplot expands and runs nothing. */
void plot_quote(const char *text, FILE *f);
/* Write a text for a column of data, in double quotes, without tabs and line ends. */
void plot_quote_data(const char *text, FILE *f);
/* Write what comes before the next item of a plot command: "plot" or a comma. *@n is 0 at first. */
void plot_item(unsigned int *n, FILE *f);
/* Write a round time for an axis: "10 ms"; FMT_LEN bytes are enough. */
char *plot_tick(char *buf, size_t len, double ns);

/* Choose the unit of an axis of times up to @max ns, and set *@ns to its length in ns. */
void plot_unit(double max, const char **unit, double *ns);

#endif
