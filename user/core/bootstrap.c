// SPDX-License-Identifier: GPL-2.0
/* Find confidence intervals of differences from few values. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/bootstrap.h"
#include "core/random.h"

/* Differences and variances below this part of the values come from rounding. */
#define ROUNDING	1e-12

struct moments {
	size_t n;
	double mean;
	double var;	/* variance of the mean */
};

static struct moments moments(const double *v, size_t n)
{
	struct moments m = { .n = n };
	double sum = 0, sq = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += v[i];
	m.mean = n ? sum / n : 0;
	for (i = 0; i < n; i++)
		sq += (v[i] - m.mean) * (v[i] - m.mean);
	m.var = n > 1 ? sq / (n - 1) / n : 0;
	return m;
}

/*
 * Return the constant factor of Student's density, for both tails together, after the substitution
 * t = sqrt(df) tan(x).
 */
static double student_factor(double df)
{
	return 2 * exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(M_PI);
}

/*
 * With t = sqrt(df) tan(x) the density is cos(x)^(df - 1): smooth and bounded, so Simpson's rule
 * gives six digits with a few points, tails included. With many degrees of freedom the density is
 * narrow: then integrate only up to t + 10, as nothing lies beyond.
 */
double student_p(double t, double df)
{
	enum { POINTS = 100 };
	double from, h, sum = 0;
	int i;

	t = fabs(t);
	if (!(t > 0))
		return 1;
	from = atan(t / sqrt(df));
	h = ((df > 100 ? atan((t + 10) / sqrt(df)) : M_PI_2) - from) / POINTS;
	for (i = 0; i <= POINTS; i++)
		sum += (i == 0 || i == POINTS ? 1 : i % 2 ? 4 : 2) *
		       pow(fabs(cos(from + i * h)), df - 1);
	return fmin(1, sum * h / 3 * student_factor(df));
}

/*
 * Return the t whose student_p() is @p, by Newton's method. p falls more and more slowly as t
 * grows, so the steps approach the result from below and never pass it.
 */
static double student_t(double p, double df)
{
	double t = 0.5, step = 1;
	int i;

	for (i = 0; i < 100 && step > 1e-9 * t; i++) {
		step = (student_p(t, df) - p) * sqrt(df) / student_factor(df) *
			pow(1 + t * t / df, (df + 1) / 2);
		t += step;
	}
	return t;
}

/*
 * These are one or two samples, as deviations from their means. Values in pairs are a single
 * sample: that of their differences.
 */
struct samples {
	const double *v[2];
	size_t n[2];
};

static void draw(const double *v, size_t n, uint64_t *state, struct moments *m)
{
	double sum = 0, sq = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		double d = v[((splitmix64(state) >> 32) * n) >> 32];

		sum += d;
		sq += d * d;
	}
	m->n = n;
	m->mean = sum / n;
	m->var = fmax(0, sq - sum * m->mean) / (n - 1) / n;
}

/* Return |mean* - mean| / se* of one resample, or -1 if all values drawn are the same. */
static double resample(const struct samples *s, uint64_t *state, double var)
{
	struct moments m[2] = { 0 };
	int i;

	for (i = 0; i < 2; i++)
		if (s->n[i])
			draw(s->v[i], s->n[i], state, &m[i]);
	if (m[0].var + m[1].var <= ROUNDING * var)
		return -1;
	return fabs(m[0].mean - m[1].mean) / sqrt(m[0].var + m[1].var);
}

static int order_down(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? 1 : x > y ? -1 : 0;
}

/* Set the interval and p of d->estimate, whose variance is @var, from the deviations @s. */
static void interval(struct boot_diff *d, const struct samples *s, double var, double df,
		     const struct boot_opts *o)
{
	double alpha = 1 - o->confidence, q = student_t(alpha, df);
	double above[BOOT_RESAMPLES];
	size_t nabove = 0, used = 0, most;
	uint64_t state = o->seed;
	unsigned int i;

	for (i = 0; i < o->resamples; i++) {
		double r = resample(s, &state, var);

		if (r < 0)
			continue;
		used++;
		if (r > q)
			above[nabove++] = r;
	}
	/* So many resamples may lie at or beyond the quantile. */
	most = (size_t)(alpha * (used + 1) * (1 + ROUNDING));
	if (nabove > most) {
		qsort(above, nabove, sizeof(*above), order_down);
		q = above[most ? most - 1 : 0];
	}
	d->p = student_p(d->estimate / sqrt(var), df);
	d->low = d->estimate - q * sqrt(var);
	d->high = d->estimate + q * sqrt(var);
	d->significant = d->low > 0 || d->high < 0;
}

static struct boot_opts defaults(const struct boot_opts *opts)
{
	struct boot_opts o = opts ? *opts : (struct boot_opts) { 0 };

	if (!(o.confidence >= 0.5 && o.confidence <= 0.9999))
		o.confidence = BOOT_CONFIDENCE;
	if (!o.resamples || o.resamples > BOOT_RESAMPLES)
		o.resamples = BOOT_RESAMPLES;
	if (!o.seed)
		o.seed = BOOT_SEED;
	return o;
}

/* Complete @d. @size: the largest value; differences far below it come from rounding. */
static void conclude(struct boot_diff *d, const struct samples *s, double var, double df,
		     double size, const struct boot_opts *opts)
{
	struct boot_opts o = defaults(opts);

	if (fabs(d->estimate) <= ROUNDING * size)
		d->estimate = 0;
	d->low = d->high = d->estimate;
	d->p = 1;
	d->interval = d->n >= BOOT_LEAST;
	if (!d->interval)
		return;
	if (sqrt(var) > ROUNDING * size) {
		interval(d, s, var, df, &o);
	} else {
		d->significant = d->estimate != 0;
		d->p = !d->significant;
	}
}

static void deviations(double *v, size_t n, double mean)
{
	size_t i;

	for (i = 0; i < n; i++)
		v[i] -= mean;
}

struct boot_diff boot_paired(const double *a, const double *base, size_t n,
			     const struct boot_opts *opts)
{
	double *d = calloc(n + 1, sizeof(*d)), size = 0;
	struct boot_diff r = { .p = 1 };
	struct samples s = { .v = { d } };
	struct moments m;
	size_t i;

	for (i = 0; d && i < n; i++) {
		if (!isfinite(a[i]) || !isfinite(base[i]))
			continue;
		d[r.n++] = a[i] - base[i];
		size = fmax(size, fmax(fabs(a[i]), fabs(base[i])));
	}
	if (!r.n)
		goto out;
	m = moments(d, r.n);
	r.estimate = m.mean;
	deviations(d, r.n, m.mean);
	s.n[0] = r.n;
	conclude(&r, &s, m.var, r.n - 1, size, opts);
out:
	free(d);
	return r;
}

static size_t only_finite(double *to, const double *v, size_t n, double *size)
{
	size_t i, k = 0;

	for (i = 0; i < n; i++) {
		if (!isfinite(v[i]))
			continue;
		to[k++] = v[i];
		*size = fmax(*size, fabs(v[i]));
	}
	return k;
}

/* Return Welch's degrees of freedom. */
static double welch(const struct moments *x, const struct moments *y)
{
	double sum = x->var + y->var;

	if (!(sum > 0))
		return x->n + y->n - 2;
	return sum * sum / (x->var * x->var / (x->n - 1) + y->var * y->var / (y->n - 1));
}

struct boot_diff boot_unpaired(const double *a, size_t na, const double *base, size_t nb,
			       const struct boot_opts *opts)
{
	double *v = calloc(na + nb + 1, sizeof(*v)), size = 0;
	struct boot_diff r = { .p = 1 };
	struct samples s = { .v = { v, v + na } };
	struct moments x, y;

	if (!v)
		return r;
	s.n[0] = only_finite(v, a, na, &size);
	s.n[1] = only_finite(v + na, base, nb, &size);
	r.n = s.n[0] < s.n[1] ? s.n[0] : s.n[1];
	if (!r.n)
		goto out;
	x = moments(v, s.n[0]);
	y = moments(v + na, s.n[1]);
	r.estimate = x.mean - y.mean;
	deviations(v, s.n[0], x.mean);
	deviations(v + na, s.n[1], y.mean);
	conclude(&r, &s, x.var + y.var, r.n > 1 ? welch(&x, &y) : 1, size, opts);
out:
	free(v);
	return r;
}

static int order_up(const void *a, const void *b)
{
	double x = **(double *const *)a, y = **(double *const *)b;

	return x < y ? -1 : x > y;
}

int boot_holm(double *p, size_t n)
{
	double **by = calloc(n + 1, sizeof(*by)), least = 0;
	size_t i;

	if (!by)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		by[i] = &p[i];
	qsort(by, n, sizeof(*by), order_up);
	for (i = 0; i < n; i++)
		*by[i] = least = fmin(1, fmax(least, *by[i] * (n - i)));
	free(by);
	return 0;
}
