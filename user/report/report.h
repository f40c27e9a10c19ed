/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_REPORT_H
#define BLKLAT_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <json-c/json.h>
#include "core/hist.h"
#include "core/opt.h"

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
/* Return a JSON array with one object per row. */
json_object *report_json(const struct report_table *t);

/*
 * JSON documents: { "schema": "blkgen/1", "command": [argv], "kernel": {...}, ... , "error": null
 * | "text" }. A document is written whole or not at all.
 */
#define REPORT_SCHEMA 1

/* Return true if @path names stdout, as "-" does; false for NULL. */
bool report_is_stdout(const char *path);

/**
 * report_doc_new() - start a document
 * @tool: "blkgen", "blklat"
 * @argv: the command line, NULL-terminated, may be NULL
 */
json_object *report_doc_new(const char *tool, char *const *argv);
/* Set the "error" member; the other members of the document stay valid. */
void report_doc_error(json_object *doc, const char *text);
/**
 * report_files_differ() - refuse to write two results to one file, or over one that is read
 * @outputs: names of files, of which each may be NULL or "-"
 * @noutputs: how many
 * @inputs: names of files that the command reads; "-" is stdin
 * @ninputs: how many
 *
 * Return: 0, or -EUSAGE, reported.
 */
int report_files_differ(const char *const *outputs, size_t noutputs, char *const *inputs,
			size_t ninputs);
/*
 * Check that @file can probably be written: if the write fails after a long run, the result is
 * lost. NULL is fine.
 * Return: 0 or -errno, reported.
 */
int report_doc_writable(const char *file);
/**
 * report_doc_write() - write @doc to @path ("-": stdout)
 *
 * The file appears under its name complete or not at all.
 * Return: 0 or -errno, reported.
 */
int report_doc_write(json_object *doc, const char *path);
/* The same in one line, for long documents and for programs. */
int report_doc_write_plain(json_object *doc, const char *path);

/**
 * report_doc_end() - end a command: write its document, with its error, and free the document
 * @doc: document, which is freed; may be NULL
 * @path: file that the document is written to; NULL: it is not written
 * @ret: return value of the command: 0, or an error that was already printed
 *
 * Return: @ret, or if it is 0 the error of writing.
 */
int report_doc_end(json_object *doc, const char *path, int ret);
/* Write any text to @path, or to stdout if it is "-". Return: 0 or -errno, reported. */
int report_write(const char *text, const char *path);
/**
 * report_error_doc() - write the document of a command that failed
 * @tool, @path, @argv: as for report_doc_write() and report_doc_new()
 *
 * The error in the document is the last one reported. If this process has already written a
 * document, the function writes nothing, because that document has more detail. It also writes
 * nothing if the command line names the file twice, because one of them may be an input. It does
 * not report a failed write, because the user must see the first error.
 */
void report_error_doc(const char *tool, const char *path, char *const *argv);

/*
 * Add { count, sum_ns, mean_ns, min_ns, max_ns, percentiles_ns: { "50": ... } } to @obj, or to a
 * new object if @obj is NULL.
 */
json_object *report_latency(json_object *obj, const struct hist *h);

/* Add the buckets of @h that are not empty as "buckets" to @obj: [[index, count], ...]. */
void report_buckets(json_object *obj, const struct hist *h);

/* Add a member to an object. All of these functions copy the string. */
json_object *json_text(const char *s);
void json_str(json_object *o, const char *key, const char *s);	/* NULL: null */
void json_u64(json_object *o, const char *key, uint64_t v);
void json_real(json_object *o, const char *key, double v);
void json_flag(json_object *o, const char *key, bool v);
/* Add the options of a table that have @result, with their values in @cfg; times get "_ns". */
void json_options(json_object *o, const struct opt *opts, const void *cfg);

#endif
