// SPDX-License-Identifier: GPL-2.0
/* Draw tables on the terminal with libsmartcols. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <libsmartcols.h>
#include "core/log.h"
#include "core/text.h"
#include "output/cells.h"

const char *const table_dispensable[] = {
	"p99.999_ns", "p99.99_ns", "stddev_ns", "p95_ns", "p90_ns", "bytes_pct", "share_pct",
	"model", "bs", "p99.9_ns", "tracing_ns", "merged_ns", "whole_ns", "critical_pct",
	"scheduler", "p50_ns", "max_ns", "cpu_ns_per_io", "lost_full", "lost_end", "lost_queue",
	"unsplit", "role", "module", "type", "bytes", "p99_ns", "count", NULL
};

/*
 * A table, and which of its columns are drawn. If @room is not 0, texts in the column @broken are
 * broken into lines of at most this many characters.
 */
struct drawing {
	const struct report_table *t;
	bool *shown;
	bool color;
	size_t broken;
	size_t room;
};

/* A broken text needs at least this much room to be read. */
#define LEAST_ROOM	12

static int add_columns(const struct drawing *d, struct libscols_table *tb)
{
	const struct report_table *t = d->t;
	struct libscols_column *cl;
	size_t c;

	for (c = 0; c < t->ncols; c++) {
		const struct column *col = &t->cols[c];
		int flags = 0;

		if (!d->shown[c])
			continue;
		if (col->flags & COL_TREE)
			flags |= SCOLS_FL_TREE;
		else if (column_is_right(col))
			flags |= SCOLS_FL_RIGHT;
		if (d->room && c == d->broken)
			flags |= SCOLS_FL_WRAP;
		cl = scols_table_new_column(tb, col->title, 0, flags);
		if (!cl)
			return -ENOMEM;
		if (flags & SCOLS_FL_WRAP)
			scols_column_set_wrapfunc(cl, scols_wrapnl_chunksize,
						  scols_wrapnl_nextchunk, NULL);
	}
	return 0;
}

/* Break a text into lines between its words. */
static char *break_text(const char *text, size_t room)
{
	char *lines = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&lines, &len);

	if (!f)
		return NULL;
	text_wrap(f, text, 0, 0, room);
	fclose(f);
	if (lines && len)
		lines[len - 1] = '\0';
	return lines;
}

static int add_cell(const struct drawing *d, struct libscols_line *ln, size_t i, size_t c,
		    const struct cell *cell)
{
	char buf[CELL_TEXT], *lines = NULL;
	const char *text = cell_text(buf, sizeof(buf), &d->t->cols[c], cell);
	int ret;

	if (d->room && c == d->broken)
		lines = break_text(text, d->room);
	ret = scols_line_set_data(ln, i, lines ?: text);
	free(lines);
	return ret ? -ENOMEM : 0;
}

/*
 * Add a heading line. libsmartcols has only one heading line, but grouped columns need two. So
 * the headings are ordinary rows: the group name above its first column, then the titles.
 */
static int add_heading(const struct drawing *d, struct libscols_table *tb, bool groups)
{
	struct libscols_line *ln = scols_table_new_line(tb, NULL);
	const struct report_table *t = d->t;
	const char *last = NULL;
	size_t c, i = 0;

	if (!ln)
		return -ENOMEM;
	for (c = 0; c < t->ncols; c++) {
		const struct column *col = &t->cols[c];
		const char *text = groups ? col->group : col->title;
		char buf[CELL_TEXT];

		if (!d->shown[c])
			continue;
		if (groups && text && last && !strcmp(text, last))
			text = NULL;
		last = col->group;
		if (scols_line_set_data(ln, i++, table_text(buf, sizeof(buf), text ? text : "")))
			return -ENOMEM;
	}
	if (d->color)
		scols_line_set_color(ln, "\033[1m");
	return 0;
}

static int add_row(const struct drawing *d, size_t r, struct libscols_table *tb,
		   struct libscols_line **lines)
{
	const struct report_table *t = d->t;
	const struct row *row = &t->rows[r];
	struct libscols_line *up = NULL;
	size_t c, i = 0;

	if (row->parent >= 0 && (size_t)row->parent < r)
		up = lines[row->parent];
	lines[r] = scols_table_new_line(tb, up);
	if (!lines[r])
		return -ENOMEM;
	for (c = 0; c < t->ncols; c++) {
		if (!d->shown[c])
			continue;
		if (add_cell(d, lines[r], i, c, &row->cells[c]))
			return -ENOMEM;
		if (d->color && row->cells[c].mark)
			scols_cell_set_color(scols_line_get_cell(lines[r], i),
					     row->cells[c].mark == MARK_BOLD ?
					     "\033[1m" : "\033[2m");
		i++;
	}
	if (d->color && row->bold)
		scols_line_set_color(lines[r], "\033[1m");
	return 0;
}

static int fill(const struct drawing *d, struct libscols_table *tb, struct libscols_line **lines)
{
	bool groups = false;
	size_t i;
	int ret;

	for (i = 0; i < d->t->ncols; i++)
		groups |= d->t->cols[i].group && d->shown[i];
	ret = add_columns(d, tb);
	if (!ret && groups)
		ret = add_heading(d, tb, true);
	if (!ret)
		ret = add_heading(d, tb, false);
	for (i = 0; i < d->t->nrows && !ret; i++)
		ret = add_row(d, i, tb, lines);
	return ret;
}

/* Draw the table on @f. */
static int draw(const struct drawing *d, FILE *f)
{
	struct libscols_line **lines = calloc(d->t->nrows + 1, sizeof(*lines));
	struct libscols_table *tb = scols_new_table();
	int ret = -ENOMEM;

	if (!tb || !lines)
		goto out;
	scols_table_enable_noheadings(tb, 1);
	scols_table_enable_colors(tb, d->color);
	scols_table_enable_ascii(tb, !log_utf8());
	scols_table_set_column_separator(tb, "  ");
	scols_table_set_stream(tb, f);
	/* Do not let smartcols cut a line: it would do so at 80 columns in a file. */
	scols_table_set_termforce(tb, SCOLS_TERMFORCE_NEVER);
	ret = fill(d, tb, lines);
	if (!ret)
		ret = scols_print_table(tb);
out:
	free(lines);
	scols_unref_table(tb);
	return ret;
}

/*
 * Return the columns of the longest line of a text. Blanks at the end of a line do not make it
 * longer.
 */
static size_t longest_line(const char *text)
{
	size_t longest = 0, at = 0;

	for (; *text; text++) {
		if (*text == '\n')
			at = 0;
		else if ((*text & 0xc0) != 0x80)
			at++;
		if (*text != ' ' && at > longest)
			longest = at;
	}
	return longest;
}

/* Return the columns of the longest line of the table, 0 if that cannot be found out. */
static size_t columns_of(const struct drawing *d)
{
	struct drawing plain = *d;
	char *text = NULL;
	size_t len = 0, n;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return 0;
	plain.color = false;
	draw(&plain, f);
	fclose(f);
	n = text ? longest_line(text) : 0;
	free(text);
	return n;
}

/* Return true if a column has no title, and so belongs to the column before it. */
static bool belongs(const struct report_table *t, size_t c)
{
	return c && !*t->cols[c].title && t->cols[c - 1].group == t->cols[c].group;
}

/* Hide all columns with this key, and those that belong to them. Return the title, or NULL. */
static const char *hide(const struct drawing *d, const char *key)
{
	const char *title = NULL;

	for (size_t c = 0; c < d->t->ncols; c++) {
		const struct column *col = &d->t->cols[c];

		if (!d->shown[c] || !col->key || strcmp(col->key, key))
			continue;
		d->shown[c] = false;
		if (c + 1 < d->t->ncols && belongs(d->t, c + 1))
			d->shown[c + 1] = false;
		title = col->title;
	}
	return title;
}

/* Break the texts of the widest column, so that the table has @width columns of characters. */
static void break_widest(struct drawing *d, size_t width)
{
	size_t widest = 0, total = columns_of(d);
	char buf[CELL_TEXT];

	for (size_t c = 0; c < d->t->ncols; c++) {
		if (!d->shown[c] || d->t->cols[c].type != COL_STR || d->t->cols[c].flags & COL_TREE)
			continue;
		for (size_t r = 0; r < d->t->nrows; r++) {
			size_t n = longest_line(cell_text(buf, sizeof(buf), &d->t->cols[c],
							  &d->t->rows[r].cells[c]));

			if (n <= widest)
				continue;
			widest = n;
			d->broken = c;
		}
	}
	if (total > width && widest + width >= total + LEAST_ROOM)
		d->room = widest + width - total;
}

/*
 * Hide columns until @columns, which measures the table, returns at most @width. Write the titles
 * of those that are hidden to @hidden.
 */
static void hide_until(struct drawing *d, size_t width, size_t (*columns)(const struct drawing *),
		       char *hidden, size_t len)
{
	size_t n = 0;

	*hidden = '\0';
	for (size_t i = 0; table_dispensable[i]; i++) {
		const char *title;

		if (columns(d) <= width)
			return;
		title = hide(d, table_dispensable[i]);
		if (title && n < len)
			n += snprintf(hidden + n, len - n, "%s%s", n ? ", " : "", title);
	}
}

/* Return how many columns at the start of the table name its rows. */
static size_t naming_columns(const struct report_table *t)
{
	size_t c = 0;

	while (c < t->ncols && t->cols[c].type == COL_STR && !t->cols[c].group)
		c++;
	return c;
}

/*
 * Return the end (exclusive) of the columns that must stay together with column @c: those of its
 * group, and those that belong to it.
 */
static size_t end_of_unit(const struct report_table *t, size_t c)
{
	const char *group = t->cols[c++].group;

	while (c < t->ncols && (belongs(t, c) || (group && t->cols[c].group &&
						  !strcmp(group, t->cols[c].group))))
		c++;
	return c;
}

/*
 * Show as many columns from column @from on as fit beside those that name the rows, but at least
 * one unit. Return the end of these columns.
 */
static size_t show_from(struct drawing *part, const bool *shown, size_t from, size_t width)
{
	size_t n = part->t->ncols, end = from;
	bool any = false;

	memset(part->shown + naming_columns(part->t), 0, n - naming_columns(part->t));
	while (end < n) {
		size_t next = end_of_unit(part->t, end);
		bool seen = memchr(shown + end, true, next - end);

		memcpy(part->shown + end, shown + end, next - end);
		if (any && seen && columns_of(part) > width) {
			memset(part->shown + end, 0, next - end);
			break;
		}
		any |= seen;
		end = next;
	}
	return end;
}

/*
 * Divide a table into parts of at most @width characters, each with the columns that name the
 * rows, and draw them one below the other on @f. Return the characters of the widest part; without
 * @f only measure.
 */
static size_t in_parts(const struct drawing *whole, size_t width, FILE *f, int *error)
{
	size_t n = whole->t->ncols, from = naming_columns(whole->t), widest = 0;
	struct drawing part = *whole;

	part.shown = malloc(n);
	*error = part.shown ? 0 : -ENOMEM;
	if (part.shown)
		memcpy(part.shown, whole->shown, n);
	for (bool first = true; from < n && !*error; first = false) {
		size_t columns;

		from = show_from(&part, whole->shown, from, width);
		columns = columns_of(&part);
		widest = columns > widest ? columns : widest;
		if (f && !first)
			fputc('\n', f);
		if (f)
			*error = draw(&part, f);
	}
	free(part.shown);
	return widest;
}

/* Return the characters of the widest part if each group of columns has a part of its own. */
static size_t widest_group(const struct drawing *d)
{
	int error;

	return in_parts(d, 0, NULL, &error);
}

static void show_all(struct drawing *d)
{
	for (size_t c = 0; c < d->t->ncols; c++)
		d->shown[c] = !(d->t->cols[c].flags & COL_NOTABLE);
}

/*
 * Draw a table in a terminal of this width. If the table is too wide, first hide the columns that a
 * reader misses least, then break texts into lines, and as the last resort draw the table in parts.
 * If the columns are in groups, parts have room for columns that did not fit in the whole table.
 */
static int draw_in(struct drawing *d, size_t width, char *hidden, size_t len, FILE *f)
{
	const struct report_table *t = d->t;
	size_t naming = naming_columns(t);
	int ret;

	hide_until(d, width, columns_of, hidden, len);
	if (columns_of(d) > width)
		break_widest(d, width);
	if (columns_of(d) <= width || naming == t->ncols)
		return draw(d, f);
	if (t->cols[naming].group) {
		show_all(d);
		d->room = 0;
		hide_until(d, width, widest_group, hidden, len);
	}
	in_parts(d, width, f, &ret);
	return ret;
}

int report_print(const struct report_table *t, FILE *f)
{
	struct drawing d = {
		.t = t, .shown = calloc(t->ncols + 1, sizeof(bool)), .color = log_color(f),
	};
	size_t width = text_width(f);
	char hidden[200] = "";
	int ret;

	if (!d.shown)
		return -ENOMEM;
	show_all(&d);
	ret = width == TEXT_ANY ? draw(&d, f) : draw_in(&d, width, hidden, sizeof(hidden), f);
	if (!ret && *hidden)
		text_printf(f, "(%zu columns have no room for: %s)\n", width, hidden);
	free(d.shown);
	return ret;
}

int report_print_free(struct report_table *t, FILE *f)
{
	int ret = t ? report_print(t, f) : -ENOMEM;

	report_table_free(t);
	return ret;
}

int report_print_titled(struct report_table *t, const char *title, FILE *f)
{
	if (!t)
		return 0;
	fputc('\n', f);
	if (title)
		text_printf(f, "%s\n", title);
	return report_print_free(t, f);
}
