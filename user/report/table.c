// SPDX-License-Identifier: GPL-2.0
/* Draw tables on the terminal with libsmartcols. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <libsmartcols.h>
#include "core/log.h"
#include "report/table.h"

static bool is_number(const struct column *c)
{
	return c->type != COL_STR && c->type != COL_BAR;
}

static int add_columns(const struct report_table *t, struct libscols_table *tb)
{
	size_t c;

	for (c = 0; c < t->ncols; c++) {
		const struct column *col = &t->cols[c];
		int flags = 0;

		if (col->flags & COL_NOTABLE)
			continue;
		if (col->flags & COL_TREE)
			flags |= SCOLS_FL_TREE;
		else if ((is_number(col) && !(col->flags & COL_LEFT)) || col->flags & COL_RIGHT)
			flags |= SCOLS_FL_RIGHT;
		if (!scols_table_new_column(tb, col->title, 0, flags))
			return -ENOMEM;
	}
	return 0;
}

/*
 * Add a heading line. libsmartcols has only one heading line, but grouped columns need two. So
 * the headings are ordinary rows: the group name above its first column, then the titles.
 */
static int add_heading(const struct report_table *t, struct libscols_table *tb,
		       bool groups, bool bold)
{
	struct libscols_line *ln = scols_table_new_line(tb, NULL);
	const char *last = NULL;
	size_t c, i = 0;

	if (!ln)
		return -ENOMEM;
	for (c = 0; c < t->ncols; c++) {
		const struct column *col = &t->cols[c];
		const char *text = groups ? col->group : col->title;

		if (col->flags & COL_NOTABLE)
			continue;
		if (groups && text && last && !strcmp(text, last))
			text = NULL;
		last = col->group;
		if (scols_line_set_data(ln, i++, text ? text : ""))
			return -ENOMEM;
	}
	if (bold)
		scols_line_set_color(ln, "\033[1m");
	return 0;
}

static int add_row(const struct report_table *t, size_t r, struct libscols_table *tb,
		   struct libscols_line **lines, bool color)
{
	const struct row *row = &t->rows[r];
	struct libscols_line *up = NULL;
	char buf[CELL_TEXT];
	size_t c, i = 0;

	if (row->parent >= 0 && (size_t)row->parent < r)
		up = lines[row->parent];
	lines[r] = scols_table_new_line(tb, up);
	if (!lines[r])
		return -ENOMEM;
	for (c = 0; c < t->ncols; c++) {
		if (t->cols[c].flags & COL_NOTABLE)
			continue;
		if (scols_line_set_data(lines[r], i,
					cell_text(buf, sizeof(buf), &t->cols[c], &row->cells[c])))
			return -ENOMEM;
		if (color && row->cells[c].mark)
			scols_cell_set_color(scols_line_get_cell(lines[r], i),
					     row->cells[c].mark == MARK_BOLD ?
					     "\033[1m" : "\033[2m");
		i++;
	}
	if (color && row->bold)
		scols_line_set_color(lines[r], "\033[1m");
	return 0;
}

static int fill(const struct report_table *t, struct libscols_table *tb,
		struct libscols_line **lines, bool color)
{
	bool groups = false;
	size_t i;
	int ret;

	for (i = 0; i < t->ncols; i++)
		groups |= t->cols[i].group && !(t->cols[i].flags & COL_NOTABLE);
	ret = add_columns(t, tb);
	if (!ret && groups)
		ret = add_heading(t, tb, true, color);
	if (!ret)
		ret = add_heading(t, tb, false, color);
	for (i = 0; i < t->nrows && !ret; i++)
		ret = add_row(t, i, tb, lines, color);
	return ret;
}

int report_print(const struct report_table *t, FILE *f)
{
	struct libscols_table *tb = scols_new_table();
	struct libscols_line **lines = calloc(t->nrows + 1, sizeof(*lines));
	bool color = log_color(f);
	int ret = -ENOMEM;

	if (!tb || !lines)
		goto out;
	scols_table_enable_noheadings(tb, 1);
	scols_table_enable_colors(tb, color);
	scols_table_enable_ascii(tb, !log_utf8());
	scols_table_set_column_separator(tb, "  ");
	scols_table_set_stream(tb, f);
	/* Print all columns to a file too: smartcols would cut them at 80 characters */
	scols_table_set_termforce(tb, SCOLS_TERMFORCE_NEVER);
	ret = fill(t, tb, lines, color);
	if (!ret)
		ret = scols_print_table(tb);
out:
	free(lines);
	scols_unref_table(tb);
	return ret;
}
