/* SPDX-License-Identifier: GPL-2.0 */
#ifndef OUTPUT_TABLE_H
#define OUTPUT_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Results are rows and columns. A column is described once, for the table on the terminal, CSV
 * and JSON. The code in this directory only prints results and measures nothing.
 */

enum col_type {
	COL_STR,
	COL_TIME,	/* ns */
	COL_SIZE,	/* bytes */
	COL_COUNT,	/* exact in JSON and CSV, short (12.3k) on the terminal */
	COL_EXACT,	/* all digits everywhere */
	COL_BW,		/* bytes per second */
	COL_PERCENT,	/* 0 to 100 */
	COL_REAL,
	COL_BAR,	/* 0 to 100 as a bar; table only */
};

#define COL_TREE	(1 << 0)	/* this column shows the tree (one column per table) */
#define COL_NOTABLE	(1 << 1)	/* only in JSON and CSV */
#define COL_NOJSON	(1 << 2)	/* not in JSON and CSV */
#define COL_LEFT	(1 << 3)	/* left-aligned although it is a number */
#define COL_RIGHT	(1 << 4)	/* right-aligned although it is a text */
#define COL_SWATCH	(1 << 5)	/* "#rrggbb", the colour of the row in HTML */

struct column {
	const char *key;	/* in JSON and CSV: "p99_ns" */
	const char *title;	/* in the table: "p99" */
	enum col_type type;
	unsigned int flags;
	const char *group;	/* neighbours with the same group share a heading line (a device) */
};

struct report_table;

/*
 * Create a table. The columns are copied, but the strings in them are not. Return: NULL on
 * -ENOMEM.
 */
struct report_table *report_table_new(const struct column *cols, size_t ncols);
void report_table_free(struct report_table *t);

/**
 * report_row() - add a row
 * @parent: row below which the new row hangs (COL_TREE), or -1
 * Return: row number for report_set_*(), or -ENOMEM (which report_set_*() ignore).
 */
int report_row(struct report_table *t, int parent);
/* Print a row in bold in the table: for totals and group heads. */
void report_row_bold(struct report_table *t, int row);
/* Print a cell in bold; or, if not @bold, dimmed, because the reader may skip it. */
void report_mark(struct report_table *t, int row, size_t col, bool bold);
size_t report_rows(const struct report_table *t);
/* Set a cell. A cell that is never set prints as "-" and is left out of JSON. */
void report_set(struct report_table *t, int row, size_t col, double v);
void report_set_u64(struct report_table *t, int row, size_t col, uint64_t v);
void report_set_str(struct report_table *t, int row, size_t col, const char *s);	/* copied */

/*
 * Print a table for the terminal, or as CSV. If the table is wider than the terminal, columns are
 * left out. If it is still too wide, it is printed in parts. Return: 0 or -errno.
 */
int report_print(const struct report_table *t, FILE *f);
int report_csv(const struct report_table *t, FILE *f);
/* Print a table for the terminal and free it. Return: 0 or -errno, -ENOMEM if @t is NULL. */
int report_print_free(struct report_table *t, FILE *f);
/* The same in parts, to print several tables with the same columns one after another as one CSV. */
int report_csv_head(const struct report_table *t, FILE *f);
int report_csv_rows(const struct report_table *t, FILE *f);

/* State of a table that is printed piece by piece; zeroed before the first rows. */
#define REPORT_LIVE_COLS 40
struct report_live {
	int width[REPORT_LIVE_COLS];
	bool hidden[REPORT_LIVE_COLS];	/* the terminal has no room for the column */
	unsigned int lines;		/* lines since the heading */
};

/**
 * report_live() - print the rows of a table below the rows of the previous call
 * @t: table with the same columns at each call
 *
 * A heading comes first, and again after LIVE_HEADING lines. If the rows are wider than the
 * terminal, columns are left out: those that report_print() leaves out, then those on the right.
 * Return: 0 or -EIO.
 */
#define LIVE_HEADING 20
int report_live(const struct report_table *t, struct report_live *live, FILE *f);

#endif
