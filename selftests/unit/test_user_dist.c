// SPDX-License-Identifier: GPL-2.0
/*
 * This test will compare distributions that are made of zones, place by place, with probabilities
 * summed up by brute force, and block sizes with those that were asked for. It takes long where
 * software computes with a long double, as on arm64.
 */
/* needs: host timeout=1200 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/dist.h"
#include "core/log.h"
#include "core/opt.h"
#include "unit.h"

static struct blkgen_zone zone[DIST_MAX_ZONES];

static struct dist dist_of(const char *text)
{
	struct dist d;

	if (dist_parse("dist", text, &d)) {
		printf("Bail out! %s is not parsed\n", text);
		exit(1);
	}
	return d;
}

/*
 * Return true if the zones are in order, do not overlap and stay inside the device, and the sum of
 * their weights is one that the module's tables take.
 */
static bool sound(int n, uint64_t places, const char *what)
{
	uint64_t sum = 0, at = 0;
	int i;

	for (i = 0; i < n; i++) {
		if (zone[i].first < at || !zone[i].count || zone[i].reserved || !zone[i].weight ||
		    zone[i].first >= places || zone[i].count > places - zone[i].first) {
			printf("# %s: zone %d: %llu + %llu\n", what, i,
			       (unsigned long long)zone[i].first,
			       (unsigned long long)zone[i].count);
			return false;
		}
		at = zone[i].first + zone[i].count;
		sum += zone[i].weight;
	}
	if (n >= DIST_MAX_ZONES - 2)
		printf("# %s: %d zones\n", what, n);
	if (n < 1 || fabs((double)sum / (1 << 30) - 1) > 1e-5) {
		printf("# %s: %d zones, weights sum up to %llu\n", what, n,
		       (unsigned long long)sum);
		return false;
	}
	return true;
}

/* Return the probability of each place, not normalised. */
static double *pmf_of(const struct dist *d, uint64_t n)
{
	long double pow_h = logl(d->param) / logl(1 - d->param), sigma = n * d->param / 100.0L;
	double *p = malloc(n * sizeof(*p));
	uint64_t i;

	for (i = 0; i < n; i++) {
		if (d->kind == DIST_UNIFORM)
			p[i] = 1;
		else if (d->kind == DIST_ZIPF)
			p[i] = powl(i + 1, -(long double)d->param);
		else if (d->kind == DIST_PARETO)
			p[i] = powl((long double)(i + 1) / n, 1 / pow_h) -
			       powl((long double)i / n, 1 / pow_h);
		else {
			/* erfcl() is exact where it is small: use the tail on this side. */
			long double a = (i - n / 2.0L) / sigma, b = (i + 1 - n / 2.0L) / sigma;

			p[i] = a > 0 ? erfcl(a * sqrtl(0.5)) - erfcl(b * sqrtl(0.5)) :
				       erfcl(-b * sqrtl(0.5)) - erfcl(-a * sqrtl(0.5));
		}
	}
	return p;
}

/*
 * Return true if the probability of each place is within 2 % of the right one, where a zone is
 * drawn once in 10^6 times or more, and the sum up to the end of each zone is within 10^-6.
 */
static bool matches(const char *text, uint64_t n)
{
	struct dist d = dist_of(text);
	double *p = pmf_of(&d, n), all = 0, weights = 0, want = 0, got = 0, off, worst = 0, cdf = 0;
	int nz = dist_zones(&d, n, zone, NULL), i;
	uint64_t k, at = 0;
	bool ok;

	for (k = n; k-- > 0;)
		all += p[k];
	ok = sound(nz, n, text);
	for (i = 0; i < nz; i++)
		weights += zone[i].weight;
	for (i = 0; i < nz && ok; i++) {
		double each = zone[i].weight / weights / zone[i].count, in = 0;

		for (; at < zone[i].first; at++)
			want += p[at] / all;
		for (; at < zone[i].first + zone[i].count; at++) {
			in += p[at] / all;
			off = fabs(each / (p[at] / all) - 1);
			if (zone[i].weight > 2000 && off > worst)
				worst = off;
		}
		want += in;
		got += zone[i].weight / weights;
		cdf = fmax(cdf, fabs(want - got));
	}
	ok &= worst < 0.02 && cdf < 1e-6;
	if (!ok)
		printf("# %s of %llu places: %d zones, a place is off by %.3g %%, "
		       "the sum by %.2g\n", text, (unsigned long long)n, nz, worst * 100, cdf);
	free(p);
	return ok;
}

static void test_places(void)
{
	static const char *const names[] = {
		"uniform", "zipf:0.01", "zipf:0.5", "zipf:0.99", "zipf:1", "zipf:1.0000001",
		"zipf:1.2", "zipf:2", "zipf:3.5", "zipf:20",
		"pareto:0.05", "pareto:0.2", "pareto:0.45", "pareto:0.5", "pareto:0.6",
		"pareto:0.9", "pareto:0.99", "normal:0.01", "normal:1", "normal:10", "normal:99"
	};
	static const uint64_t sizes[] = { 1, 2, 3, 7, 100, 1023, 65536, 100003 };
	unsigned int i, j;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		bool ok = true;

		for (j = 0; j < sizeof(sizes) / sizeof(*sizes); j++)
			ok &= matches(names[i], sizes[j]);
		check(ok, "%s: each place is as likely as it should be", names[i]);
	}
}

/*
 * Return the sum of k^-theta up to @n: add up the first 10^5 one by one, and the rest by the
 * formula of Euler and Maclaurin.
 */
static long double zipf_upto(uint64_t n, long double theta)
{
	const uint64_t m = 100000;
	long double sum = 0, e = 1 - theta;
	uint64_t k;

	for (k = n < m ? n : m; k; k--)
		sum += powl(k, -theta);
	if (n <= m)
		return sum;
	sum += fabsl(e) < 1e-9 ? logl((long double)n / m) : (powl(n, e) - powl(m, e)) / e;
	return sum + (powl(n, -theta) - powl(m, -theta)) / 2;
}

/* Return the part of the draws that are below @place. */
static double below(int nz, uint64_t place)
{
	double part = 0, all = 0;
	int i;

	for (i = 0; i < nz; i++) {
		all += zone[i].weight;
		if (zone[i].first >= place)
			continue;
		part += place - zone[i].first >= zone[i].count ? zone[i].weight :
			(double)zone[i].weight * (place - zone[i].first) / zone[i].count;
	}
	return part / all;
}

/* These devices have too many places for a pmf: compare the sums up to some places. */
static void test_huge(void)
{
	static const double thetas[] = { 0.3, 0.9, 1, 1.2, 1.5, 2.5 };
	static const uint64_t sizes[] = { 1ull << 28, (1ull << 40) + 12345, 1ull << 53 };
	unsigned int i, s;
	bool ok = true;
	int most = 0;
	char text[40];

	for (i = 0; i < sizeof(thetas) / sizeof(*thetas); i++) {
		for (s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
			long double all = zipf_upto(sizes[s], thetas[i]);
			struct dist d;
			uint64_t k;
			int nz;

			snprintf(text, sizeof(text), "zipf:%g", thetas[i]);
			d = dist_of(text);
			nz = dist_zones(&d, sizes[s], zone, NULL);
			most = nz > most ? nz : most;
			ok &= sound(nz, sizes[s], text);
			for (k = 1; k < sizes[s]; k *= 10) {
				double want = zipf_upto(k, thetas[i]) / all, got = below(nz, k);

				/* Inside a zone a straight line stands for the curve. */
				if (fabs(got - want) > 1e-6 + 1.2e-4 * want) {
					printf("# %s of %llu: up to %llu %.9g, should be %.9g\n",
					       text, (unsigned long long)sizes[s],
					       (unsigned long long)k, got, want);
					ok = false;
				}
			}
		}
	}
	check(ok, "zipf over huge devices has the parts it should have");
	for (ok = true, i = 1; i < 1000; i += 7) {
		struct dist d;
		uint64_t n = 1ull << 53;
		int nz;

		snprintf(text, sizeof(text), "zipf:%g", i / 50.0);
		d = dist_of(text);
		nz = dist_zones(&d, n, zone, NULL);
		ok &= sound(nz, n, text);
		most = nz > most ? nz : most;
		snprintf(text, sizeof(text), "pareto:%g", i / 1000.0);
		d = dist_of(text);
		nz = dist_zones(&d, n, zone, NULL);
		ok &= sound(nz, n, text);
		most = nz > most ? nz : most;
		snprintf(text, sizeof(text), "normal:%g", i / 10.1);
		d = dist_of(text);
		nz = dist_zones(&d, n, zone, NULL);
		ok &= sound(nz, n, text);
		most = nz > most ? nz : most;
	}
	printf("# at most %d zones\n", most);
	check(ok && most < DIST_MAX_ZONES - 2,
	      "any parameter makes a sound table that is not full");
}

static void test_zones(void)
{
	struct dist d = dist_of("zones:60/10:30/20:0/5:8/30:2/35");
	static const unsigned int first[] = { 0, 100, 350, 650 }, count[] = { 100, 200, 300, 350 };
	static const double part[] = { 60, 30, 8, 2 };
	unsigned int empty = 99;
	int n = dist_zones(&d, 1000, zone, &empty), i;
	bool ok = n == 4 && sound(n, 1000, "zones");

	for (i = 0; i < n && ok; i++)
		ok &= zone[i].first == first[i] && zone[i].count == count[i] &&
		      fabs(zone[i].weight / (double)(1 << 30) * 100 - part[i]) < 1e-6;
	check(ok, "zones have their parts of the range and of the I/Os");
	d = dist_of("zones:60/0.1:40/99.9");
	check(dist_zones(&d, 400, zone, &empty) == -ENOSPC && !empty,
	      "a zone without a place is found");
	d = dist_of("zones:60/10:30:10");
	check(d.zone[1].percent == 45 && d.zone[2].percent == 45,
	      "zones share what is left of the range");
	d = dist_of("once");
	check(!dist_zones(&d, 1000, zone, &empty), "once draws nothing");
	d = dist_of("zipf:1.2");
	ok = dist_scatters(&d);
	d = dist_of("normal:10");
	check(ok && !dist_scatters(&d), "zipf is scattered, normal is not");
}

/* Return the message that parsing @s prints to stderr; "" if nothing is wrong. */
static const char *complaint(opt_parse_fn parse, const char *s, void *dst)
{
	static char text[500];
	int save = dup(2), p[2], ret;
	ssize_t n;

	if (pipe(p))
		exit(1);
	dup2(p[1], 2);
	close(p[1]);
	ret = parse("x", s, dst);
	fflush(stderr);
	dup2(save, 2);
	close(save);
	n = read(p[0], text, sizeof(text) - 1);
	close(p[0]);
	text[n > 0 ? n : 0] = 0;
	return ret == (*text ? -EUSAGE : 0) ? text : "status and message differ";
}

static void test_refused(void)
{
	static const struct {
		opt_parse_fn parse;
		const char *text, *says;
	} bad[] = {
		{ dist_parse, "", "is none of once|" },
		{ dist_parse, "zip", "is none of once|" },
		{ dist_parse, "uniform:1", "'uniform' takes no number" },
		{ dist_parse, "once:", "'once' takes no number" },
		{ dist_parse, "zipf", "needs an exponent above 0" },
		{ dist_parse, "zipf:", "needs an exponent above 0" },
		{ dist_parse, "zipf:0", "needs an exponent above 0" },
		{ dist_parse, "zipf:-1", "needs an exponent above 0" },
		{ dist_parse, "zipf:1x", "needs an exponent above 0" },
		{ dist_parse, "zipf:nan", "needs an exponent above 0" },
		{ dist_parse, "zipf:1e400", "needs an exponent above 0" },
		{ dist_parse, "pareto:0", "between 0 and 1" },
		{ dist_parse, "pareto:1", "between 0 and 1" },
		{ dist_parse, "normal:0", "a deviation in per cent" },
		{ dist_parse, "normal:100", "a deviation in per cent" },
		{ dist_parse, "zones", "is not a pair such as 60/40" },
		{ dist_parse, "zones:60/40", "sum to 40, not to 100" },
		{ dist_parse, "zones:60/40:30/60",
		  "of I/Os in 'zones:60/40:30/60' sum to 90, not to 100" },
		{ dist_parse, "zones:60/40:40/50", "sum to 90, not to 100" },
		{ dist_parse, "zones:60/40:40/70", "sum to 110, not to 100" },
		{ dist_parse, "zones:60/40:x/60", "'x/60' in '60/40:x/60' is not a pair" },
		{ dist_parse, "zones:60/40:101/60", "is out of range" },
		{ io_sizes_parse, "", "is not a size such as 4k" },
		{ io_sizes_parse, "4k-", "is not a size such as 4k" },
		{ io_sizes_parse, "-4k", "is not a size such as 4k" },
		{ io_sizes_parse, "4k-8k-16k", "is not a size such as 4k" },
		{ io_sizes_parse, "8k-4k", "the smaller size must come first in '8k-4k'" },
		{ io_sizes_parse, "511", "is not within 512B to 1GiB" },
		{ io_sizes_parse, "0-4k", "is not within 512B to 1GiB" },
		{ io_split_parse, "4k/60", "sum to 60, not to 100" },
		{ io_split_parse, "4k/60:8k/50", "sum to 110, not to 100" },
		{ io_split_parse, "4k/60:8k/50:16k", "sum to 110, not to 100" },
		{ io_split_parse, "4k/60:/40", "'/40' in '4k/60:/40' is not a pair" },
		{ io_split_parse, "4k/60,8k/40", "is not a pair" },
		{ io_split_parse, "1/60:8k/40", "'1/60' in '1/60:8k/40' is out of range" },
	};
	union {
		struct dist d;
		struct io_sizes s;
	} dst;
	unsigned int i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		const char *said = complaint(bad[i].parse, bad[i].text, &dst);

		if (!check(strstr(said, bad[i].says) &&
			   strchr(said, '\n') == said + strlen(said) - 1,
			   "'%s' is refused in a line", bad[i].text))
			printf("# %s", said);
	}
}

static void test_sizes(void)
{
	static struct blkgen_size t[BLKGEN_MAX_TABLE];
	struct io_sizes s = { 0 };
	unsigned int n, i;
	bool ok;

	io_sizes_parse("bs", "8k", &s);
	check(s.min == 8192 && s.max == 8192 && !io_sizes_differ(&s) && !io_sizes_table(&s, 0, t),
	      "one size is no table");
	io_sizes_parse("bs", "4k-64k", &s);
	n = io_sizes_table(&s, 0, t);
	for (ok = n == 16, i = 0; i < n; i++)
		ok &= t[i].bytes == (i + 1) * 4096 && t[i].weight == 1;
	check(ok && !io_sizes_odd(&s, 0), "a range has all multiples of its smallest size");
	n = io_sizes_table(&s, 512, t);
	for (ok = n == 121, i = 0; i < n; i++)
		ok &= t[i].bytes == 4096 + i * 512 && t[i].weight == 1;
	check(ok && !io_sizes_odd(&s, 512), "a range has all multiples of the alignment");
	check(io_sizes_odd(&s, 3072) == 4096 && io_sizes_table(&s, 1 << 20, t) == 16,
	      "an alignment that does not fit is found, or is ignored if larger");
	io_sizes_parse("bs", "6k-64k", &s);
	check(io_sizes_odd(&s, 0) == 65536 && !io_sizes_odd(&s, 2048),
	      "a size that is no multiple is found");
	io_sizes_parse("bs", "512-1M", &s);
	check(io_sizes_table(&s, 0, t) == 2048 && t[2047].bytes == 1 << 20,
	      "the widest range fits");
	io_split_parse("bssplit", "4k/60:64k/39.5:1k/0.5", &s);
	n = io_sizes_table(&s, 0, t);
	check(n == 3 && s.min == 1024 && s.max == 65536 && t[0].bytes == 4096 &&
	      t[0].weight == 60000000 && t[1].weight == 39500000 &&
	      t[2].bytes == 1024 && t[2].weight == 500000,
	      "a split has its weights");
	io_split_parse("bssplit", "4k/50:8k/:16k", &s);
	check(io_sizes_table(&s, 0, t) == 3 && t[1].weight == 25000000 && t[2].weight == 25000000,
	      "what is left of 100 is shared");
	io_sizes_parse("bs", "8k", &s);
	check(!io_sizes_differ(&s) && !s.nsplit, "the last option counts");
	io_split_parse("bssplit", "4k:4k", &s);
	check(!io_sizes_differ(&s), "a split into the same is none");
}

int main(void)
{
	printf("KTAP version 1\n");
	log_init("test");
	test_places();
	test_huge();
	test_zones();
	test_refused();
	test_sizes();
	return unit_end();
}
