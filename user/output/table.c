// SPDX-License-Identifier: GPL-2.0
/* Build tables of rows and cells, and format cells as text. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/log.h"
#include "core/units.h"
#include "core/utf8.h"
#include "output/cells.h"

struct report_table *report_table_new(const struct column *cols, size_t ncols)
{
	struct report_table *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->cols = calloc(ncols, sizeof(*cols));
	if (!t->cols) {
		free(t);
		return NULL;
	}
	memcpy(t->cols, cols, ncols * sizeof(*cols));
	t->ncols = ncols;
	return t;
}

void report_table_free(struct report_table *t)
{
	size_t r, c;

	if (!t)
		return;
	for (r = 0; r < t->nrows; r++) {
		for (c = 0; c < t->ncols; c++)
			free(t->rows[r].cells[c].str);
		free(t->rows[r].cells);
	}
	free(t->rows);
	free(t->cols);
	free(t);
}

int report_row(struct report_table *t, int parent)
{
	struct row *rows = realloc(t->rows, (t->nrows + 1) * sizeof(*rows));
	struct row *r;

	if (!rows)
		return -ENOMEM;
	t->rows = rows;
	r = &rows[t->nrows];
	r->cells = calloc(t->ncols, sizeof(*r->cells));
	if (!r->cells)
		return -ENOMEM;
	r->parent = parent;
	r->bold = false;
	return t->nrows++;
}

void report_row_bold(struct report_table *t, int row)
{
	if (row >= 0 && (size_t)row < t->nrows)
		t->rows[row].bold = true;
}

size_t report_rows(const struct report_table *t)
{
	return t->nrows;
}

static struct cell *get_cell(struct report_table *t, int row, size_t col)
{
	if (row < 0 || (size_t)row >= t->nrows || col >= t->ncols)
		return NULL;
	return &t->rows[row].cells[col];
}

void report_set(struct report_table *t, int row, size_t col, double v)
{
	struct cell *c = get_cell(t, row, col);

	/* The 0/0 of an empty result is not a value */
	if (!c || !isfinite(v))
		return;
	c->kind = CELL_REAL;
	c->real = v;
}

void report_set_u64(struct report_table *t, int row, size_t col, uint64_t v)
{
	struct cell *c = get_cell(t, row, col);

	if (!c)
		return;
	c->kind = CELL_U64;
	c->u64 = v;
	c->real = v;
}

void report_set_str(struct report_table *t, int row, size_t col, const char *s)
{
	struct cell *c = get_cell(t, row, col);

	if (!c)
		return;
	free(c->str);
	c->str = s ? strdup(s) : NULL;
	c->kind = c->str ? CELL_STR : CELL_NONE;
}

void report_mark(struct report_table *t, int row, size_t col, bool bold)
{
	struct cell *c = get_cell(t, row, col);

	if (c)
		c->mark = bold ? MARK_BOLD : MARK_DIM;
}

static char *report_bar(char *buf, size_t len, double percent, unsigned int width)
{
	/* Bars of 1 to 7 eighths of a cell, U+258F down to U+2589 */
	static const char *const part[] = {
		"", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589"
	};
	unsigned int eighths, i;
	size_t n = 0;

	percent = percent < 0 ? 0 : percent > 100 ? 100 : percent;
	eighths = (unsigned int)(percent / 100 * width * 8 + 0.5);
	*buf = 0;
	if (!log_utf8()) {
		for (i = 0; i < (eighths + 4) / 8 && n + 1 < len; i++)
			buf[n++] = '#';
		buf[n] = 0;
		return buf;
	}
	for (i = 0; i < eighths / 8 && n + 4 < len; i++)
		n += snprintf(buf + n, len - n, "\u2588");
	if (n + 4 < len)
		snprintf(buf + n, len - n, "%s", part[eighths % 8]);
	return buf;
}

bool column_is_right(const struct column *c)
{
	return c->flags & COL_RIGHT ||
	       (c->type != COL_STR && c->type != COL_BAR && !(c->flags & COL_LEFT));
}

#define BAR_WIDTH 12

char *table_text(char *buf, size_t len, const char *text)
{
	snprintf(buf, len, "%s", text);
	return utf8_one_line(buf);
}

char *cell_text(char *buf, size_t len, const struct column *col, const struct cell *c)
{
	if (c->kind == CELL_NONE || c->kind == CELL_STR)
		return table_text(buf, len, c->kind == CELL_STR ? c->str : "-");
	switch (col->type) {
	case COL_TIME:
		return fmt_time(buf, len, c->real);
	case COL_SIZE:
		return fmt_size(buf, len, c->kind == CELL_U64 ? c->u64 : (uint64_t)c->real);
	case COL_COUNT:
		return fmt_count(buf, len, c->real);
	case COL_BW:
		return fmt_bw(buf, len, c->real);
	case COL_PERCENT:
		snprintf(buf, len, "%.1f%%", c->real);
		return buf;
	case COL_BAR:
		return report_bar(buf, len, c->real, BAR_WIDTH);
	case COL_EXACT:
	case COL_REAL:
	case COL_STR:
		break;
	}
	if (c->kind == CELL_U64)
		snprintf(buf, len, "%llu", (unsigned long long)c->u64);
	else
		snprintf(buf, len, col->type == COL_EXACT ? "%.0f" : "%.4g", c->real);
	return buf;
}
