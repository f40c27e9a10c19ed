// SPDX-License-Identifier: GPL-2.0
/* Plot how evenly a layer uses its legs, the devices below. */
#include <stdlib.h>
#include <string.h>
#include "core/units.h"
#include "blklat/plot/palette.h"
#include "blklat/plot/plot.h"
#include "blklat/plot/script.h"

#define LEG_PX 62

static size_t nlegs(const struct result_dev *d)
{
	/* A single leg has all I/Os: there is nothing to show. */
	return d->nlegs > 1 ? d->nlegs : 0;
}

static size_t all_legs(const struct plot_set *set)
{
	size_t n = 0;

	for (size_t i = 0; i < set->n; i++)
		n += nlegs(set->devs[i].dev);
	return n;
}

static bool legs_shows(const struct plot_set *set)
{
	return all_legs(set) > 0;
}

static void leg_line(size_t row, const struct plot_dev *dev, const struct result_leg *leg,
		     double bytes, double even, FILE *f)
{
	char name[256];

	snprintf(name, sizeof(name), "%s: %s", dev->label, leg->device);
	fprintf(f, "%zu\t", row);
	plot_quote_data(name, f);
	fprintf(f, "\t%.4f\t%.4f\t%.4f\t%.4f\n", leg->share_pct, percent(leg->bytes, bytes),
		leg->critical_pct, even);
}

static void legs_data(const struct plot_set *set, const struct plot_look *look, FILE *f)
{
	size_t row = 0;

	fprintf(f, "# shares of the I/Os of a device, in per cent\n"
		"# row\tleg\tI/Os\tbytes\tcritical\tequal share\n");
	for (size_t i = 0; i < set->n; i++) {
		const struct result_leg *legs = set->devs[i].dev->legs;
		size_t n = nlegs(set->devs[i].dev);
		double bytes = 0;

		for (size_t k = 0; k < n; k++)
			bytes += legs[k].bytes;
		for (size_t k = 0; k < n; k++)
			leg_line(row++, &set->devs[i], &legs[k], bytes, 100.0 / n, f);
	}
}

static unsigned int label_width(const struct plot_set *set)
{
	size_t width = 0;

	for (size_t i = 0; i < set->n; i++) {
		const struct result_leg *legs = set->devs[i].dev->legs;

		for (size_t k = 0; k < nlegs(set->devs[i].dev); k++) {
			size_t len = strlen(set->devs[i].label) + 2 + strlen(legs[k].device);

			width = len > width ? len : width;
		}
	}
	return width * PLOT_CHAR_PX + 20;
}

#define KEY_PX 250

static const char *const what[] = { "I/Os", "bytes", "critical" };

static unsigned int bars_bottom(const struct plot_set *set, const struct plot_look *look)
{
	return 8 + all_legs(set) * (look->narrow ? LEG_PX + 20 : LEG_PX);
}

static void legs_key(const struct plot_set *set, struct plot_key *k, const struct plot_look *look)
{
	plot_key_begin(k, look, look->width - KEY_PX + 16,
		       look->narrow ? bars_bottom(set, look) + 36 : 4);
	for (int i = 0; i < 3; i++)
		plot_key_add(k, MARK_BOX, palette_line(i), what[i]);
	plot_key_add(k, MARK_DASHES, palette_roles[INK].light, "equal share");
}

static unsigned int legs_height(const struct plot_set *set, const struct plot_look *look)
{
	return plot_height(set, look, bars_bottom(set, look) + 36, legs_key);
}

static void legs_script(const struct plot_set *set, const struct plot_look *look, FILE *f)
{
	struct plot_key key = { .f = f, .height = legs_height(set, look) };
	double width = look->narrow ? 0.2 : 0.26, first = look->narrow ? -0.1 : -0.39;

	fprintf(f, "set xrange [0:108]\nset xtics 0,25,100\nset format x '%%g %%%%'\n"
		"set yrange [%g:-0.6]\n", all_legs(set) - 0.4);
	fprintf(f, "set border 1\nset tics nomirror scale 0\nset grid xtics noytics\n"
		"set style fill solid 1.0 border\n");
	plot_frame(look, key.height, look->narrow ? 14 : label_width(set),
		   look->width - (look->narrow ? 14 : KEY_PX), 8, bars_bottom(set, look), f);
	if (look->narrow)
		fprintf(f, "unset ytics\n");
	legs_key(set, &key, look);
	fprintf(f, "plot \\\n");
	for (int k = 0; k < 3; k++) {
		double from = first + k * width;

		fprintf(f, "  data using ($%d/2):1:(0):%d:($1+%g):($1+%g) with boxxyerror "
			"fillcolor rgb '#%06x' linecolor rgb '#%06x' notitle, \\\n", 3 + k, 3 + k,
			from, from + width, palette_line(k), palette_roles[PAPER].light);
		fprintf(f, "  data using %d:($1+%g):(sprintf('%%.1f', $%d)) with labels left "
			"offset 0.8,0 font ',11' textcolor rgb '#%06x' notitle, \\\n", 3 + k,
			from + width / 2, 3 + k, palette_roles[INK].light);
	}
	fprintf(f, "  data using 6:($1-0.45):(0):(0.9) with vectors nohead linewidth 1.5 "
		"dashtype (6,4) linecolor rgb '#%06x' notitle, \\\n", palette_roles[INK].light);
	if (look->narrow)
		fprintf(f, "  data using (0):($1-0.3):2 with labels left textcolor rgb '#%06x' "
			"notitle\n", palette_roles[INK].light);
	else
		fprintf(f, "  data using (0):1:ytic(2) with points pointtype 0 notitle\n");
}

const struct plot plot_legs = {
	.name = "legs",
	.title = "Balance of the legs",
	.note = "The share of the layer's I/Os and bytes that each device below it got, and how "
		"often it had the critical child, the last to end, which the layer waited for.",
	.below = true,
	.shows = legs_shows,
	.data = legs_data,
	.script = legs_script,
	.height = legs_height,
};
