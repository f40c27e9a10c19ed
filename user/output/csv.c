// SPDX-License-Identifier: GPL-2.0
/* Write tables as CSV, with RFC 4180 quoting and exact numbers. */
#include <errno.h>
#include <string.h>
#include "core/utf8.h"
#include "output/cells.h"

/*
 * Return true if a spreadsheet would run a text as a formula. This is dangerous, because the texts
 * come from result files, which anybody may have written.
 */
static bool is_formula(const char *s)
{
	return *s && strchr("=+-@", *s) && s[1];
}

/* Write a field: "group.text", or @text alone without a group. */
static void put_text(FILE *f, const char *group, const char *text)
{
	const char *parts[] = { group ? group : "", group ? "." : "", text };
	bool quoted = false;

	for (size_t i = 0; i < 3; i++)
		quoted |= !!strpbrk(parts[i], ",\"\n");
	if (quoted)
		fputc('"', f);
	if (is_formula(group ? group : text))
		fputc('\'', f);
	for (size_t i = 0; i < 3; i++)
		for (const char *s = parts[i]; *s;) {
			size_t n = utf8_printable_len(s);

			if (*s == '"')
				fputc('"', f);
			if (n)
				fwrite(s, n, 1, f);
			else
				fputc('?', f);
			s += n ? n : 1;
		}
	if (quoted)
		fputc('"', f);
}

static void put_cell(FILE *f, const struct cell *c)
{
	switch (c->kind) {
	case CELL_U64:
		fprintf(f, "%llu", (unsigned long long)c->u64);
		break;
	case CELL_REAL:
		fprintf(f, "%.10g", c->real);
		break;
	case CELL_STR:
		put_text(f, NULL, c->str);
		break;
	case CELL_NONE:
		break;
	}
}

static bool skipped(const struct column *col)
{
	return col->type == COL_BAR || (col->flags & COL_NOJSON);
}

int report_csv_head(const struct report_table *t, FILE *f)
{
	const char *sep = "";
	size_t c;

	for (c = 0; c < t->ncols; c++) {
		if (skipped(&t->cols[c]))
			continue;
		fputs(sep, f);
		put_text(f, t->cols[c].group, t->cols[c].key);
		sep = ",";
	}
	fputs("\r\n", f);
	return ferror(f) ? -EIO : 0;
}

int report_csv_rows(const struct report_table *t, FILE *f)
{
	const char *sep;
	size_t r, c;

	for (r = 0; r < t->nrows; r++) {
		sep = "";
		for (c = 0; c < t->ncols; c++) {
			if (skipped(&t->cols[c]))
				continue;
			fputs(sep, f);
			put_cell(f, &t->rows[r].cells[c]);
			sep = ",";
		}
		fputs("\r\n", f);
	}
	return ferror(f) ? -EIO : 0;
}

int report_csv(const struct report_table *t, FILE *f)
{
	int ret = report_csv_head(t, f);

	return ret ? ret : report_csv_rows(t, f);
}
