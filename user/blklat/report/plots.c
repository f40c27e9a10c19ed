// SPDX-License-Identifier: GPL-2.0
/* Write all kinds of plots of some devices into a directory. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include "blklat/report/plots.h"
#include "blklat/report/scenarios.h"
#include "core/log.h"

#define PLOT_WIDTH 900

/*
 * Set @suffix to "-" and @name. The name comes from a file: it must not become a path or a part of
 * a gnuplot script.
 */
static void suffix_of(char *suffix, size_t len, const char *name)
{
	snprintf(suffix, len, "-%s", name);
	for (char *p = suffix; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '_' && *p != '.')
			*p = '-';
}

int report_plots_of(const struct plot_set *tops, const struct plot_set *all, const char *name,
		    const char *dir)
{
	struct plot_look look = { .width = PLOT_WIDTH };
	char suffix[64] = "";
	int ret;

	if (mkdir(dir, 0777) && errno != EEXIST)
		return err(-errno, "%s: cannot be made: %s", dir, strerror(errno));
	if (name)
		suffix_of(suffix, sizeof(suffix), name);
	for (size_t i = 0; plots[i]; i++) {
		const struct plot_set *what = plots[i]->below ? all : tops;

		if (!plots[i]->shows(what))
			continue;
		ret = plot_write(plots[i], what, &look, dir, suffix);
		if (ret)
			return ret;
		info("%s/%s%s.svg: %s", dir, plots[i]->name, suffix, plots[i]->title);
	}
	return 0;
}

static int of_scenario(const struct report_set *part, const char *scenario, const void *dir)
{
	return report_plots_of(&part->tops, &part->all, scenario, dir);
}

int report_plots(const struct report_set *set, const char *dir)
{
	return report_has_scenarios(set) ? report_each_scenario(set, of_scenario, dir) :
	       report_plots_of(&set->tops, &set->all, NULL, dir);
}
