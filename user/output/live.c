// SPDX-License-Identifier: GPL-2.0
/* Print rows as they come. A column keeps the largest width that it has needed so far. */
#include <errno.h>
#include <string.h>
#include "core/log.h"
#include "core/text.h"
#include "output/cells.h"

static bool shown(const struct report_table *t, const struct report_live *live, size_t c)
{
	return c < REPORT_LIVE_COLS && !(t->cols[c].flags & COL_NOTABLE) && !live->hidden[c];
}

static void grow(int *width, const char *text)
{
	int len = strlen(text);

	if (len > *width)
		*width = len;
}

/* Return a width that is sufficient for the usual later values: "12.3ms", "123MB/s". */
static int least_width(enum col_type type)
{
	switch (type) {
	case COL_TIME:
	case COL_COUNT:
	case COL_PERCENT:
	case COL_REAL:
		return 6;
	case COL_BW:
		return 8;
	default:
		return 0;
	}
}

static size_t columns_of(const struct report_table *t, const struct report_live *live)
{
	size_t n = 0;

	for (size_t c = 0; c < t->ncols; c++)
		if (shown(t, live, c))
			n += live->width[c] + (n ? 2 : 0);
	return n;
}

/* Leave out columns until a row has @width columns of characters at most. */
static void make_fit(const struct report_table *t, struct report_live *live, size_t width)
{
	for (size_t i = 0; table_dispensable[i] && columns_of(t, live) > width; i++)
		for (size_t c = 0; c < t->ncols; c++)
			if (shown(t, live, c) && t->cols[c].key &&
			    !strcmp(t->cols[c].key, table_dispensable[i]))
				live->hidden[c] = true;
	for (size_t c = t->ncols; c-- > 1 && columns_of(t, live) > width;)
		if (shown(t, live, c))
			live->hidden[c] = true;
}

static void widen(const struct report_table *t, struct report_live *live)
{
	char buf[CELL_TEXT];
	size_t c, r;

	for (c = 0; c < t->ncols; c++) {
		if (!shown(t, live, c))
			continue;
		if (live->width[c] < least_width(t->cols[c].type))
			live->width[c] = least_width(t->cols[c].type);
		grow(&live->width[c], t->cols[c].title);
		for (r = 0; r < t->nrows; r++)
			grow(&live->width[c], cell_text(buf, sizeof(buf), &t->cols[c],
							&t->rows[r].cells[c]));
	}
}

static void put(const struct report_table *t, const struct report_live *live, size_t c,
		const char *text, bool first, FILE *f)
{
	int width = column_is_right(&t->cols[c]) ? live->width[c] : -live->width[c];

	fprintf(f, "%s%*s", first ? "" : "  ", width, text);
}

/* Print a heading line. A group name stands above the first column of the group. */
static void heading(const struct report_table *t, const struct report_live *live, bool groups,
		    FILE *f)
{
	const char *last = NULL;
	char buf[CELL_TEXT];
	bool first = true;
	size_t c;

	for (c = 0; c < t->ncols; c++) {
		const char *text = groups ? t->cols[c].group : t->cols[c].title;

		if (!shown(t, live, c))
			continue;
		if (groups && text && last && !strcmp(text, last))
			text = NULL;
		last = t->cols[c].group;
		put(t, live, c, table_text(buf, sizeof(buf), text ? text : ""), first, f);
		first = false;
	}
	fputc('\n', f);
}

static void headings(const struct report_table *t, const struct report_live *live, FILE *f)
{
	bool groups = false;
	size_t c;

	for (c = 0; c < t->ncols; c++)
		groups |= shown(t, live, c) && t->cols[c].group;
	if (log_color(f))
		fputs("\033[1m", f);
	if (groups)
		heading(t, live, true, f);
	heading(t, live, false, f);
	if (log_color(f))
		fputs("\033[0m", f);
}

int report_live(const struct report_table *t, struct report_live *live, FILE *f)
{
	char buf[CELL_TEXT];
	size_t r, c;
	bool first;

	widen(t, live);
	if (text_width(f) != TEXT_ANY)
		make_fit(t, live, text_width(f));
	for (r = 0; r < t->nrows; r++) {
		if (live->lines++ % LIVE_HEADING == 0)
			headings(t, live, f);
		first = true;
		for (c = 0; c < t->ncols; c++) {
			if (!shown(t, live, c))
				continue;
			cell_text(buf, sizeof(buf), &t->cols[c], &t->rows[r].cells[c]);
			put(t, live, c, buf, first, f);
			first = false;
		}
		fputc('\n', f);
	}
	return fflush(f) || ferror(f) ? -EIO : 0;
}
