// SPDX-License-Identifier: GPL-2.0
/* Check that bytes are UTF-8, and that a terminal can print them. */
#include <string.h>
#include "core/utf8.h"

size_t utf8_len(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n = *s < 0x80 ? 1 : *s >= 0xc2 && *s < 0xe0 ? 2 :
		   *s >= 0xe0 && *s < 0xf0 ? 3 : *s >= 0xf0 && *s < 0xf5 ? 4 : 0;
	size_t i;

	for (i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* Reject overlong forms, surrogates and characters above U+10FFFF. */
	if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] >= 0xa0) ||
	    (*s == 0xf0 && s[1] < 0x90) || (*s == 0xf4 && s[1] >= 0x90))
		return 0;
	return n;
}

size_t utf8_printable_len(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n = utf8_len(text);

	/* The control characters are those up to U+001F and those from U+007F to U+009F. */
	if ((*s < 0x20 && *s != '\t' && *s != '\n') || *s == 0x7f || (*s == 0xc2 && s[1] < 0xa0))
		return 0;
	return n;
}

size_t utf8_columns(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += (*s & 0xc0) != 0x80;
	return n;
}

size_t utf8_fitting(const char *s, size_t columns)
{
	const char *p = s;

	for (; *p; p++)
		if ((*p & 0xc0) != 0x80 && !columns--)
			break;
	return p - s;
}

void utf8_print(FILE *f, const char *s)
{
	while (*s) {
		size_t n = utf8_printable_len(s);

		if (n)
			fwrite(s, n, 1, f);
		else
			fputc('?', f);
		s += n ? n : 1;
	}
}

char *utf8_clean(char *s)
{
	for (char *p = s; *p;) {
		size_t n = utf8_printable_len(p);

		if (!n)
			*p = '?';
		p += n ? n : 1;
	}
	return s;
}

char *utf8_one_line(char *s)
{
	utf8_clean(s);
	for (char *p = s; (p = strpbrk(p, "\t\n"));)
		*p = ' ';
	return s;
}
