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

/* Return true if the cells of a column are aligned to the right, as numbers are. */
bool column_is_right(const struct column *c);

/*
 * Make a text fit for a table on a terminal: a control character and a byte that is not UTF-8
 * become '?', and a tab and a line end become a blank, or the name of a device could look like a
 * row of its own.
 */
char *table_text(char *buf, size_t len, const char *text);

/*
 * Keys of the columns that a reader misses least, in the order in which they go if a table is wider
 * than the terminal. JSON and CSV have all of them. NULL ends the list.
 */
extern const char *const table_dispensable[];

/* Format a cell for a human reader, as table_text() does. @len must be at least 64. */
char *cell_text(char *buf, size_t len, const struct column *col, const struct cell *c);
#define CELL_TEXT 256

#endif
