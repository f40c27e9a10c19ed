/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_PALETTE_H
#define BLKLAT_PALETTE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * These are the colours of all pictures and HTML pages. In all of them a group of stages has one
 * hue, and its stages are shades of this hue. Colours are 0xRRGGBB.
 */

/* Things that are not data have these colours, which differ between light and dark pages. */
enum palette_role {
	PAPER,		/* background */
	INK,		/* axes, text */
	MUTED,		/* titles of axes, notes */
	GRID,
	BAND,		/* a mark in the background: a stall */
	NR_ROLES
};

struct palette_role_colour {
	const char *name;	/* name of the variable in CSS */
	uint32_t light, dark;	/* plot_inline() finds the role by @light, so these must differ */
};
extern const struct palette_role_colour palette_roles[NR_ROLES];

/* Return the colour of a group of stages, named as in results. */
uint32_t palette_group(const char *group);

/**
 * palette_stage() - find the shade of a stage
 * @stage: name of the stage, as in results
 * @group: group of the stage
 * @layer: "leaf", or the depth of the stage's layer
 * Return: the colour.
 */
uint32_t palette_stage(const char *stage, const char *group, const char *layer);

/* Return the colour of the lines of device @i; the colours repeat after some devices. */
uint32_t palette_line(unsigned int i);

/* Return a colour with its transparency in the upper byte, as in gnuplot. @opacity is 0 to 1. */
uint32_t palette_shade(uint32_t colour, double opacity);

/* Return black or white: the one that is easier to read on @colour. */
uint32_t palette_ink_on(uint32_t colour);

/* Return the contrast of two colours as WCAG 2 defines it, 1 to 21. */
double palette_contrast(uint32_t a, uint32_t b);

#endif
