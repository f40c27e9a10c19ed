// SPDX-License-Identifier: GPL-2.0
/* Print sentences that fit the terminal, and find a name that is near to a word. */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "core/text.h"
#include "core/utf8.h"

#define NARROWEST	40

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool text_has_word(const char *list, const char *between, const char *word, size_t len)
{
	for (size_t n; *list; list += n) {
		list += strspn(list, between);
		n = strcspn(list, between);
		if (n && n == len && !strncmp(list, word, n))
			return true;
	}
	return false;
}

void text_vprintf(FILE *f, const char *fmt, va_list ap)
{
	char *text;

	if (vasprintf(&text, fmt, ap) < 0)
		return;
	utf8_print(f, text);
	free(text);
}

void text_printf(FILE *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	text_vprintf(f, fmt, ap);
	va_end(ap);
}

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

size_t text_drawing_width(FILE *f)
{
	size_t width = text_width(f);

	return width == TEXT_ANY ? 80 : width;
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
	t->f = open_memstream(&t->buf, &t->len);
	return t->f ?: to;
}

static void print_lines(char *lines, size_t width, FILE *f)
{
	for (char *line = lines, *end; *line; line = end) {
		size_t lead = strspn(line, " ");

		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		fprintf(f, "%*s", (int)lead, "");
		text_wrap(f, line + lead, lead + 2, lead, width);
	}
}

void text_close(struct text *t)
{
	size_t width = text_width(t->to);

	if (!t->f)
		return;
	fclose(t->f);
	if (!t->buf)
		return;
	utf8_clean(t->buf);
	if (width == TEXT_ANY)
		fputs(t->buf, t->to);
	else
		print_lines(t->buf, width, t->to);
	free(t->buf);
}

void text_line(FILE *to, const char *fmt, ...)
{
	struct text lines;
	FILE *f = text_open(&lines, to);
	va_list ap;

	va_start(ap, fmt);
	vfprintf(f, fmt, ap);
	va_end(ap);
	fputc('\n', f);
	text_close(&lines);
}

/* Return the edit distance of two names, to offer "--jobs" for "--job"; 99 for long names. */
static size_t distance(const char *a, size_t alen, const char *b)
{
	size_t blen = strlen(b), i, j;
	size_t row[33];

	if (alen > 32 || blen > 32)
		return 99;
	for (j = 0; j <= blen; j++)
		row[j] = j;
	for (i = 1; i <= alen; i++) {
		size_t diag = row[0];

		row[0] = i;
		for (j = 1; j <= blen; j++) {
			size_t best = diag + (a[i - 1] != b[j - 1]);

			diag = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[blen];
}

bool text_is_nearer(const char *written, size_t len, const char *name, size_t *best)
{
	size_t d = distance(written, len, name);

	if (d >= *best || d >= len)
		return false;
	*best = d;
	return true;
}
