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

/**
 * report_table_new() - make a table without rows
 * @cols: the columns, which are copied; the strings in them are not, and must outlive the table
 * @ncols: number of columns
 *
 * Return: the table, for report_table_free(); NULL without memory, not reported.
 */
struct report_table *report_table_new(const struct column *cols, size_t ncols);

/**
 * report_table_free() - free a table
 * @t: the table, may be NULL
 */
void report_table_free(struct report_table *t);

/**
 * report_row() - add a row
 * @t: the table
 * @parent: row below which the new row hangs (COL_TREE), or -1
 *
 * Return: row number for the functions below, or -ENOMEM, not reported, which they ignore.
 */
int report_row(struct report_table *t, int parent);

/**
 * report_row_bold() - print a row in bold on the terminal: for totals and group heads
 * @t: the table
 * @row: from report_row()
 */
void report_row_bold(struct report_table *t, int row);

/**
 * report_mark() - print a cell in bold or dimmed on the terminal
 * @t: the table
 * @row: from report_row()
 * @col: index of the column
 * @bold: true for bold; false for dimmed, because the reader may skip the cell
 */
void report_mark(struct report_table *t, int row, size_t col, bool bold);

/**
 * report_rows() - get the number of rows of a table
 * @t: the table
 *
 * Return: the number.
 */
size_t report_rows(const struct report_table *t);

/* A cell that is never set prints as "-" and is left out of JSON. */

/**
 * report_set() - set a cell to a real number
 * @t: the table
 * @row: from report_row()
 * @col: index of the column
 * @v: the number, in the unit of the column's type; NaN and infinity do not set the cell
 */
void report_set(struct report_table *t, int row, size_t col, double v);

/**
 * report_set_u64() - set a cell to a whole number, with all its digits in JSON and CSV
 * @t: the table
 * @row: from report_row()
 * @col: index of the column
 * @v: the number, in the unit of the column's type
 */
void report_set_u64(struct report_table *t, int row, size_t col, uint64_t v);

/**
 * report_set_str() - set a cell to a text
 * @t: the table
 * @row: from report_row()
 * @col: index of the column
 * @s: the text, which is copied; NULL: the cell has no value
 */
void report_set_str(struct report_table *t, int row, size_t col, const char *s);

/**
 * report_print() - print a table for human readers
 * @t: the table
 * @f: where to print
 *
 * If the table is wider than the terminal, columns are left out. If it is still too wide, it is
 * printed in parts.
 *
 * Return: 0 or -errno, not reported.
 */
int report_print(const struct report_table *t, FILE *f);

/**
 * report_csv() - print a table as CSV
 * @t: the table
 * @f: where to print; flush it to see all errors of writing
 *
 * Return: 0 or -EIO, not reported.
 */
int report_csv(const struct report_table *t, FILE *f);

/**
 * report_print_free() - print a table for human readers, and free it
 * @t: the table, freed also after an error; may be NULL if there was no memory to make it
 * @f: where to print
 *
 * Return: 0 or -errno, not reported; -ENOMEM if @t is NULL.
 */
int report_print_free(struct report_table *t, FILE *f);

/**
 * report_print_titled() - print an empty line, a title and a table for human readers, and free the
 *	table
 * @t: the table, freed also after an error; NULL: print nothing
 * @title: the title, one line; NULL for none
 * @f: where to print
 *
 * Return: 0 or -errno, not reported.
 */
int report_print_titled(struct report_table *t, const char *title, FILE *f);

/* These two print several tables with the same columns, one after another, as one CSV. */

/**
 * report_csv_head() - print the keys of the columns as the first line of a CSV
 * @t: a table with the columns
 * @f: where to print
 *
 * Return: 0 or -EIO, not reported.
 */
int report_csv_head(const struct report_table *t, FILE *f);

/**
 * report_csv_rows() - print the rows of a table as lines of a CSV
 * @t: the table
 * @f: where to print
 *
 * Return: 0 or -EIO, not reported.
 */
int report_csv_rows(const struct report_table *t, FILE *f);

/* State of a table that is printed piece by piece; zeroed before the first rows. */
#define REPORT_LIVE_COLS 40
struct report_live {
	int width[REPORT_LIVE_COLS];
	bool hidden[REPORT_LIVE_COLS];	/* the terminal has no room for the column */
	unsigned int lines;		/* lines since the heading */
};

#define LIVE_HEADING 20

/**
 * report_live() - print the rows of a table below the rows of the previous call
 * @t: table with the same columns at each call
 * @live: the same state at each call
 * @f: where to print
 *
 * A heading comes first, and again after LIVE_HEADING lines. If the rows are wider than the
 * terminal, columns are left out: those that report_print() leaves out, then those on the right.
 *
 * Return: 0 or -EIO, not reported.
 */
int report_live(const struct report_table *t, struct report_live *live, FILE *f);

#endif
