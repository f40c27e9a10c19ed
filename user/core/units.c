// SPDX-License-Identifier: GPL-2.0
/* Parse and format numbers with units. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "core/units.h"

struct unit {
	const char *suffix;
	double factor;
	uint64_t whole;
};

static const struct unit time_units[] = {
	{ "", 1e9, 1000000000 },
	{ "ns", 1, 1 },
	{ "us", 1e3, 1000 },
	{ "ms", 1e6, 1000000 },
	{ "s", 1e9, 1000000000 },
	{ "m", 6e10, 60000000000 },
	{ "min", 6e10, 60000000000 },
	{ "h", 3.6e12, 3600000000000 },
	{ "d", 8.64e13, 86400000000000 },
	{ NULL, 0, 0 }
};

#define SZ(n)	(double)(1ull << (n)), (1ull << (n))
static const struct unit size_units[] = {
	{ "", 1, 1 }, { "b", 1, 1 },
	{ "k", SZ(10) }, { "kb", SZ(10) }, { "kib", SZ(10) },
	{ "m", SZ(20) }, { "mb", SZ(20) }, { "mib", SZ(20) },
	{ "g", SZ(30) }, { "gb", SZ(30) }, { "gib", SZ(30) },
	{ "t", SZ(40) }, { "tb", SZ(40) }, { "tib", SZ(40) },
	{ "p", SZ(50) }, { "pb", SZ(50) }, { "pib", SZ(50) },
	{ NULL, 0, 0 }
};

static const struct unit count_units[] = {
	{ "", 1, 1 },
	{ "k", 1e3, 1000 },
	{ "m", 1e6, 1000000 },
	{ "g", 1e9, 1000000000 },
	{ "t", 1e12, 1000000000000 },
	{ NULL, 0, 0 }
};

/*
 * Parse whole numbers as integers: a double would lose bits of a large sector count. Accept only
 * digits and one dot: strtod() alone would also accept "inf", "1e9" and signs.
 */
static int parse_units(const char *s, const struct unit *u, uint64_t *out)
{
	size_t digits = strspn(s, "0123456789");
	size_t len = digits;
	uint64_t whole;
	double v;

	if (s[len] == '.')
		len += 1 + strspn(s + len + 1, "0123456789");
	if (!digits || s[len - 1] == '.')
		return -EINVAL;
	while (u->suffix && strcasecmp(u->suffix, s + len))
		u++;
	if (!u->suffix)
		return -EINVAL;
	if (len == digits) {
		errno = 0;
		whole = strtoull(s, NULL, 10);
		if (errno || __builtin_mul_overflow(whole, u->whole, &whole))
			return -ERANGE;
		*out = whole;
		return 0;
	}
	v = strtod(s, NULL) * u->factor;
	if (v >= 18446744073709551616.0)
		return -ERANGE;
	/* "1.5" of a unit that has no parts (bytes, I/Os, ns) is a mistake, "1.5k" is not. */
	if (u->factor == 1 && v != floor(v))
		return -EINVAL;
	*out = (uint64_t)(v + 0.5);
	return 0;
}

int parse_time(const char *s, uint64_t *ns)
{
	return parse_units(s, time_units, ns);
}

int parse_size(const char *s, uint64_t *bytes)
{
	return parse_units(s, size_units, bytes);
}

int parse_count(const char *s, uint64_t *n)
{
	char *end;

	if (!strncasecmp(s, "0x", 2)) {
		uint64_t v;

		errno = 0;
		v = strtoull(s + 2, &end, 16);
		if (*end || !s[2] || strspn(s + 2, "0123456789abcdefABCDEF") != strlen(s + 2))
			return -EINVAL;
		if (errno)
			return -ERANGE;
		*n = v;
		return 0;
	}
	return parse_units(s, count_units, n);
}

int parse_rate(const char *s, uint64_t *rate)
{
	size_t len = strlen(s), n = strspn(s, "0123456789.");
	char number[40];
	uint64_t v;
	int ret;

	if (len < 3 || strcmp(s + len - 2, "/s"))
		ret = parse_count(s, &v);
	else if (len - 2 >= sizeof(number))
		ret = -EINVAL;
	else {
		snprintf(number, sizeof(number), "%.*s", (int)(len - 2), s);
		/* kB, MB, GB and TB are decimal here; in parse_size() they are binary. */
		if (len - 2 == n + 2 && strchr("kMGT", s[n]) && s[n + 1] == 'B') {
			number[n + 1] = 0;
			ret = parse_count(number, &v);
		} else {
			ret = parse_size(number, &v);
		}
	}
	if (ret)
		return ret;
	if (v & RATE_BYTES)
		return -ERANGE;
	*rate = len > 2 && !strcmp(s + len - 2, "/s") ? v | RATE_BYTES : v;
	return 0;
}

int parse_percent(const char *s, double *pct)
{
	size_t len = strspn(s, "0123456789.");
	char *end;
	double v;

	if (!len || (s[len] && strcmp(s + len, "%")))
		return -EINVAL;
	v = strtod(s, &end);
	if (end != s + len)
		return -EINVAL;
	if (v > 100)
		return -ERANGE;
	*pct = v;
	return 0;
}

/* Return the decimals of a number with three digits: "9.99", "12.3", "456". */
static int digits_for(double v)
{
	v = fabs(v);
	return v >= 99.95 ? 0 : v >= 9.995 ? 1 : 2;
}

static char *fmt_scaled(char *buf, size_t len, double v, double step,
			const char *const *names, int n)
{
	int i = 0;

	/* Subtract 0.5: without it, 999.6 would be printed as 1000 of the smaller unit. */
	while (i < n - 1 && fabs(v) >= step - 0.5) {
		v /= step;
		i++;
	}
	if (v == floor(v) && (i == 0 || step == 1024))
		snprintf(buf, len, "%.0f%s", v, names[i]);
	else
		snprintf(buf, len, "%.*f%s", digits_for(v), v, names[i]);
	return buf;
}

char *fmt_time(char *buf, size_t len, double ns)
{
	static const char *const names[] = { "ns", "us", "ms", "s" };

	return fmt_scaled(buf, len, ns, 1000, names, 4);
}

char *fmt_size(char *buf, size_t len, uint64_t bytes)
{
	static const char *const names[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };

	return fmt_scaled(buf, len, bytes, 1024, names, 7);
}

char *fmt_count(char *buf, size_t len, double n)
{
	static const char *const names[] = { "", "k", "M", "G" };

	return fmt_scaled(buf, len, n, 1000, names, 4);
}

char *fmt_bw(char *buf, size_t len, double v)
{
	static const char *const names[] = { "B/s", "kB/s", "MB/s", "GB/s", "TB/s" };

	return fmt_scaled(buf, len, v, 1000, names, 5);
}
