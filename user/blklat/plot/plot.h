/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_PLOT_H
#define BLKLAT_PLOT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "blklat/result/result.h"

struct comparison;

/* Pictures of results, by gnuplot: each is a file of data, a script and what comes of them. */

/**
 * struct plot_dev - one device of a picture
 * @label: what it is called there, of one line
 */
struct plot_dev {
	char label[192];
	const struct result_dev *dev;
};

/**
 * struct plot_set - the devices of a picture
 * @cmp: a comparison of them, or NULL
 */
struct plot_set {
	struct plot_dev *devs;
	size_t n;
	const struct comparison *cmp;
};

/**
 * struct plot_look - how large, and for what
 * @width: in CSS pixels; the height comes from what there is to show
 * @narrow: for a phone: the key is below
 */
struct plot_look {
	unsigned int width;
	bool narrow;
};

/**
 * struct plot - a kind of picture
 * @name: of its files
 * @title: what it shows
 * @note: how to read it
 * @below: of what lies below the devices that were asked for too
 * @shows: whether these devices have anything for it
 * @data: writes the data, as columns with a comment above
 * @script: writes what follows after the terminal is set
 * @height: of the picture
 */
struct plot {
	const char *name;
	const char *title;
	const char *note;
	bool below;
	bool (*shows)(const struct plot_set *set);
	void (*data)(const struct plot_set *set, const struct plot_look *look, FILE *f);
	void (*script)(const struct plot_set *set, const struct plot_look *look, FILE *f);
	unsigned int (*height)(const struct plot_set *set, const struct plot_look *look);
};

extern const struct plot plot_stages, plot_diffs, plot_cdf, plot_series, plot_legs;
extern const struct plot *const plots[];	/* ends with NULL */

/**
 * plot_write() - DIR/name.dat, .gp and .svg
 * @suffix: of their names: "", "-narrow"
 * Return: 0 or -errno, reported: -ENOENT when there is no gnuplot.
 */
int plot_write(const struct plot *plot, const struct plot_set *set, const struct plot_look *look,
	       const char *dir, const char *suffix);

/* Return: 0 or -ENOENT, reported. */
int plot_check_gnuplot(void);

/**
 * plot_inline() - a picture as a part of a page
 * @path: an SVG that plot_write() has made
 * @id: its ids begin with this, of all pictures of a page another
 * Colours that differ between light and dark become variables: --paper, --ink...
 * Return: 0 or -errno, reported.
 */
int plot_inline(const char *path, const char *id, const char *label, FILE *out);

/* For the parts of plot/ */

/* 'text' for gnuplot: within these nothing is expanded or run. */
void plot_quote(const char *text, FILE *f);
/* The same without a line's end and tabs, for data: "text". */
void plot_quote_data(const char *text, FILE *f);
/* What comes before the next thing to plot: "plot", then commas. *@n is 0 at first. */
void plot_item(unsigned int *n, FILE *f);
/* "12.3µs" */
char *plot_time(char *buf, size_t len, double ns);
#define PLOT_TIME_LEN 24
/* The same of a round number, for axes: "10 ms" */
char *plot_tick(char *buf, size_t len, double ns);

/* How wide text is, about, in CSS pixels. */
#define PLOT_CHAR_PX 8

/**
 * struct plot_key - what the colours are, beside a picture or, where it is narrow, below it
 * @f: NULL: only see how much room it needs
 * @look: of the picture
 * @height: of the picture
 * @left, @x, @y: where it begins and where the next entry comes, in pixels
 *
 * gnuplot's own keys have as many rows as the axes are high, and what that leaves over
 * lies outside the picture.
 */
struct plot_key {
	FILE *f;
	const struct plot_look *look;
	unsigned int height;
	unsigned int left, x, y;
};

enum plot_mark { MARK_HEADING, MARK_BOX, MARK_LINE, MARK_DASHES, MARK_POINT, MARK_RING };

void plot_key_begin(struct plot_key *k, const struct plot_look *look, unsigned int left, unsigned int top);
void plot_key_add(struct plot_key *k, enum plot_mark mark, uint32_t colour, const char *text);
/* Where it ends, from the top of the picture. */
unsigned int plot_key_end(const struct plot_key *k);
/* Of a key with @texts of this length at most. */
unsigned int plot_key_width(size_t len);

/* The frame of the axes, in pixels from the top left of the picture. */
void plot_frame(const struct plot_look *look, unsigned int height, double left, double right, double top,
		double bottom, FILE *f);
/* What the axis that goes up is, above it. */
void plot_axis_title(const char *text, FILE *f);

/* 1, 2 or 5 of some power of ten: the distance of lines that are about so far apart. */
double plot_step(double about);

/* The longest of the labels, in characters. */
size_t plot_label_len(const struct plot_set *set);

#endif
