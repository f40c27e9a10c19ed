// SPDX-License-Identifier: GPL-2.0
/* Place keys, frames and titles of axes to the pixel. */
#include <math.h>
#include <string.h>
#include "core/units.h"
#include "blklat/plot/palette.h"
#include "blklat/plot/plot.h"
#include "blklat/plot/script.h"

#define LINE_PX 23
#define MARK_PX 22
#define GAP_PX 8

unsigned int plot_key_width(size_t len)
{
	return MARK_PX + GAP_PX + (len > 7 ? len : 7) * PLOT_CHAR_PX + 18;
}

size_t plot_label_len(const struct plot_set *set)
{
	size_t longest = 0;

	for (size_t i = 0; i < set->n; i++) {
		size_t len = strlen(set->devs[i].label);

		longest = len > longest ? len : longest;
	}
	return longest;
}

void plot_key_begin(struct plot_key *k, const struct plot_look *look, unsigned int left,
		    unsigned int top)
{
	k->look = look;
	k->left = k->x = look->narrow ? 14 : left;
	k->y = top + LINE_PX / 2;
}

unsigned int plot_key_end(const struct plot_key *k)
{
	return k->y + (k->x > k->left ? LINE_PX / 2 : 0) + 4;
}

unsigned int plot_height(const struct plot_set *set, const struct plot_look *look,
			 unsigned int axes, plot_key_fn key)
{
	struct plot_key k = { 0 };
	unsigned int end;

	key(set, &k, look);
	end = plot_key_end(&k);
	return axes > end ? axes : end;
}

static void put_mark(const struct plot_key *k, enum plot_mark mark, uint32_t colour)
{
	double x = (double)k->x / k->look->width, y = 1 - (double)k->y / k->height;
	double width = (double)MARK_PX / k->look->width;

	switch (mark) {
	case MARK_BOX:
		fprintf(k->f, "set object rectangle at screen %g, screen %g size screen %g, "
			"screen %g front fillstyle solid 1.0 noborder fillcolor rgb '#%06x'\n",
			x + width / 2, y, width, 12.0 / k->height, colour);
		break;
	case MARK_LINE:
	case MARK_DASHES:
		fprintf(k->f, "set arrow from screen %g, screen %g to screen %g, screen %g nohead "
			"linewidth %s dashtype %s linecolor rgb '#%06x'\n", x, y, x + width, y,
			mark == MARK_LINE ? "2" : "1.5", mark == MARK_LINE ? "solid" : "(6,4)",
			colour);
		break;
	case MARK_POINT:
	case MARK_RING:
		fprintf(k->f, "set label '' at screen %g, screen %g point pointtype %d "
			"pointsize 0.5 linecolor rgb '#%06x'\n", x + width / 2, y,
			mark == MARK_POINT ? 7 : 6, colour);
		break;
	case MARK_HEADING:
		break;
	}
}

void plot_key_add(struct plot_key *k, enum plot_mark mark, uint32_t colour, const char *text)
{
	unsigned int width = plot_key_width(strlen(text));
	unsigned int text_at = mark == MARK_HEADING ? 0 : MARK_PX + GAP_PX;

	/* Below a picture the entries are in rows: begin a new row if this one is full. */
	if (k->look->narrow && k->x > k->left && k->x + width > k->look->width) {
		k->x = k->left;
		k->y += LINE_PX;
	}
	if (k->f) {
		put_mark(k, mark, colour);
		fputs("set label ", k->f);
		plot_quote(text, k->f);
		fprintf(k->f, " at screen %g, screen %g left textcolor rgb '#%06x'\n",
			(double)(k->x + text_at) / k->look->width, 1 - (double)k->y / k->height,
			palette_roles[mark == MARK_HEADING ? MUTED : INK].light);
	}
	if (k->look->narrow)
		k->x += width + GAP_PX;
	else
		k->y += LINE_PX;
}

void plot_frame(const struct plot_look *look, unsigned int height, double left, double right,
		double top, double bottom, FILE *f)
{
	fprintf(f, "set lmargin at screen %g\nset rmargin at screen %g\nset tmargin at screen %g\n"
		"set bmargin at screen %g\n", left / look->width, right / look->width,
		1 - top / height, 1 - bottom / height);
}

double plot_step(double about)
{
	double ten, rest;

	if (!(about > 0))
		return 1;
	ten = pow(10, floor(log10(about)));
	rest = about / ten;
	return ten * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
}

void plot_axis_title(const char *text, FILE *f)
{
	fprintf(f, "set label '%s' at graph 0, graph 1 left offset 0,0.8 textcolor rgb '#%06x'\n",
		text, palette_roles[MUTED].light);
}

void plot_log_axis(double low, double high, FILE *f)
{
	/* On a short axis, powers of ten alone would give hardly a tic. */
	bool few = high / low < 100;
	const char *comma = "";
	char text[FMT_LEN];

	/* gnuplot refuses an axis without length. */
	high = fmax(high, 2 * low);

	fprintf(f, "bottom = %g\ntop = %g\nset logscale y\nset yrange [bottom:top]\n"
		"set ytics (", low, high);
	for (double ten = pow(10, floor(log10(low))); ten <= high * 1.01; ten *= 10)
		for (int k = 1; k <= (few ? 5 : 1); k += k == 2 ? 3 : 1) {
			if (ten * k < low * 0.99 || ten * k > high * 1.01)
				continue;
			fprintf(f, "%s'%s' %.0f", comma,
				plot_tick(text, sizeof(text), ten * k), ten * k);
			comma = ", ";
		}
	if (!*comma)
		fprintf(f, "'%s' %.0f", plot_tick(text, sizeof(text), low), low);
	fprintf(f, ")\n");
}
