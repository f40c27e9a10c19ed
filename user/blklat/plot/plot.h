/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_PLOT_H
#define BLKLAT_PLOT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "blklat/result/icicle.h"
#include "blklat/result/result.h"

/* Make pictures of results by gnuplot: for each, a file of data, a script, and the SVG. */

/**
 * struct plot_dev - a device of a picture or a table
 * @label: name of the device there, one line
 * @dev: the device's part of the result
 */
struct plot_dev {
	char label[192];
	const struct result_dev *dev;
};

/**
 * struct plot_set - the devices of a picture or a table
 * @devs: the devices
 * @n: number of @devs
 * @cmp: a comparison of these devices, or NULL
 * @stage: names the stage that a heat map shows; NULL for the totals
 */
struct plot_set {
	struct plot_dev *devs;
	size_t n;
	const struct comparison *cmp;
	const struct result_row *stage;
};

/**
 * struct plot_look - the size and the layout of a picture
 * @width: in CSS pixels; the height depends on the content
 * @narrow: for a phone: put the key below the picture, not beside it
 */
struct plot_look {
	unsigned int width;
	bool narrow;
};

/**
 * struct plot - a kind of picture
 * @name: name of its files
 * @title: title, says what the picture shows
 * @note: text that explains how to read the picture
 * @below: the picture also has the devices below those that the user asked for
 * @shows: returns true if these devices have data for this kind of picture
 * @data: writes the data, as columns with a comment above
 * @script: writes the script after its head, which sets the terminal
 * @height: returns the height of the picture in CSS pixels
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

extern const struct plot plot_stages, plot_diffs, plot_cdf, plot_series, plot_heat,
			 plot_icicle, plot_icicle_slow, plot_icicle_diffs, plot_legs;
extern const struct plot *const plots[];	/* NULL ends the list */

/**
 * plot_write() - make a picture: write NAME.dat and NAME.gp, and let gnuplot write NAME.svg
 * @plot: the kind of picture
 * @set: the devices
 * @look: the size and the layout
 * @dir: directory of the files
 * @suffix: end of NAME, after the name of @plot: "", "-narrow"
 * Return: 0 or -errno, reported; -ENOENT if there is no gnuplot.
 */
int plot_write(const struct plot *plot, const struct plot_set *set, const struct plot_look *look,
	       const char *dir, const char *suffix);

/**
 * plot_check_gnuplot() - check that gnuplot is there
 *
 * Return: 0 or -ENOENT, reported.
 */
int plot_check_gnuplot(void);

/**
 * plot_inline() - write a picture as a part of an HTML page
 * @path: an SVG that plot_write() made
 * @id: all ids of the picture begin with this; each picture of a page needs its own
 * @label: text for readers who do not see the picture
 * @out: the page
 *
 * Colours that differ between light and dark pages become variables: --paper, --ink...
 * Return: 0 or -errno, reported.
 */
int plot_inline(const char *path, const char *id, const char *label, FILE *out);

/**
 * plot_icicle_length() - find the length of the longest icicle of some devices
 * @set: the devices
 * @of: the I/Os
 *
 * Return: the length in ns, at least 1.
 */
double plot_icicle_length(const struct plot_set *set, enum icicle_of of);

/* The rest is for the files in plot/ only. */

/* A character is about this wide, in CSS pixels. */
#define PLOT_CHAR_PX 8

/**
 * struct plot_key - explains the colours, beside a picture or, if it is narrow, below it
 * @f: where to write the entries; NULL: only find how much room they need
 * @look: the size and the layout of the picture
 * @height: height of the picture
 * @left: where the entries begin, in pixels from the left
 * @x: place of the next entry, in pixels from the left
 * @y: place of the next entry, in pixels from the top
 *
 * gnuplot's own key has only as many rows as fit beside the axes; further entries would lie outside
 * the picture.
 */
struct plot_key {
	FILE *f;
	const struct plot_look *look;
	unsigned int height;
	unsigned int left, x, y;
};

enum plot_mark { MARK_HEADING, MARK_BOX, MARK_LINE, MARK_DASHES, MARK_POINT, MARK_RING };

/**
 * plot_key_begin() - begin a key
 * @k: the key; the caller sets its f, and with it its height
 * @look: the size and the layout of the picture, in use as long as the key
 * @left: where the entries begin, in pixels from the left; unused in a narrow picture, where they
 *	begin at its edge
 * @top: where the entries begin, in pixels from the top
 */
void plot_key_begin(struct plot_key *k, const struct plot_look *look, unsigned int left,
		    unsigned int top);

/**
 * plot_key_add() - add an entry to a key
 * @k: the key, begun
 * @mark: the mark before the text; MARK_HEADING for none
 * @colour: colour of the mark, 0xRRGGBB
 * @text: text of the entry
 */
void plot_key_add(struct plot_key *k, enum plot_mark mark, uint32_t colour, const char *text);

/**
 * plot_key_end() - find where a key ends
 * @k: the key, with all entries
 *
 * Return: its end in pixels from the top of the picture.
 */
unsigned int plot_key_end(const struct plot_key *k);

/**
 * plot_key_width() - find the width of a key
 * @len: number of characters of its longest text
 *
 * Return: the width in pixels.
 */
unsigned int plot_key_width(size_t len);

/* Fill a key with the entries of a picture. */
typedef void (*plot_key_fn)(const struct plot_set *set, struct plot_key *k,
			    const struct plot_look *look);

/**
 * plot_height() - find the height of a picture that has axes and a key
 * @set: the devices
 * @look: the size and the layout
 * @axes: where the axes and their texts end, in pixels from the top
 * @key: fills the key
 *
 * Return: the height in pixels.
 */
unsigned int plot_height(const struct plot_set *set, const struct plot_look *look,
			 unsigned int axes, plot_key_fn key);

/**
 * plot_frame() - set the frame of the axes
 * @look: the size of the picture
 * @height: height of the picture, in pixels
 * @left: left edge of the frame, in pixels from the left of the picture
 * @right: right edge, in pixels from the left
 * @top: upper edge, in pixels from the top of the picture
 * @bottom: lower edge, in pixels from the top
 * @f: the script
 */
void plot_frame(const struct plot_look *look, unsigned int height, double left, double right,
		double top, double bottom, FILE *f);

/**
 * plot_log_axis() - make the vertical axis logarithmic, for times
 * @low: the time at the bottom in ns, above 0
 * @high: the time at the top in ns; twice @low if it is less than that
 * @f: the script, in which the variables bottom and top then have the two times
 */
void plot_log_axis(double low, double high, FILE *f);

/**
 * plot_axis_title() - write the title of the vertical axis above it
 * @text: the title, without single quotes
 * @f: the script
 */
void plot_axis_title(const char *text, FILE *f);

/**
 * plot_step() - choose a round distance of grid lines
 * @about: how large the distance should be
 *
 * Return: 1, 2 or 5 times a power of ten that is near @about; 1 if @about is not above 0.
 */
double plot_step(double about);

/**
 * plot_label_len() - find the length of the longest label
 * @set: the devices
 *
 * Return: the length in bytes; 0 without devices.
 */
size_t plot_label_len(const struct plot_set *set);

#endif
