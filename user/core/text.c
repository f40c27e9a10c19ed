// SPDX-License-Identifier: GPL-2.0
/* Print sentences that fit the terminal. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "core/text.h"

#define NARROWEST	40

size_t text_width(FILE *f)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size = { 0 };
	size_t width = columns ? strtoul(columns, NULL, 10) : 0;

	if (!width && isatty(fileno(f)) && !ioctl(fileno(f), TIOCGWINSZ, &size))
		width = size.ws_col;
	if (!width)
		return TEXT_ANY;
	return width < NARROWEST ? NARROWEST : width;
}

void text_wrap(FILE *f, const char *text, size_t indent, size_t col, size_t width)
{
	bool first = true;

	while (*text) {
		size_t len = strcspn(text, "\n ");

		if (!first && col + 1 + len > width) {
			fprintf(f, "\n%*s", (int)indent, "");
			col = indent;
			first = true;
		}
		fprintf(f, "%s%.*s", first ? "" : " ", (int)len, text);
		col += len + !first;
		first = false;
		text += len;
		text += strspn(text, "\n ");
	}
	fputc('\n', f);
}

FILE *text_open(struct text *t, FILE *to)
{
	*t = (struct text){ .to = to };
	if (text_width(to) != TEXT_ANY)
		t->f = open_memstream(&t->buf, &t->len);
	return t->f ?: to;
}

void text_close(struct text *t)
{
	size_t width = text_width(t->to);

	if (!t->f)
		return;
	fclose(t->f);
	for (char *line = t->buf, *end; line && *line; line = end) {
		size_t lead = strspn(line, " ");

		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		fprintf(t->to, "%*s", (int)lead, "");
		text_wrap(t->to, line + lead, lead + 2, lead, width);
	}
	free(t->buf);
}
