/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_REPORT_TABLE_H
#define BLKLAT_REPORT_TABLE_H

/* What the renderers see of a table; users of report.h do not. */
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

/* The cell as a person reads it. @len at least 64. */
char *cell_text(char *buf, size_t len, const struct column *col, const struct cell *c);
#define CELL_TEXT 256

#endif
