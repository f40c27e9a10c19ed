// SPDX-License-Identifier: GPL-2.0
#include "blklat/plot/script.h"

char *plot_tick(char *buf, size_t len, double ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s", "s" };
	unsigned int u = 0;

	for (; ns >= 1000 && u < 3; u++)
		ns /= 1000;
	snprintf(buf, len, "%g %s", ns, units[u]);
	return buf;
}

void plot_unit(double max, const char **unit, double *ns)
{
	*unit = max >= 2e9 ? "s" : max >= 2e6 ? "ms" : max >= 2e3 ? "us" : "ns";
	*ns = max >= 2e9 ? 1e9 : max >= 2e6 ? 1e6 : max >= 2e3 ? 1e3 : 1;
}

void plot_item(unsigned int *n, FILE *f)
{
	fputs((*n)++ ? ", \\\n  " : "plot ", f);
}

void plot_quote(const char *text, FILE *f)
{
	fputc('\'', f);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', f);
		fputc((unsigned char)*text < ' ' ? ' ' : *text, f);
	}
	fputc('\'', f);
}

void plot_quote_data(const char *text, FILE *f)
{
	fputc('"', f);
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' ? ' ' :
		      *text == '"' || *text == '\\' ? '\'' : *text, f);
	fputc('"', f);
}
