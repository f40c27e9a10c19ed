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

/**
 * palette_group() - find the colour of a group of stages
 * @group: name of the group, as in results
 *
 * Return: the colour; that of "unattributed" if there is no such group.
 */
uint32_t palette_group(const char *group);

/**
 * palette_stage() - find the shade of a stage
 * @stage: name of the stage, as in results
 * @group: group of the stage
 * @layer: "leaf", or the depth of the stage's layer
 * Return: the colour.
 */
uint32_t palette_stage(const char *stage, const char *group, const char *layer);

/**
 * palette_line() - find the colour of the lines of a device
 * @i: number of the device in the picture
 *
 * Return: the colour; the colours repeat after some devices.
 */
uint32_t palette_line(unsigned int i);

/**
 * palette_shade() - make a colour transparent
 * @colour: the colour, 0xRRGGBB
 * @opacity: 0 to 1
 *
 * Return: the colour with its transparency in the upper byte, as in gnuplot: 0 is opaque.
 */
uint32_t palette_shade(uint32_t colour, double opacity);

/**
 * palette_ink_on() - choose black or white text, whichever is easier to read on a colour
 * @colour: the colour, 0xRRGGBB
 *
 * Return: 0 or 0xffffff.
 */
uint32_t palette_ink_on(uint32_t colour);

/**
 * palette_contrast() - compute the contrast of two colours
 * @a: a colour, 0xRRGGBB
 * @b: the other colour
 *
 * Return: the contrast ratio as WCAG 2 defines it, 1 to 21.
 */
double palette_contrast(uint32_t a, uint32_t b);

#endif
