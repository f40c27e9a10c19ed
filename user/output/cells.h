/* SPDX-License-Identifier: GPL-2.0 */
#ifndef OUTPUT_CELLS_H
#define OUTPUT_CELLS_H

/* The inside of a table, for the code that renders tables; users of table.h do not need it. */
#include "output/table.h"

enum cell_kind { CELL_NONE, CELL_REAL, CELL_U64, CELL_STR };

struct cell {
	enum cell_kind kind;
	enum cell_mark { MARK_NONE, MARK_BOLD, MARK_DIM } mark;
	double real;
	uint64_t u64;
	char *str;
};

struct row {
	struct cell *cells;
	int parent;
	bool bold;
};

struct report_table {
	struct column *cols;
	size_t ncols;
	struct row *rows;
	size_t nrows;
};

/**
 * column_is_right() - tell if the cells of a column are aligned to the right, as numbers are
 * @c: column, whose flags override its type
 *
 * Return: true if they are.
 */
bool column_is_right(const struct column *c);

/**
 * table_text() - make a text fit for a table on a terminal
 * @buf: gets the text, which is cut off if it is too long
 * @len: bytes in @buf
 * @text: the text; not NULL
 *
 * A control character and a byte that is not UTF-8 become '?'. A tab and a line end become a blank,
 * because otherwise the name of a device could look like a row of its own.
 *
 * Return: @buf.
 */
char *table_text(char *buf, size_t len, const char *text);

/*
 * Keys of the columns that a reader misses least, in the order in which they go if a table is wider
 * than the terminal. JSON and CSV have all of them. NULL ends the list.
 */
extern const char *const table_dispensable[];

/**
 * cell_text() - format a cell for a human reader
 * @buf: gets the text, which is cut off if it is too long
 * @len: bytes in @buf, at least 64; usually CELL_TEXT
 * @col: column of the cell; its type is the unit of a number
 * @c: the cell; a text in it is changed as by table_text()
 *
 * Return: @buf, with "-" for a cell without a value.
 */
char *cell_text(char *buf, size_t len, const struct column *col, const struct cell *c);
#define CELL_TEXT 256

#endif
