// SPDX-License-Identifier: GPL-2.0
/* Print sentences that fit the terminal. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "core/text.h"

#define WIDEST		100
#define NARROWEST	40

size_t text_width(FILE *f)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size = { 0 };
	size_t width = columns ? strtoul(columns, NULL, 10) : 0;

	if (!width && isatty(fileno(f)) && !ioctl(fileno(f), TIOCGWINSZ, &size))
		width = size.ws_col;
	if (!width || width > WIDEST)
		return WIDEST;
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
