// SPDX-License-Identifier: GPL-2.0
/*
 * This test will look at the colours of all stages, and expect that a reader can tell each from its
 * neighbours, and can read the text on it.
 */
/* needs: host */
#include <stdlib.h>
#include <string.h>
#include "blklat/plot/palette.h"
#include "blklat/result/names.h"
#include "unit.h"

static bool is_merged(unsigned int i)
{
	return strchr(stage_name(i), '+');
}

static uint32_t colour(unsigned int i)
{
	return palette_stage(stage_name(i), group_name(stage_group(i)), "leaf");
}

static unsigned int apart(uint32_t a, uint32_t b)
{
	unsigned int sum = 0;

	for (int shift = 0; shift < 24; shift += 8)
		sum += abs((int)(a >> shift & 0xff) - (int)(b >> shift & 0xff));
	return sum;
}

static void test_stages(void)
{
	unsigned int hard = 0, alike = 0, pale = 0;

	for (unsigned int i = 0; i < NR_STAGES; i++) {
		uint32_t c = colour(i);

		hard += palette_contrast(c, palette_ink_on(c)) < 4.5;
		pale += palette_contrast(c, palette_roles[PAPER].light) < 1.8 ||
			palette_contrast(c, palette_roles[PAPER].dark) < 1.8;
		for (unsigned int k = 0; k < i; k++)
			alike += !is_merged(i) && !is_merged(k) && apart(c, colour(k)) < 24;
	}
	check(!hard, "text on the stages can be read (%u cannot)", hard);
	check(!pale, "stages can be seen on white and in the dark (%u cannot)", pale);
	check(!alike, "no two stages look the same (%u do)", alike);
}

static void test_groups(void)
{
	unsigned int unknown = 0, other = 0;

	for (unsigned int g = 0; g < NR_GROUPS - 1; g++)
		unknown += palette_group(group_name(g)) == palette_group("no such group");
	check(!unknown, "each group has a colour (%u have not)", unknown);
	/* A group's colour is that of its first stage. */
	for (unsigned int i = 0, g = 0; i < NR_STAGES; i++)
		if (!is_merged(i) && stage_group(i) == g && g <= GROUP_DEVICE) {
			other += i != STAGE_THINK && palette_group(group_name(g)) != colour(i);
			g++;
		}
	check(!other, "a group's colour is that of its first stage (%u are not)", other);
}

static void test_roles(void)
{
	unsigned int twice = 0, hard = 0;
	static const enum palette_role inks[] = { INK, MUTED }, papers[] = { PAPER, BAND };

	for (int i = 0; i < NR_ROLES; i++)
		for (int k = 0; k < i; k++)
			twice += palette_roles[i].light == palette_roles[k].light;
	/* A picture tells its roles apart by their light colours. */
	check(!twice, "no two roles have the same light colour (%u do)", twice);
	for (int i = 0; i < 2; i++)
		for (int k = 0; k < 2; k++)
			hard += palette_contrast(palette_roles[inks[i]].light,
						 palette_roles[papers[k]].light) < 4.5 ||
				palette_contrast(palette_roles[inks[i]].dark,
						 palette_roles[papers[k]].dark) < 4.5;
	check(!hard, "text can be read, light and dark (%u cannot)", hard);
	hard = 0;
	for (unsigned int i = 0; i < 6; i++)
		hard += palette_contrast(palette_line(i), palette_roles[PAPER].light) < 3 ||
			palette_contrast(palette_line(i), palette_roles[PAPER].dark) < 3;
	check(!hard, "lines can be seen, light and dark (%u cannot)", hard);
}

int main(void)
{
	test_stages();
	test_groups();
	test_roles();
	return unit_end();
}
