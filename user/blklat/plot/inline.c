// SPDX-License-Identifier: GPL-2.0
/* Put pictures into a page: their colours follow light and dark, and their ids do not collide. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "core/log.h"
#include "blklat/plot/palette.h"
#include "blklat/plot/plot.h"

static char *read_file(const char *path)
{
	FILE *f = fopen(path, "re"), *mem;
	char *text = NULL, buf[4096];
	size_t len, n;

	if (!f)
		return NULL;
	mem = open_memstream(&text, &len);
	while (mem && (n = fread(buf, 1, sizeof(buf), f)) > 0)
		fwrite(buf, 1, n, mem);
	fclose(f);
	if (mem)
		fclose(mem);
	return text;
}

/*
 * Write the colour at @s, "rgb( 36,  41,  47)" or "#24292f", as "var(--ink)" if it belongs to a
 * role. Return: length of the colour in @s, or 0 if nothing was written.
 */
static size_t put_colour(const char *s, FILE *out)
{
	unsigned int r, g, b;
	int len = 0;

	if ((sscanf(s, "rgb( %u , %u , %u )%n", &r, &g, &b, &len) != 3 || !len) &&
	    (sscanf(s, "#%2x%2x%2x%n", &r, &g, &b, &len) != 3 || len != 7))
		return 0;
	for (int i = 0; i < NR_ROLES; i++) {
		if (palette_roles[i].light != (r << 16 | g << 8 | b))
			continue;
		fprintf(out, "var(--%s)", palette_roles[i].name);
		return len;
	}
	return 0;
}

static bool starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* Write the start of @s, changed, if it needs a change. Return: its length in @s, or 0 if not. */
static size_t put_changed(const char *s, const char *id, FILE *out)
{
	static const char *const refs[] = { "id='", "id=\"", "href='#", "href=\"#", "url(#" };
	static const char *const fonts[] = {
		"font-family=\"sans-serif\"", "font-family='sans-serif'"
	};

	if (starts(s, "rgb(") || *s == '#')
		return put_colour(s, out);
	for (size_t i = 0; i < sizeof(fonts) / sizeof(*fonts); i++)
		if (starts(s, fonts[i]))
			return strlen(fonts[i]);
	for (size_t i = 0; i < sizeof(refs) / sizeof(*refs); i++) {
		if (!starts(s, refs[i]))
			continue;
		fprintf(out, "%s%s-", refs[i], id);
		return strlen(refs[i]);
	}
	return 0;
}

static void put_attr(const char *s, FILE *out)
{
	for (; *s; s++)
		if (*s == '&' || *s == '<' || *s == '"')
			fprintf(out, "&#%d;", *s);
		else
			fputc(*s, out);
}

int plot_inline(const char *path, const char *id, const char *label, FILE *out)
{
	char *text = read_file(path), *p, *end;

	if (!text)
		return err(-EIO, "%s: cannot be read", path);
	p = strstr(text, "<svg");
	end = p ? strstr(p, "</svg>") : NULL;
	if (!end) {
		free(text);
		return err(-EIO, "%s: gnuplot has not written a picture", path);
	}
	end[strlen("</svg>")] = '\0';
	fputs("<svg role=\"img\" aria-label=\"", out);
	put_attr(label, out);
	fputc('"', out);
	for (p += strlen("<svg"); *p;) {
		size_t n = put_changed(p, id, out);

		if (!n)
			fputc(*p++, out);
		else
			p += n;
	}
	fputc('\n', out);
	free(text);
	return 0;
}
