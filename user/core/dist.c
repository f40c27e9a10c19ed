// SPDX-License-Identifier: GPL-2.0
/*
 * Turn a distribution over places (offsets at which an I/O may begin) into zones. All places of a
 * zone are drawn with the same probability, so a zone ends where the density has changed by the
 * factor VARY. Zones that are hardly ever drawn are joined, so that there are few zones, however
 * large the device is.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/dist.h"
#include "core/opt.h"
#include "core/units.h"

#define SCALE		(1u << 30)	/* sum of the weights of all zones */
#define VARY		1.0195		/* largest density in a zone, divided by the smallest */
#define LEAST		64		/* a zone may end at this weight; lighter ones are joined */

static int number_after(const char *s, double *v)
{
	size_t len = strspn(s, "0123456789.");
	char *end;

	if (!len || s[len] || *s == '.')
		return -EINVAL;
	*v = strtod(s, &end);
	return *end ? -EINVAL : 0;
}

static int parse_param(const char *opt, const char *s, const char *param, struct dist *d)
{
	static const struct {
		double above, below;
		const char *what;
	} limits[] = {
		[DIST_ZIPF] = { 0, 100, "an exponent above 0, such as zipf:1.2" },
		[DIST_PARETO] = { 0, 1, "a number between 0 and 1, such as pareto:0.2" },
		[DIST_NORMAL] = {
			0, 100, "a deviation in per cent of the range, such as normal:10"
		},
	};

	if (number_after(param, &d->param) || d->param <= limits[d->kind].above ||
	    d->param >= limits[d->kind].below)
		return usage_error("--%s: '%s' needs %s", opt, s, limits[d->kind].what);
	return 0;
}

static int parse_zones(const char *opt, const char *s, const char *param, struct dist *d)
{
	double sum = 0;
	unsigned int i;
	int ret;

	ret = io_parts_parse(opt, param, parse_percent, d->zone, &d->nzones);
	if (ret)
		return ret;
	for (i = 0; i < d->nzones; i++)
		sum += d->zone[i].value;
	if (fabs(sum - 100) > 1e-6)
		return usage_error("--%s: the percentages of I/Os in '%s' sum to %.10g, not to 100",
				   opt, s, sum);
	return 0;
}

int dist_parse(const char *opt, const char *s, void *dst)
{
	static const char *const names[] = {
		"once", "uniform", "zipf", "pareto", "normal", "zones"
	};
	struct dist d = { .text = s };
	size_t len = strcspn(s, ":");
	const char *param = s[len] ? s + len + 1 : "";
	unsigned int i;
	int ret = 0;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strlen(names[i]) == len && !strncmp(names[i], s, len))
			break;
	if (i == sizeof(names) / sizeof(*names))
		return usage_error("--%s: '%s' is none of once|uniform|zipf:THETA|pareto:H|"
				   "normal:PERCENT|zones:ACCESS/SIZE:...", opt, s);
	d.kind = i;
	if (d.kind <= DIST_UNIFORM && s[len])
		ret = usage_error("--%s: '%s' takes no number", opt, names[i]);
	else if (d.kind == DIST_ZONES)
		ret = parse_zones(opt, s, param, &d);
	else if (d.kind > DIST_UNIFORM)
		ret = parse_param(opt, s, param, &d);
	if (!ret)
		*(struct dist *)dst = d;
	return ret;
}

bool dist_scatters(const struct dist *d)
{
	return d->kind == DIST_ZIPF || d->kind == DIST_PARETO;
}

/* These are the zones made so far, and the open zone, which may still grow. */
struct zones {
	struct blkgen_zone *z;
	int n;
	uint64_t first, end;	/* bounds of the open zone */
	double mass;		/* the open zone's part of the I/Os, 0 to 1 */
	uint64_t places;
};

static void zone_end(struct zones *zs, uint64_t end)
{
	uint32_t weight = llround(zs->mass * SCALE);

	if (weight)
		zs->z[zs->n++] = (struct blkgen_zone) {
			.first = zs->first, .count = end - zs->first, .weight = weight };
	zs->first = end;
	zs->mass = 0;
}

/* Add the places up to @end, which get @mass of the I/Os. @last: no places follow. */
static void zone_extend(struct zones *zs, uint64_t end, double mass, bool last)
{
	/* Keep two entries for the end: they take all places left when the table is full. */
	bool room = zs->n < DIST_MAX_ZONES - 2;

	/* Join rare places with each other, but not with frequent ones: these begin a new zone. */
	if (end > zs->end && zs->end > zs->first && room && mass * SCALE >= LEAST)
		zone_end(zs, zs->end);
	zs->end = end;
	zs->mass += mass;
	if (end > zs->first && (last || (room && zs->mass * SCALE >= LEAST)))
		zone_end(zs, end);
}

/* Return the integral of x^-theta from @a to @b; works also when theta is 1 or near 1. */
static double power_integral(double a, double b, double theta)
{
	double e = 1 - theta, span = log(b / a);

	return pow(a, e) * (fabs(e * span) < 1e-12 ? span : expm1(e * span) / e);
}

/* Return the sum of k^-theta for k from @a to @b - 1. */
static double zipf_sum(uint64_t a, uint64_t b, double theta)
{
	/* For ranks this large the midpoint rule is off by less than 1e-6. */
	uint64_t large = 1000 * (1 + theta) + 1, k;
	double sum = 0;

	if (b > large) {
		k = a > large ? a : large;
		sum = power_integral(k - 0.5, b - 0.5, theta);
		b = k;
	}
	while (b-- > a)
		sum += pow(b, -theta);
	return sum;
}

/* Return the end (exclusive, at most @past) of a zone that begins at rank @k (from 1). */
static uint64_t power_end(uint64_t k, double theta, uint64_t past)
{
	double end = k * pow(VARY, 1 / theta);

	if (end >= past)
		return past;
	/* VARY limits the frequency of the last rank of the zone, which is end - 1. */
	return end < k + 1 ? k + 1 : (uint64_t)end;
}

static void make_zipf(struct zones *zs, double theta)
{
	uint64_t a, b, past = zs->places + 1;
	double all = 0;

	for (a = 1; a < past; a = b) {
		b = power_end(a, theta, past);
		all += zipf_sum(a, b, theta);
	}
	for (a = 1; a < past; a = b) {
		b = power_end(a, theta, past);
		zone_extend(zs, b - 1, zipf_sum(a, b, theta) / all, b == past);
	}
}

/*
 * The part of the I/Os at places below m is (m / places)^e. So the density falls with the exponent
 * 1 - e, or rises when e is above 1.
 */
static void make_pareto(struct zones *zs, double h)
{
	double e = log1p(-h) / log(h), below = 0, n = zs->places, ratio, part;
	uint64_t a = 0, b;

	ratio = fabs(e - 1) < 1e-9 ? INFINITY : pow(VARY, 1 / fabs(e - 1));
	/* The density rises: join the first places, which together get one draw in 2^24. */
	if (e > 1)
		a = n * pow(0x1p-24, 1 / e);
	if (a) {
		below = pow(a / n, e);
		zone_extend(zs, a, below, false);
	}
	for (; a < zs->places; a = b) {
		b = (double)a * ratio < n ? (uint64_t)(a * ratio) : zs->places;
		if (!a || b <= a)
			b = a + 1;
		part = pow(b / n, e);
		zone_extend(zs, b, part - below, b == zs->places);
		below = part;
	}
}

/* Return the part of a normal distribution from @a to @b, both in deviations from the middle. */
static double normal_part(double a, double b)
{
	if (a > 0)
		return (erfc(a * M_SQRT1_2) - erfc(b * M_SQRT1_2)) / 2;
	return (erfc(-b * M_SQRT1_2) - erfc(-a * M_SQRT1_2)) / 2;
}

/*
 * Return the end (exclusive) of a zone above the middle that begins at place @a. The far places,
 * which are drawn less than once in 2^30 times, are one zone.
 */
static uint64_t normal_end(uint64_t a, double mid, double sigma, uint64_t places)
{
	double x = a + 0.5 - mid, end;

	if (x - 0.5 > 6.2 * sigma)
		return places;
	/* The last place of the zone is end - 1. */
	end = mid + sqrt(x * x + 2 * sigma * sigma * log(VARY)) + 0.5;
	if (end >= places)
		return places;
	return end < a + 1 ? a + 1 : (uint64_t)end;
}

/* The range cuts off the tails of the distribution; all places share the tails' I/Os. */
static void make_normal(struct zones *zs, double percent)
{
	double mid = zs->places / 2.0, sigma = zs->places * percent / 100;
	double all = normal_part(-mid / sigma, mid / sigma);
	uint64_t bound[DIST_MAX_ZONES], a = zs->places / 2 + zs->places % 2, b;
	int n = 0, i;

	for (bound[n++] = a; a < zs->places && n < DIST_MAX_ZONES; bound[n++] = a)
		a = normal_end(a, mid, sigma, zs->places);
	/* Mirror the bounds below the middle. An odd number of places leaves one in between. */
	for (a = 0, i = 1 - n; i < n; i++, a = b) {
		b = i < 0 ? zs->places - bound[-i - 1] : bound[i];
		zone_extend(zs, b, normal_part((a - mid) / sigma, (b - mid) / sigma) / all,
			    b == zs->places);
	}
}

static int make_zones(struct zones *zs, const struct dist *d, unsigned int *empty)
{
	double upto = 0;
	unsigned int i;

	for (i = 0; i < d->nzones; i++) {
		uint64_t end;

		upto += d->zone[i].percent;
		end = i == d->nzones - 1 ? zs->places :
		      (uint64_t)llroundl((long double)zs->places * upto / 100);
		if (end > zs->places)
			end = zs->places;
		if (end == zs->first && d->zone[i].value > 0) {
			*empty = i;
			return -ENOSPC;
		}
		zone_extend(zs, end, d->zone[i].value / 100, true);
	}
	return 0;
}

int dist_zones(const struct dist *d, uint64_t places, struct blkgen_zone *z,
	       unsigned int *empty)
{
	struct zones zs = { .z = z, .places = places };
	int ret = 0;

	switch (d->kind) {
	case DIST_ONCE:
		break;
	case DIST_UNIFORM:
		zone_extend(&zs, places, 1, true);
		break;
	case DIST_ZIPF:
		make_zipf(&zs, d->param);
		break;
	case DIST_PARETO:
		make_pareto(&zs, d->param);
		break;
	case DIST_NORMAL:
		make_normal(&zs, d->param);
		break;
	case DIST_ZONES:
		ret = make_zones(&zs, d, empty);
		break;
	}
	return ret ? ret : zs.n;
}
