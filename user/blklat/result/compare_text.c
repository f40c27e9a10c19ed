// SPDX-License-Identifier: GPL-2.0
/* Write differences, with as many digits as their uncertainty allows, and labels of rows. */
#include <math.h>
#include <stdio.h>
#include "core/log.h"
#include "core/units.h"
#include "blklat/result/compare_stats.h"

static double half_width(const struct boot_diff *d)
{
	return fmax(d->high - d->estimate, d->estimate - d->low);
}

/* Return the largest size that a difference may have. */
static double bound(const struct boot_diff *d)
{
	return fmax(fabs(d->low), fabs(d->high));
}

/* Round an uncertainty up to one unit of the last digit: a printed 0 would claim to have none. */
static double at_least_one(double half, int digits)
{
	return fmax(half, pow(10, -digits));
}

int compare_percent_digits(double percent)
{
	double size = fabs(percent);

	return size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
}

static void percent_text(char *buf, size_t len, double v, double half, const char *pm,
			 bool interval)
{
	int digits = compare_percent_digits(v);

	/* Add digits until the first digit of the uncertainty can be seen. */
	while (interval && digits < 2 && half < 0.5 * pow(10, -digits))
		digits++;
	if (interval)
		snprintf(buf, len, "%+.*f%% %s%.*f", digits, v, pm, digits,
			 at_least_one(half, digits));
	else
		snprintf(buf, len, "%+.*f%%", digits, v);
}

/*
 * Write a time and its uncertainty in one unit: "+1.96 ±0.01us". The uncertainty has two digits,
 * but the time has at most four, and at least its first one.
 */
static void time_text(char *buf, size_t len, double v, double half, const char *pm, bool interval)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	double size = fmax(fabs(v), half);
	int unit = 0, digits, most;

	for (; size >= 999.5 && unit < 3; unit++)
		size /= 1000;
	v /= pow(1000, unit);
	half /= pow(1000, unit);
	most = size >= 100 ? 1 : size >= 10 ? 2 : 3;
	digits = !interval || half <= 0 ? most - 1 : 1 - (int)floor(log10(half));
	digits = digits < 0 ? 0 : digits > most ? most : digits;
	if (!unit && digits)
		digits = half < 10 && interval ? 1 : 0;
	if (interval)
		snprintf(buf, len, "%+.*f %s%.*f%s", digits, v, pm, digits,
			 at_least_one(half, digits), units[unit]);
	else
		snprintf(buf, len, "%+.*f%s", digits, v, units[unit]);
}

/* Return @v rounded up to a multiple of @unit: what is printed is an upper limit. */
static double round_up(double v, double unit)
{
	return ceil(v / unit - 1e-9) * unit;
}

/* Write how large a difference may be at most, if it may also be chance. */
static void bound_text(char *buf, size_t len, const struct compare_value *v, double base)
{
	/* No time is known better than to 1 ns. */
	double most = base > 0 ? bound(&v->diff) : fmax(bound(&v->diff), 1);
	double percent = base > 0 ? 100 * most / base : 0;
	int decimals = percent < 0.995 ? 2 : percent < 9.95 ? 1 : 0;
	char text[FMT_LEN];

	if (base > 0)
		snprintf(text, sizeof(text), "%.*f%%", decimals,
			 round_up(percent, pow(10, -decimals)));
	else
		fmt_time(text, sizeof(text), round_up(most, pow(10, floor(log10(most)) - 2)));
	if (percent >= 99.5 || most <= 0)
		snprintf(buf, len, "~");
	else
		snprintf(buf, len, "~ <%s", text);
}

char *compare_diff_text(char *buf, size_t len, const struct compare_value *v,
			const struct compare_value *base, bool in_percent)
{
	const char *pm = log_utf8() ? "\u00b1" : "+-";
	double half = half_width(&v->diff);
	char text[80];

	*buf = '\0';
	/* A baseline of 0 has no percentage. */
	if (!v->has_diff || (in_percent && base->value <= 0))
		return buf;
	if (v->diff.interval && !v->significant) {
		bound_text(buf, len, v, in_percent ? base->value : 0);
		return buf;
	}
	if (in_percent)
		percent_text(text, sizeof(text), 100 * v->diff.estimate / base->value,
			     100 * half / base->value, pm, v->diff.interval);
	else
		time_text(text, sizeof(text), v->diff.estimate, half, pm, v->diff.interval);
	snprintf(buf, len, "%s%s", v->diff.interval ? "" : "? ", text);
	return buf;
}

bool compare_known(const struct comparison *c, enum compare_what what)
{
	for (size_t i = 0; i < c->ndevs; i++)
		if (isfinite(c->rows[COMPARE_HEAD].v[i][what].value))
			return true;
	return false;
}

char *compare_how_text(char *buf, size_t len, const struct comparison *c)
{
	const char *iops = c->traced[COMPARE_IOPS] ? "with" : "without";

	if (compare_known(c, COMPARE_MEAN))
		snprintf(buf, len, "IOPS and CPU time are measured %s tracing, latency %s tracing",
			 iops, c->traced[COMPARE_MEAN] ? "with" : "without");
	else
		snprintf(buf, len, "IOPS and CPU time are measured %s tracing, latency not at all",
			 iops);
	return buf;
}

char *compare_label(char *buf, size_t len, const struct compare_row *row, const size_t *devs,
		    size_t n)
{
	char kinds[DEV_TEXT] = "";

	for (size_t i = 0; i < n; i++)
		result_kinds_add(kinds, sizeof(kinds), row->kinds[devs[i]]);
	/* Without kinds, as in old files, devices with different labels share "layer 0". */
	if (*kinds || row->shared)
		result_stage_label(buf, len, row->stage, row->layer, kinds);
	else
		snprintf(buf, len, "%s", row->label);
	return buf;
}
