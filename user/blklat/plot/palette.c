// SPDX-License-Identifier: GPL-2.0
/* Choose colours that people with any colour vision can tell apart, on white and on black. */
#include <math.h>
#include <string.h>
#include "blklat/plot/palette.h"
#include "blklat/result/names.h"

const struct palette_role_colour palette_roles[NR_ROLES] = {
	[PAPER] = { "paper", 0xfefefe, 0x14181d },
	[INK] = { "ink", 0x1d2329, 0xe4e8ec },
	[MUTED] = { "muted", 0x57606a, 0xa3adb8 },
	[GRID] = { "grid", 0xdde2e8, 0x333b45 },
	[BAND] = { "band", 0xf9dcd6, 0x55241d },
};

/* The shades of a group's stages go from @first to @last, in the order of the stages. */
static const struct {
	const char *group;
	uint32_t first, last;
} groups[] = {
	{ "app", 0xb07aa1, 0xb07aa1 },
	{ "kernel", 0x1a5f9e, 0x86bde8 },
	{ "driver", 0xb35200, 0xf2a54a },
	{ "device", 0x00795c, 0x3fb393 },
	{ "kernel+driver", 0x8a6748, 0xb5926f },
	{ "driver+device", 0x7d8b1d, 0xb3be55 },
	{ "kernel+driver+device", 0x75787d, 0x9b9ea3 },
	{ "unattributed", 0xa8adb3, 0xa8adb3 },
};
#define NR_PALETTE_GROUPS (sizeof(groups) / sizeof(*groups))

/* Stages of layers are in the group "kernel" too, but have a hue of their own to stand out. */
static const uint32_t layer_first = 0x0d8aa0, layer_last = 0x6fd0dd;

static const uint32_t lines[] = { 0x8250c8, 0x0b8c9b, 0xcf3a62, 0x9a7b00, 0x9a5b36, 0x6b7785 };

static uint32_t between(uint32_t a, uint32_t b, double at)
{
	uint32_t colour = 0;

	for (int shift = 16; shift >= 0; shift -= 8) {
		double from = a >> shift & 0xff, to = b >> shift & 0xff;

		colour |= (uint32_t)lround(from + (to - from) * at) << shift;
	}
	return colour;
}

uint32_t palette_group(const char *group)
{
	for (size_t i = 0; i < NR_PALETTE_GROUPS; i++)
		if (!strcmp(groups[i].group, group))
			return groups[i].first;
	return groups[NR_PALETTE_GROUPS - 1].first;
}

/*
 * Return the position of a stage in its group, 0 to 1. A merged stage ("alloc+sched") gets the
 * position between its first part and the next stage, so that the other stages keep their shades.
 */
static double position(const char *stage)
{
	enum blklat_group group = NR_GROUPS;
	unsigned int n = 0;
	double at = 0;

	for (size_t i = 0; i < NR_STAGES; i++)
		if (!strcmp(stage_name(i), stage))
			group = stage_group(i);
	for (size_t i = 0; i < NR_STAGES && group != NR_GROUPS; i++) {
		const char *name = stage_name(i);
		size_t len = strlen(name);

		if (stage_group(i) != group || (group <= GROUP_DEVICE && strchr(name, '+')))
			continue;
		if (!strcmp(name, stage))
			at = n;
		else if (!strncmp(name, stage, len) && stage[len] == '+')
			at = n + 0.5;
		n++;
	}
	return n > 1 ? fmin(1, at / (n - 1)) : 0;
}

uint32_t palette_stage(const char *stage, const char *group, const char *layer)
{
	size_t i;

	if (layer[0] >= '0' && layer[0] <= '9' && !strcmp(group, "kernel")) {
		double depth = layer[0] - '0' + (strstr(stage, "complete") ? 0.5 : 0);

		return between(layer_first, layer_last, fmin(1, depth / 2));
	}
	for (i = 0; i < NR_PALETTE_GROUPS - 1; i++)
		if (!strcmp(groups[i].group, group))
			break;
	return between(groups[i].first, groups[i].last, position(stage));
}

uint32_t palette_line(unsigned int i)
{
	return lines[i % (sizeof(lines) / sizeof(*lines))];
}

uint32_t palette_shade(uint32_t colour, double opacity)
{
	return (uint32_t)lround(255 * (1 - opacity)) << 24 | colour;
}

static double luminance(uint32_t colour)
{
	static const double weight[] = { 0.2126, 0.7152, 0.0722 };
	double sum = 0;

	for (int i = 0; i < 3; i++) {
		double c = (colour >> (16 - 8 * i) & 0xff) / 255.0;

		sum += weight[i] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
	}
	return sum;
}

double palette_contrast(uint32_t a, uint32_t b)
{
	double la = luminance(a), lb = luminance(b);

	return (fmax(la, lb) + 0.05) / (fmin(la, lb) + 0.05);
}

/*
 * Black or white always has a contrast above 4.5. Both stay on a dark page, as plot_inline()
 * changes only the colours of roles, and none of these is pure white or black.
 */
uint32_t palette_ink_on(uint32_t colour)
{
	return palette_contrast(colour, 0xffffff) >= palette_contrast(colour, 0) ? 0xffffff : 0;
}
