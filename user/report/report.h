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
/* Cells never set print as "-" and are left out of JSON. @key names the column. */
void report_set(struct report_table *t, int row, size_t col, double v);
void report_set_u64(struct report_table *t, int row, size_t col, uint64_t v);
void report_set_str(struct report_table *t, int row, size_t col, const char *s);	/* copied */

/* Return: 0 or -errno. */
int report_print(const struct report_table *t, FILE *f);
int report_csv(const struct report_table *t, FILE *f);
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
/**
 * report_doc_write() - write @doc to @path ("-": stdout)
 * A file appears under its name complete or not at all.
 * Return: 0 or -errno, reported.
 */
int report_doc_write(json_object *doc, const char *path);
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

/* Members in one line. All copy. */
void json_str(json_object *o, const char *key, const char *s);	/* NULL: null */
void json_u64(json_object *o, const char *key, uint64_t v);
void json_real(json_object *o, const char *key, double v);
void json_flag(json_object *o, const char *key, bool v);

#endif
