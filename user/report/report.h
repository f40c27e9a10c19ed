/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_REPORT_H
#define BLKLAT_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <json-c/json.h>
#include "core/hist.h"

/*
 * Results are rows and columns. A column is described once and serves the
 * table on the terminal, CSV and JSON. Nothing here measures.
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

#define COL_TREE	(1 << 0)	/* the column that shows parents (one per table) */
#define COL_NOTABLE	(1 << 1)	/* JSON and CSV only */
#define COL_NOJSON	(1 << 2)	/* table only */
#define COL_LEFT	(1 << 3)	/* left-aligned though a number */
#define COL_RIGHT	(1 << 4)	/* right-aligned though a text */
#define COL_SWATCH	(1 << 5)	/* "#rrggbb" that HTML marks the row with; with COL_NOTABLE and COL_NOJSON */

struct column {
	const char *key;	/* in JSON and CSV: "p99_ns" */
	const char *title;	/* in the table: "p99" */
	enum col_type type;
	unsigned int flags;
	const char *group;	/* neighbours with the same group share a heading line (a device) */
};

struct report_table;

/* Columns are copied, the strings in them are not. Return: NULL on -ENOMEM. */
struct report_table *report_table_new(const struct column *cols, size_t ncols);
void report_table_free(struct report_table *t);

/**
 * report_row() - add a row
 * @parent: row it hangs below (COL_TREE), or -1
 * Return: row number, for report_set_*(), or -ENOMEM (which those ignore).
 */
int report_row(struct report_table *t, int parent);
/* Emphasised in the table (bold): totals and group heads. */
void report_row_bold(struct report_table *t, int row);
/* The same for a cell, or paler than others if not @bold: what may be left unread. */
void report_mark(struct report_table *t, int row, size_t col, bool bold);
size_t report_rows(const struct report_table *t);
/* Cells never set print as "-" and are left out of JSON. @key names the column. */
void report_set(struct report_table *t, int row, size_t col, double v);
void report_set_u64(struct report_table *t, int row, size_t col, uint64_t v);
void report_set_str(struct report_table *t, int row, size_t col, const char *s);	/* copied */

/* Return: 0 or -errno. */
int report_print(const struct report_table *t, FILE *f);
int report_csv(const struct report_table *t, FILE *f);
/* The same in parts, for tables with the same columns one after the other. */
int report_csv_head(const struct report_table *t, FILE *f);
int report_csv_rows(const struct report_table *t, FILE *f);

/* What was printed of a table that goes on and on. Zeroed before the first rows. */
#define REPORT_LIVE_COLS 40
struct report_live {
	int width[REPORT_LIVE_COLS];
	unsigned int lines;		/* since the heading */
};

/**
 * report_live() - print the rows of a table below those of the one before
 * @t: has the same columns each time
 * A heading comes first, and again after LIVE_HEADING lines.
 */
#define LIVE_HEADING 20
int report_live(const struct report_table *t, struct report_live *live, FILE *f);
/* Array of one object per row. */
json_object *report_json(const struct report_table *t);

/* Bar of @width cells for 0..100; block characters where the locale has them. */
char *report_bar(char *buf, size_t len, double percent, unsigned int width);

/*
 * JSON documents: { "schema": "blkgen/1", "command": [argv], "kernel": {...},
 * ... , "error": null | "text" }. Written whole or not at all.
 */
#define REPORT_SCHEMA 1

/**
 * report_doc_new() - start a document
 * @tool: "blkgen", "blklat"
 * @argv: the command line, NULL-terminated, may be NULL
 */
json_object *report_doc_new(const char *tool, char *const *argv);
/* Set the "error" member; the document stays valid whatever else it has. */
void report_doc_error(json_object *doc, const char *text);
/*
 * Whether it looks as if it could be: after a long run its result would be lost. NULL is fine.
 * Return: 0 or -errno, reported.
 */
int report_doc_writable(const char *file);
/**
 * report_doc_write() - write @doc to @path ("-": stdout)
 * A file appears under its name complete or not at all.
 * Return: 0 or -errno, reported.
 */
int report_doc_write(json_object *doc, const char *path);
/* The same in one line: for what is long, and for programs. */
int report_doc_write_plain(json_object *doc, const char *path);

/**
 * report_doc_end() - what a command ends with: its error and the file
 * @doc: document, freed; may be NULL
 * @path: where it is written, NULL for nowhere
 * @ret: what the command would return: 0, or an error that was printed
 *
 * Returns @ret, or the error of writing where that is 0.
 */
int report_doc_end(json_object *doc, const char *path, int ret);
/* The same of any text. */
int report_write(const char *text, const char *path);
/**
 * report_usage_doc() - write the document of a command line that is wrong
 * @path, @argv: as above
 * The error is the last one reported. Writes nothing when this process has
 * written a document already: the command knew more than this does.
 * Return: 0 or -errno, reported.
 */
int report_usage_doc(const char *tool, const char *path, char *const *argv);

/*
 * { count, sum_ns, mean_ns, min_ns, max_ns, percentiles_ns: { "50": ... } },
 * in @obj or in a new object when @obj is NULL.
 */
json_object *report_latency(json_object *obj, const struct hist *h);

/* Its buckets that are not empty, as "buckets" of @obj: [[index, count], ...]. */
void report_buckets(json_object *obj, const struct hist *h);

/* Members in one line. All copy. */
json_object *json_text(const char *s);
void json_str(json_object *o, const char *key, const char *s);	/* NULL: null */
void json_u64(json_object *o, const char *key, uint64_t v);
void json_real(json_object *o, const char *key, double v);
void json_flag(json_object *o, const char *key, bool v);

#endif
