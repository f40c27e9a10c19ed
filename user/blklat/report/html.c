// SPDX-License-Identifier: GPL-2.0
/* Write tables as HTML. */
#include <string.h>
#include "blklat/report/html.h"
#include "output/cells.h"

void html_text(const char *text, FILE *f)
{
	for (; *text; text++) {
		if (*text == '<' || *text == '>' || *text == '&' || *text == '"' || *text == '\'')
			fprintf(f, "&#%d;", *text);
		else if ((unsigned char)*text >= ' ')
			fputc(*text, f);
		else
			fputc(' ', f);
	}
}

static bool shown(const struct column *c)
{
	return !(c->flags & COL_NOTABLE);
}

static const char *class_of(const struct report_table *t, size_t c)
{
	const struct column *col = &t->cols[c];
	bool first = c && col->group &&
		     (!t->cols[c - 1].group || strcmp(col->group, t->cols[c - 1].group));

	if (column_is_right(col))
		return first ? "n g" : "n";
	return col->type == COL_BAR ? "b" : first ? "t g" : "t";
}

/* Put the heading line with the group names above the columns that they belong to. */
static void put_groups(const struct report_table *t, FILE *f)
{
	fputs("<tr>", f);
	for (size_t c = 0; c < t->ncols;) {
		const char *group = t->cols[c].group;
		unsigned int span = 0;

		do
			span += shown(&t->cols[c++]);
		while (c < t->ncols && group && t->cols[c].group &&
		       !strcmp(group, t->cols[c].group));
		if (!span)
			continue;
		if (group)
			fprintf(f, "<th class=\"g\" scope=\"colgroup\" colspan=\"%u\">", span);
		else
			fputs("<td>", f);
		html_text(group ?: "", f);
		fputs(group ? "</th>" : "</td>", f);
	}
	fputs("</tr>\n", f);
}

static void put_head(const struct report_table *t, FILE *f)
{
	bool groups = false;

	fputs("<thead>\n", f);
	for (size_t c = 0; c < t->ncols; c++)
		groups |= t->cols[c].group && shown(&t->cols[c]);
	if (groups)
		put_groups(t, f);
	fputs("<tr>", f);
	for (size_t c = 0; c < t->ncols; c++) {
		if (!shown(&t->cols[c]))
			continue;
		fprintf(f, *t->cols[c].title ?
			"<th class=\"%s\" scope=\"col\">" : "<td class=\"%s\">", class_of(t, c));
		html_text(t->cols[c].title, f);
		fputs(*t->cols[c].title ? "</th>" : "</td>", f);
	}
	fputs("</tr>\n</thead>\n", f);
}

static unsigned int depth_of(const struct report_table *t, size_t r)
{
	unsigned int depth = 0;

	for (int up = t->rows[r].parent; up >= 0 && depth < 9; up = t->rows[up].parent)
		depth++;
	return depth;
}

static void put_value(const struct column *col, const struct cell *c, FILE *f)
{
	char text[CELL_TEXT];

	if (c->kind == CELL_NONE)
		fputs("<span class=\"sub\">–</span>", f);
	else
		html_text(cell_text(text, sizeof(text), col, c), f);
}

static void put_cell(const struct report_table *t, size_t r, size_t c, const char *colour, FILE *f)
{
	const struct column *col = &t->cols[c];
	const struct cell *cell = &t->rows[r].cells[c];
	const char *tag = c ? "td" : "th";

	fprintf(f, "<%s class=\"%s\"%s>", tag, class_of(t, c), c ? "" : " scope=\"row\"");
	if (!c && colour)
		fprintf(f, "<i class=\"swatch\" style=\"background:%s\"></i>", colour);
	if (col->type == COL_BAR && cell->kind != CELL_NONE)
		fprintf(f, "<i class=\"bar\" style=\"width:%.1f%%%s%s\"></i>",
			cell->real < 0 ? 0 : cell->real > 100 ? 100 : cell->real,
			colour ? ";background:" : "", colour ?: "");
	else if (col->type != COL_BAR)
		put_value(col, cell, f);
	fprintf(f, "</%s>", tag);
}

static void put_row(const struct report_table *t, size_t r, FILE *f)
{
	const char *colour = NULL;

	for (size_t c = 0; c < t->ncols; c++)
		if (t->cols[c].flags & COL_SWATCH && t->rows[r].cells[c].kind == CELL_STR)
			colour = t->rows[r].cells[c].str;
	fprintf(f, "<tr class=\"d%u%s\">", depth_of(t, r), t->rows[r].bold ? " head" : "");
	for (size_t c = 0; c < t->ncols; c++)
		if (shown(&t->cols[c]))
			put_cell(t, r, c, colour, f);
	fputs("</tr>\n", f);
}

void report_html(const struct report_table *t, const char *caption, FILE *f)
{
	fputs("<div class=\"scroll\" tabindex=\"0\"><table>\n", f);
	if (caption) {
		fputs("<caption>", f);
		html_text(caption, f);
		fputs("</caption>\n", f);
	}
	put_head(t, f);
	fputs("<tbody>\n", f);
	for (size_t r = 0; r < t->nrows; r++)
		put_row(t, r, f);
	fputs("</tbody>\n</table></div>\n", f);
}
