// SPDX-License-Identifier: GPL-2.0
/* Plot a run over time: I/Os per second, and below the latencies of each interval. */
#include <math.h>
#include <string.h>
#include "blklat/plot/palette.h"
#include "blklat/plot/plot.h"
#include "blklat/plot/script.h"

static bool has_series(const struct result_dev *d)
{
	return d->nsamples > 1;
}

static bool series_shows(const struct plot_set *set)
{
	for (size_t i = 0; i < set->n; i++)
		if (has_series(set->devs[i].dev))
			return true;
	return false;
}

static double end_of(const struct result_sample *s)
{
	return (s->at_ns + s->elapsed_ns) / 1e9;
}

/* Return true if an I/O was in flight for at least the length of the interval that it ended in. */
static bool stalled(const struct result_sample *s)
{
	return s->total.count && s->elapsed_ns && s->total.max >= s->elapsed_ns;
}

/* Write a point at the interval's begin and one at its end, and the slowest I/O in the middle. */
static void sample_lines(const struct result_sample *s, FILE *f)
{
	double from = s->at_ns / 1e9;

	for (int i = 0; i < 2; i++) {
		fprintf(f, "%.6f\t%.6f\t%.3f\t", i ? end_of(s) : from,
			i ? NAN : (from + end_of(s)) / 2, s->ios / (s->elapsed_ns / 1e9));
		if (s->total.count)
			fprintf(f, "%llu\t%llu\t%llu\n",
				(unsigned long long)hist_percentile(&s->total, 50),
				(unsigned long long)hist_percentile(&s->total, 99),
				(unsigned long long)s->total.max);
		else
			fprintf(f, "NaN\tNaN\tNaN\n");
	}
}

static void stall_lines(const struct plot_set *set, FILE *f)
{
	fprintf(f, "\n\n# stalls: an I/O was in flight for longer than the interval in which it "
		"ended\n# from_s\tto_s\tdevice\n");
	for (size_t i = 0; i < set->n; i++) {
		const struct result_dev *d = set->devs[i].dev;

		for (size_t k = 0; k < d->nsamples; k++) {
			const struct result_sample *s = &d->samples[k];

			if (!stalled(s))
				continue;
			fprintf(f, "%.6f\t%.6f\t", fmax(0, end_of(s) - s->total.max / 1e9),
				end_of(s));
			plot_quote_data(set->devs[i].label, f);
			fputc('\n', f);
		}
	}
}

static void series_data(const struct plot_set *set, const struct plot_look *look, FILE *f)
{
	fprintf(f, "# one block per device, the last one has the stalls\n"
		"# time_s\tmiddle_s\tI/Os per second\tp50_ns\tp99_ns\tmax_ns\n");
	for (size_t i = 0; i < set->n; i++) {
		const struct result_dev *d = set->devs[i].dev;

		fprintf(f, "%s# ", i ? "\n\n" : "");
		plot_quote_data(set->devs[i].label, f);
		fputc('\n', f);
		if (!has_series(d))
			fprintf(f, "# no intervals\nNaN\n");
		for (size_t k = 0; has_series(d) && k < d->nsamples; k++) {
			const struct result_sample *s = &d->samples[k];

			if (!s->elapsed_ns)
				continue;
			/* After the turns of other devices, an empty line breaks the curve. */
			if (k && s->at_ns > s[-1].at_ns + s[-1].elapsed_ns)
				fputc('\n', f);
			sample_lines(s, f);
		}
	}
	stall_lines(set, f);
}

struct range {
	double min, max, end, rate;
	bool stalls;
};

static struct range range_of(const struct plot_set *set)
{
	struct range r = { .min = INFINITY };

	for (size_t i = 0; i < set->n; i++) {
		const struct result_dev *d = set->devs[i].dev;

		for (size_t k = 0; k < d->nsamples; k++) {
			const struct result_sample *s = &d->samples[k];

			r.end = fmax(r.end, end_of(s));
			r.stalls |= stalled(s);
			if (s->elapsed_ns)
				r.rate = fmax(r.rate, s->ios / (s->elapsed_ns / 1e9));
			if (!s->total.count)
				continue;
			r.min = fmin(r.min, hist_percentile(&s->total, 50));
			r.max = fmax(r.max, s->total.max);
		}
	}
	/* Without any latency, the axes still need a range. */
	if (isinf(r.min)) {
		r.min = 1;
		r.max = 9;
	}
	return r;
}

static unsigned int axes_bottom(const struct plot_look *look)
{
	return look->narrow ? 430 : 450;
}

static void series_key(const struct plot_set *set, struct plot_key *k, const struct plot_look *look)
{
	uint32_t muted = palette_roles[MUTED].light;

	plot_key_begin(k, look, look->width - plot_key_width(plot_label_len(set)),
		       look->narrow ? axes_bottom(look) + 60 : 20);
	for (size_t i = 0; i < set->n; i++)
		if (has_series(set->devs[i].dev))
			plot_key_add(k, MARK_LINE, palette_line(i), set->devs[i].label);
	plot_key_add(k, MARK_LINE, muted, "p50");
	plot_key_add(k, MARK_DASHES, muted, "p99");
	plot_key_add(k, MARK_POINT, muted, "slowest");
	if (range_of(set).stalls)
		plot_key_add(k, MARK_BOX, palette_roles[BAND].light, "stall");
}

static unsigned int series_height(const struct plot_set *set, const struct plot_look *look)
{
	return plot_height(set, look, axes_bottom(look) + 60, series_key);
}

/*
 * Mark where tracing begins, if all turns before that are untraced and all others are traced. With
 * @text, there is a text beside the mark.
 */
static void script_tracing(const struct plot_set *set, bool text, FILE *f)
{
	double from = INFINITY, untraced = -1;

	for (size_t i = 0; i < set->n; i++)
		for (size_t k = 0; k < set->devs[i].dev->nsamples; k++) {
			const struct result_sample *s = &set->devs[i].dev->samples[k];

			if (s->traced)
				from = fmin(from, s->at_ns / 1e9);
			else
				untraced = fmax(untraced, s->at_ns / 1e9);
		}
	if (untraced < 0 || isinf(from) || untraced > from)
		return;
	fprintf(f, "set arrow from first %.6f, graph 0 to first %.6f, graph 1 nohead "
		"linecolor rgb '#%06x' dashtype (2,4)\n", from, from, palette_roles[MUTED].light);
	if (text)
		fprintf(f, "set label 'traced from here' at first %.6f, graph 1 left offset 0.5,-1 "
			"textcolor rgb '#%06x'\n", from, palette_roles[MUTED].light);
}

/* Plot lines for each device. @how: columns and style of each line; NULL ends the list. */
static void script_lines(const struct plot_set *set, const char *const *how, unsigned int *items,
			 FILE *f)
{
	for (size_t i = 0; i < set->n; i++)
		for (const char *const *line = how; *line && has_series(set->devs[i].dev);
		     line++) {
			plot_item(items, f);
			fprintf(f, "data index %zu using %s linecolor rgb '#%06x' notitle", i,
				*line, palette_line(i));
		}
}

static void script_stalls(const struct plot_set *set, const struct range *r, unsigned int *items,
			  FILE *f)
{
	if (!r->stalls)
		return;
	plot_item(items, f);
	fprintf(f, "data index %zu using (($1+$2)/2):(0):1:2:(bottom):(top) with boxxyerror "
		"fillstyle solid 1.0 noborder fillcolor rgb '#%06x' notitle", set->n,
		palette_roles[BAND].light);
}

static void series_script(const struct plot_set *set, const struct plot_look *look, FILE *f)
{
	static const char *const rate[] = { "1:3 with lines linewidth 2", NULL };
	static const char *const latency[] = {
		"1:4 with lines linewidth 2", "1:5 with lines linewidth 1.5 dashtype (6,4)",
		"2:6 with points pointtype 7 pointsize 0.4", NULL
	};
	struct plot_key key = { .f = f, .height = series_height(set, look) };
	double left = look->narrow ? 60 : 76, bottom = axes_bottom(look), middle = bottom * 0.38;
	double right = look->width - (look->narrow ? 16 : 16 + plot_key_width(plot_label_len(set)));
	unsigned int upper = 0, lower = 0;
	struct range r = range_of(set);

	fprintf(f, "set multiplot\nset border 3\nset tics nomirror scale 0.5\n"
		"set grid xtics ytics\n");
	fprintf(f, "set xrange [0:%g]\n", r.end);
	plot_frame(look, key.height, left, right, 34, middle, f);
	series_key(set, &key, look);
	plot_axis_title("I/Os per second", f);
	fprintf(f, "set format x ''\nset format y '%%.0s%%c'\n");
	fprintf(f, "bottom = 0\ntop = %g\nset yrange [bottom:top]\nset ytics %g\n",
		r.rate * 1.08 ?: 1, plot_step(r.rate / 4));
	script_tracing(set, true, f);
	script_stalls(set, &r, &upper, f);
	script_lines(set, rate, &upper, f);
	fprintf(f, "\nunset label\nunset object\nunset arrow\n");
	plot_frame(look, key.height, left, right, middle + 44, bottom, f);
	plot_axis_title("latency", f);
	fprintf(f, "set format x '%%g'\nset xlabel 'time, s'\n");
	plot_log_axis(pow(10, floor(log10(fmax(r.min, 1)))), pow(10, ceil(log10(r.max + 1))), f);
	script_tracing(set, false, f);
	script_stalls(set, &r, &lower, f);
	script_lines(set, latency, &lower, f);
	fprintf(f, "\nunset multiplot\n");
}

const struct plot plot_series = {
	.name = "time",
	.title = "Over time",
	.note = "For each interval of the recording: I/Os per second, and below it the median, the "
		"99th percentile and the slowest I/O. In a comparison, the turns without tracing "
		"come first.",
	.shows = series_shows,
	.data = series_data,
	.script = series_script,
	.height = series_height,
};
