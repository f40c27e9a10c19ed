/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_REPORT_TABLE_H
#define BLKLAT_REPORT_TABLE_H

/* The inside of a table, for the code that renders tables; users of report.h do not need it. */
#include "report/report.h"

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

/* Format a cell for a human reader. @len must be at least 64. */
char *cell_text(char *buf, size_t len, const struct column *col, const struct cell *c);
#define CELL_TEXT 256

#endif
