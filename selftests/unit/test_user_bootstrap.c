// SPDX-License-Identifier: GPL-2.0
/*
 * This test will count how often confidence intervals of differences are wrong, with several kinds
 * of made noise.
 */
/* needs: host */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "core/bootstrap.h"
#include "random.h"
#include "unit.h"

#define MAX 20
#define ROUNDS 2000
#define MANY 250
#define NR(a) (sizeof(a) / sizeof(*(a)))

/* Fewer resamples than the default do not make an interval more cautious, only quicker. */
static const struct boot_opts quick = { .resamples = 399 };

static double lognormal(void)
{
	return exp(random_normal());
}

/* Student's t with 2 degrees of freedom: the variance is infinite. */
static double heavy(void)
{
	double u = 2 * random_uniform() - 1;

	return u * sqrt(2 / (1 - u * u));
}

/* One visit in ten is disturbed: ten times as much noise, upwards. */
static double disturbed(void)
{
	return random_uniform() < 0.1 ? fabs(10 * random_normal()) : random_normal();
}

/* The noise is rounded to few steps, as percentiles are. */
static double steps(void)
{
	return floor(random_normal() * 1.2 + 0.3);
}

static const struct noise {
	const char *name;
	double (*draw)(void);
	double mean;
} noises[] = {
	{ "normal", random_normal, 0 },
	{ "log-normal", lognormal, 1.6487212707 },
	{ "heavy-tailed", heavy, 0 },
	{ "disturbed", disturbed, 0 },
	{ "stepped", steps, 0 },
};

/* Return the most hits of @n that the rate @part gives in 999 of 1000 cases. */
static double most(double part, size_t n)
{
	return part * n + 3.1 * sqrt(n * part * (1 - part));
}

/*
 * Compare two equal devices in rounds in which the machine differs. Return true if they seem to
 * differ.
 */
static bool same_pairs(const struct noise *k, size_t n)
{
	double a[MAX], b[MAX];
	size_t i;

	for (i = 0; i < n; i++) {
		double round = 1000 + 20 * random_normal();

		a[i] = round + k->draw();
		b[i] = round + k->draw();
	}
	return boot_paired(a, b, n, &quick).significant;
}

static bool same_samples(const struct noise *k, size_t na, size_t nb)
{
	double a[MAX], b[MAX];
	size_t i;

	for (i = 0; i < na; i++)
		a[i] = 1000 + k->draw();
	for (i = 0; i < nb; i++)
		b[i] = 1000 + k->draw();
	return boot_unpaired(a, na, b, nb, &quick).significant;
}

static void nothing_is_nothing(void)
{
	static const size_t sizes[] = { 3, 5, 6, 8, 20 };
	size_t k, i, r;

	for (k = 0; k < NR(noises); k++) {
		double pairs = 0, samples = 0;

		for (i = 0; i < NR(sizes); i++) {
			size_t in_pairs = 0, in_samples = 0;

			for (r = 0; r < ROUNDS; r++) {
				in_pairs += same_pairs(&noises[k], sizes[i]);
				in_samples += same_samples(&noises[k], sizes[i], sizes[i]);
			}
			if (getenv("BOOT_SHOW"))
				printf("# %s %zu: %.2f %% %.2f %%\n", noises[k].name, sizes[i],
				       100.0 * in_pairs / ROUNDS, 100.0 * in_samples / ROUNDS);
			pairs = fmax(pairs, in_pairs);
			samples = fmax(samples, in_samples);
		}
		check(pairs <= most(0.05, ROUNDS),
		      "%s noise, 3 to 20 pairs of the same: at most %.1f %% differ",
		      noises[k].name, 100 * pairs / ROUNDS);
		check(samples <= most(0.05, ROUNDS),
		      "%s noise, two samples of the same: at most %.1f %% differ",
		      noises[k].name, 100 * samples / ROUNDS);
	}
}

/* Return how many of 1000 intervals have the real difference @by. */
static double covered(const struct noise *k, size_t n, double by, bool pairs)
{
	double a[MAX], b[MAX], in = 0;
	size_t i, r;

	for (r = 0; r < ROUNDS; r++) {
		struct boot_diff d;

		for (i = 0; i < n; i++) {
			double round = pairs ? 20 * random_normal() : 0;

			a[i] = 1000 + by + round + k->draw() - k->mean;
			b[i] = 1000 + round + 0.2 * random_normal();
		}
		d = pairs ? boot_paired(a, b, n, &quick) : boot_unpaired(a, n, b, n, &quick);
		in += d.interval && d.low <= by && by <= d.high;
	}
	return 1000 * in / ROUNDS;
}

/*
 * The noise is on one side only, which skews the differences: an interval of few values covers less
 * than its nominal 95 % then.
 */
static void intervals_cover(void)
{
	static const size_t sizes[] = { 5, 6, 8, 12, 20 };
	size_t k, i;

	for (k = 0; k < NR(noises); k++) {
		bool usual = noises[k].draw == random_normal || noises[k].draw == heavy;
		double least = usual ? 935 : 845;
		double pairs = 1000, samples = 1000;

		/* The mean of these two is not 0, and covered() does not take it off. */
		if (noises[k].draw == disturbed || noises[k].draw == steps)
			continue;
		for (i = 0; i < NR(sizes); i++) {
			double p = covered(&noises[k], sizes[i], 3, true);
			double s = covered(&noises[k], sizes[i], 3, false);

			if (getenv("BOOT_SHOW"))
				printf("# %s %zu covers %.0f %.0f\n", noises[k].name, sizes[i], p,
				       s);
			pairs = fmin(pairs, p);
			samples = fmin(samples, s);
		}
		check(pairs >= least,
		      "%s noise on one side, 5 to 20 pairs: at least %.0f of 1000 intervals "
		      "have it", noises[k].name, pairs);
		check(samples >= least,
		      "%s noise on one side, two samples: at least %.0f of 1000 do",
		      noises[k].name, samples);
	}
}

/* Return how often in 1000 a difference of 2 % is found with the right sign and size. */
static double found(size_t n, double noise, bool pairs)
{
	double a[MAX], b[MAX], seen = 0;
	size_t i, r;

	for (r = 0; r < ROUNDS; r++) {
		struct boot_diff d;

		for (i = 0; i < n; i++) {
			double round = pairs ? 1 + 0.05 * random_normal() : 1;

			a[i] = 50000 * 1.02 * round * (1 + noise * random_normal());
			b[i] = 50000 * round * (1 + noise * random_normal());
		}
		d = pairs ? boot_paired(a, b, n, &quick) : boot_unpaired(a, n, b, n, &quick);
		seen += d.significant && d.low > 0 && fabs(d.estimate - 1000) < 600;
	}
	return 1000 * seen / ROUNDS;
}

static void something_is_found(void)
{
	double some = found(6, 0.005, true), usual = found(8, 0.005, true);
	double samples = found(6, 0.005, false), noisy = found(20, 0.02, true);

	check(some >= 850, "2 %% in 6 pairs with noise of 0.5 %%, rounds of 5 %%: %.0f of 1000",
	      some);
	check(usual >= 980, "2 %% in 8 pairs: %.0f of 1000", usual);
	check(samples >= 980, "2 %% in two samples of 6: %.0f of 1000", samples);
	check(noisy >= 700, "2 %% in 20 pairs with noise of 2 %%: %.0f of 1000", noisy);
}

static bool sane(const struct boot_diff *d)
{
	return isfinite(d->estimate) && isfinite(d->low) && isfinite(d->high) &&
	       d->low <= d->estimate && d->estimate <= d->high && d->p >= 0 && d->p <= 1 &&
	       d->significant == (d->interval && (d->low > 0 || d->high < 0));
}

static void exact_values(void)
{
	static const double a[] = { 2404.1, 2404.1, 2404.1, 2404.1 };
	static const double b[] = { 2404, 2404, 2404, 2404 };
	/* 0.1 + 0.2 and 0.3 differ in the last bit. */
	static const double c[] = { 0.1 + 0.2, 0.3, 0.1 + 0.2 }, e[] = { 0.3, 0.3, 0.3 };
	static const double none[] = { 0, 0, 0 };
	struct boot_diff d = boot_paired(a, b, 4, NULL);

	check(sane(&d) && d.significant && d.low == d.high && fabs(d.low - 0.1) < 1e-9 && d.p == 0,
	      "values that repeat exactly: their difference is real, pairs");
	d = boot_unpaired(a, 4, b, 3, NULL);
	check(sane(&d) && d.significant && d.low == d.high && fabs(d.low - 0.1) < 1e-9,
	      "values that repeat exactly: their difference is real, samples");
	d = boot_paired(a, a, 4, NULL);
	check(sane(&d) && d.interval && !d.significant && d.p == 1,
	      "the same values: no difference, pairs");
	d = boot_unpaired(a, 4, a, 4, NULL);
	check(sane(&d) && d.interval && !d.significant && d.p == 1,
	      "the same values: no difference, samples");
	d = boot_paired(c, e, 3, NULL);
	check(sane(&d) && !d.significant, "rounding is no difference, pairs");
	d = boot_unpaired(c, 3, e, 3, NULL);
	check(sane(&d) && !d.significant, "rounding is no difference, samples");
	d = boot_paired(none, none, 3, NULL);
	check(sane(&d) && !d.significant && d.estimate == 0, "zeroes are no difference");
	d = boot_unpaired(a, 4, c, 3, NULL);
	check(sane(&d) && d.significant, "one sample that varies and one that does not");
}

static void few_values(void)
{
	static const double a[] = { 11, 12, NAN, 13, INFINITY }, b[] = { 1, 2, 3, NAN, 4 };
	struct boot_diff d = boot_paired(a, b, 2, NULL);
	size_t n;

	check(sane(&d) && !d.interval && !d.significant && d.n == 2 && d.estimate == 10,
	      "two pairs have a difference and no interval");
	d = boot_paired(a, b, 5, NULL);
	check(sane(&d) && d.n == 2 && d.estimate == 10 && !d.interval,
	      "values that are unknown are left out of pairs");
	d = boot_unpaired(a, 5, b, 5, NULL);
	check(sane(&d) && d.n == 3 && d.interval && fabs(d.estimate - 9.5) < 1e-9,
	      "values that are unknown are left out of samples");
	for (n = 0; n < 2; n++) {
		d = boot_unpaired(a, n, b, 5, NULL);
		if (!sane(&d) || d.interval || d.significant || d.n != n)
			break;
		d = boot_paired(a, b, n, NULL);
		if (!sane(&d) || d.interval || d.significant || d.n != n)
			break;
	}
	check(n == 2, "one and none are no sample");
}

static void repeats(void)
{
	double a[8], b[8];
	struct boot_opts seed = { .seed = 7 }, sure = { .confidence = 0.99 };
	struct boot_diff d, e, f, g;
	size_t i;

	for (i = 0; i < 8; i++) {
		a[i] = 100 + lognormal();
		b[i] = 99 + lognormal();
	}
	d = boot_paired(a, b, 8, NULL);
	e = boot_paired(a, b, 8, NULL);
	f = boot_paired(b, a, 8, NULL);
	check(!memcmp(&d, &e, sizeof(d)), "the same values have the same interval");
	check(fabs(d.low + f.high) < 1e-9 && fabs(d.high + f.low) < 1e-9,
	      "the other way round the interval is mirrored");
	e = boot_paired(a, b, 8, &seed);
	check(fabs((e.high - e.low) / (d.high - d.low) - 1) < 0.2,
	      "another seed makes nearly the same interval");
	g = boot_paired(a, b, 8, &sure);
	check(g.low < d.low && g.high > d.high, "more confidence makes a wider interval");
}

/* Compare with quantiles that every table has: 1, 5, 7, 10 and 30 degrees of freedom. */
static void student(void)
{
	static const struct { double t, df, p; } known[] = {
		{ 12.706205, 1, 0.05 }, { 2.570582, 5, 0.05 }, { 3.499483, 7, 0.01 },
		{ 4.586894, 10, 0.001 }, { 2.042272, 30, 0.05 }, { 1.959966, 1e6, 0.05 },
	};
	size_t i;

	for (i = 0; i < NR(known); i++)
		if (fabs(student_p(known[i].t, known[i].df) / known[i].p - 1) > 1e-4)
			break;
	check(i == NR(known) && student_p(0, 5) == 1 &&
	      student_p(-2.570582, 5) == student_p(2.570582, 5),
	      "Student's t is as in the tables");
	check(student_p(1e6, 3) > 0 && student_p(1e6, 3) < 1e-15, "far out as well");
}

/* Return how often in MANY any of 30 comparisons of equal devices finds a difference. */
static size_t any_of_many(const struct noise *noise, size_t n)
{
	size_t r, i, wrong = 0;

	for (r = 0; r < MANY; r++) {
		double q[30], a[MAX], b[MAX];
		bool significant[NR(q)];
		size_t k, any = 0;

		for (k = 0; k < NR(q); k++) {
			struct boot_diff d;

			for (i = 0; i < n; i++) {
				a[i] = 1000 + noise->draw();
				b[i] = 1000 + noise->draw();
			}
			d = boot_paired(a, b, n, &quick);
			q[k] = d.p;
			significant[k] = d.significant;
		}
		boot_holm(q, NR(q));
		for (k = 0; k < NR(q); k++)
			any += significant[k] && q[k] <= 0.05;
		wrong += any > 0;
	}
	return wrong;
}

static void many_questions(void)
{
	static const double wants[] = { 0.03, 0.06, 0.06, 0.02 };
	double p[] = { 0.01, 0.04, 0.03, 0.005 };
	size_t i, wrong = 0;

	check(boot_holm(p, 4) == 0 && boot_holm(p, 0) == 0, "Holm's correction");
	for (i = 0; i < 4; i++)
		if (fabs(p[i] - wants[i]) > 1e-12)
			break;
	check(i == 4, "Holm's correction is as in the paper: %g %g %g %g", p[0], p[1], p[2], p[3]);
	for (i = 0; i < NR(noises); i++) {
		size_t some = any_of_many(&noises[i], 6), more = any_of_many(&noises[i], 8);

		wrong = some > more ? some : more;
		check(wrong <= most(0.05, MANY),
		      "30 questions about nothing, %s noise: %zu of %d times any is significant",
		      noises[i].name, wrong, MANY);
	}
}

int main(void)
{
	student();
	exact_values();
	few_values();
	repeats();
	many_questions();
	something_is_found();
	intervals_cover();
	nothing_is_nothing();
	return unit_end();
}
