// SPDX-License-Identifier: GPL-2.0
/* Write the data and the script of a picture, and run gnuplot to make the picture. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "core/child.h"
#include "core/log.h"
#include "blklat/plot/palette.h"
#include "blklat/plot/plot.h"

const struct plot *const plots[] = {
	&plot_stages, &plot_icicle, &plot_icicle_slow, &plot_diffs, &plot_icicle_diffs, &plot_cdf,
	&plot_series, &plot_heat, &plot_legs, NULL
};

#define NO_GNUPLOT "plots need gnuplot, which is not installed " \
		   "(on Debian: apt-get install gnuplot-nox)"

static void script_head(const struct plot *plot, const struct plot_set *set,
			const struct plot_look *look, const char *name, FILE *f)
{
	fprintf(f, "# %s: gnuplot %s.gp makes %s.svg from %s.dat\n", plot->title, name, name, name);
	fprintf(f, "data = '%s.dat'\nset encoding utf8\nset datafile separator '\\t'\n",
		name);
	fprintf(f, "set terminal svg size %u,%u dynamic noenhanced font 'sans-serif,13' "
		"background '#%06x'\n", look->width, plot->height(set, look),
		palette_roles[PAPER].light);
	fprintf(f, "set output '%s.svg'\n", name);
	fprintf(f, "set border linecolor rgb '#%06x'\nset tics textcolor rgb '#%06x'\n",
		palette_roles[MUTED].light, palette_roles[INK].light);
	fprintf(f, "unset key\n");
	fprintf(f, "set xlabel textcolor rgb '#%06x'\nset ylabel textcolor rgb '#%06x'\n",
		palette_roles[MUTED].light, palette_roles[MUTED].light);
	fprintf(f, "set style line 100 linecolor rgb '#%06x' linewidth 1 dashtype solid\n"
		"set grid linestyle 100\nset style textbox noborder\n", palette_roles[GRID].light);
	fprintf(f, "set linetype 1 linecolor rgb '#%06x'\n", palette_roles[INK].light);
}

static int write_file(const char *path, const struct plot *plot, const struct plot_set *set,
		      const struct plot_look *look, const char *name, bool script)
{
	FILE *f = fopen(path, "we");

	if (!f)
		return err(-errno, "%s: cannot write: %s", path, strerror(errno));
	if (script) {
		script_head(plot, set, look, name, f);
		plot->script(set, look, f);
	} else {
		plot->data(set, look, f);
	}
	if (fflush(f) || ferror(f)) {
		int error = errno;

		fclose(f);
		return err(-error, "%s: cannot write: %s", path, strerror(error));
	}
	fclose(f);
	return 0;
}

/* Run gnuplot in @dir, and collect its messages in @text. Return: exit status, or -errno. */
static int run_gnuplot(const char *dir, const char *arg, char *text, size_t len)
{
	/* -d leaves out the user's own settings, because ~/.gnuplot may change anything. */
	const char *const argv[] = { "gnuplot", "-d", arg, NULL };
	static const char *const env[] = { "GNUTERM=unknown", NULL };
	struct child_opts opts = { .argv = argv, .env = env, .dir = dir, .in = CHILD_NULL };

	return child_hear(&opts, text, len);
}

int plot_check_gnuplot(void)
{
	char text[256];
	int ret = run_gnuplot(NULL, "--version", text, sizeof(text));

	return ret ? err(-ENOENT, NO_GNUPLOT) : 0;
}

/* Return the last line of gnuplot's messages that is not indented: it says what is wrong. */
static const char *last_line(char *text)
{
	char *nl, *last = text;

	for (nl = strchr(text, '\n'); nl && nl[1]; nl = strchr(nl + 1, '\n'))
		if (nl[1] != '\n' && nl[1] != ' ')
			last = nl + 1;
	last[strcspn(last, "\n")] = '\0';
	return last;
}

int plot_write(const struct plot *plot, const struct plot_set *set, const struct plot_look *look,
	       const char *dir, const char *suffix)
{
	char name[128], path[PATH_MAX], script[160], text[2048];
	int ret;

	snprintf(name, sizeof(name), "%s%s", plot->name, suffix);
	snprintf(script, sizeof(script), "%s.gp", name);
	snprintf(path, sizeof(path), "%s/%s.dat", dir, name);
	ret = write_file(path, plot, set, look, name, false);
	if (ret)
		return ret;
	snprintf(path, sizeof(path), "%s/%s", dir, script);
	ret = write_file(path, plot, set, look, name, true);
	if (ret)
		return ret;
	ret = run_gnuplot(dir, script, text, sizeof(text));
	if (ret == -ENOENT)
		return err(ret, NO_GNUPLOT);
	if (ret < 0)
		return err(ret, "gnuplot cannot be run: %s", strerror(-ret));
	if (ret > 128)
		return err(-EINTR, "%s: signal %d has ended gnuplot", path, ret - 128);
	if (ret)
		return err(-EIO, "%s: gnuplot failed: %s", path, last_line(text));
	if (*text)
		warn("%s: gnuplot says: %s", path, last_line(text));
	return 0;
}
