/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_PALETTE_H
#define BLKLAT_PALETTE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * The colours of all pictures and pages: a group of stages has one hue, its stages are
 * shades of it, everywhere. Colours are 0xRRGGBB.
 */

/* What is not data: it differs between light and dark. */
enum palette_role {
	PAPER,		/* background */
	INK,		/* axes, text */
	MUTED,		/* titles of axes, notes */
	GRID,
	BAND,		/* what is marked in the background: a stall */
	NR_ROLES
};

struct palette_role_colour {
	const char *name;	/* of the variable in CSS */
	uint32_t light, dark;	/* no two light ones alike: a picture is made with them */
};
extern const struct palette_role_colour palette_roles[NR_ROLES];

/* One of each group that a stage may be in; @group as results have it. */
uint32_t palette_group(const char *group);

/**
 * palette_stage() - the shade of a stage
 * @layer: "leaf", or the depth of the layer that the stage is of
 */
uint32_t palette_stage(const char *stage, const char *group, const char *layer);

/* Colours for lines of which each is a device; from some number on they repeat. */
uint32_t palette_line(unsigned int i);

/* Black or white, whichever is easier to read on @colour. */
uint32_t palette_ink_on(uint32_t colour);

/* Contrast of two colours as WCAG 2 defines it, 1 to 21. */
double palette_contrast(uint32_t a, uint32_t b);

#endif
