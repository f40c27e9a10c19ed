// SPDX-License-Identifier: GPL-2.0
/* This test will parse good and bad numbers with units, and print such numbers. */
/* needs: host */
#include <errno.h>
#include <string.h>
#include "core/units.h"
#include "unit.h"

struct sample {
	const char *text;
	int ret;
	uint64_t value;
};

static const struct sample times[] = {
	{ "10s", 0, 10000000000 }, { "10", 0, 10000000000 }, { "500ms", 0, 500000000 },
	{ "20us", 0, 20000 }, { "7ns", 0, 7 }, { "2m", 0, 120000000000 }, { "0", 0, 0 },
	{ "1h", 0, 3600000000000 }, { "1.5s", 0, 1500000000 }, { "0.5us", 0, 500 },
	{ "", -EINVAL }, { "s", -EINVAL }, { "-1s", -EINVAL }, { "1x", -EINVAL },
	{ "1.", -EINVAL }, { "1..2s", -EINVAL }, { "1 s", -EINVAL }, { "1e3", -EINVAL },
	{ "inf", -EINVAL }, { "0.5ns", -EINVAL }, { "99999999999999s", -ERANGE },
};

static const struct sample sizes[] = {
	{ "512", 0, 512 }, { "4k", 0, 4096 }, { "4K", 0, 4096 }, { "4KiB", 0, 4096 },
	{ "1M", 0, 1 << 20 }, { "1.5k", 0, 1536 }, { "2G", 0, 2ull << 30 }, { "1T", 0, 1ull << 40 },
	{ "18446744073709551615", 0, UINT64_MAX }, { "9007199254740993", 0, 9007199254740993 },
	{ "18446744073709551616", -ERANGE }, { "17179869184G", -ERANGE }, { "1.5", -EINVAL },
	{ "k", -EINVAL }, { "4kk", -EINVAL }, { "+4k", -EINVAL }, { " 4k", -EINVAL },
};

static const struct sample counts[] = {
	{ "64", 0, 64 }, { "10k", 0, 10000 }, { "2M", 0, 2000000 }, { "0x1f", 0, 31 },
	{ "0x", -EINVAL }, { "0x-1", -EINVAL }, { "64s", -EINVAL }, { "1.5k", 0, 1500 },
	{ "0x10000000000000000", -ERANGE }, { "1T", 0, 1000000000000 },
};

static const struct sample rates[] = {
	{ "10k", 0, 10000 }, { "50MB/s", 0, RATE_BYTES | 50000000 },
	{ "1TB/s", 0, RATE_BYTES | 1000000000000 }, { "50MiB/s", 0, RATE_BYTES | 50 << 20 },
	{ "50M/s", 0, RATE_BYTES | 50 << 20 }, { "1XB/s", -EINVAL }, { "/s", -EINVAL },
};

static void try(const char *what, int (*parse)(const char *, uint64_t *),
		const struct sample *s, size_t n)
{
	for (; n--; s++) {
		uint64_t v = 42;
		int ret = parse(s->text, &v);

		check(ret == s->ret && v == (ret ? 42 : s->value), "%s '%s' is %d, %llu", what,
		      s->text, ret, (unsigned long long)v);
	}
}
#define TRY(parse, a)	try(#parse, parse, a, sizeof(a) / sizeof(*(a)))

static void try_percent(const char *text, int want, double value)
{
	double v = -1;
	int ret = parse_percent(text, &v);

	check(ret == want && v == (ret ? -1 : value), "percent '%s' is %d, %g", text, ret, v);
}

static void try_fmt(char *(*fmt)(char *, size_t, double), double v, const char *want)
{
	char buf[FMT_LEN];

	fmt(buf, sizeof(buf), v);
	check(!strcmp(buf, want), "%.12g reads '%s'", v, buf);
}

int main(void)
{
	char buf[FMT_LEN];

	TRY(parse_time, times);
	TRY(parse_size, sizes);
	TRY(parse_count, counts);
	TRY(parse_rate, rates);
	try_percent("70", 0, 70);
	try_percent("0.5%", 0, 0.5);
	try_percent("101", -ERANGE, 0);
	try_percent("-1", -EINVAL, 0);
	try_percent("", -EINVAL, 0);
	try_percent("1.2.3", -EINVAL, 0);
	try_fmt(fmt_time, 0, "0ns");
	try_fmt(fmt_time, 999, "999ns");
	try_fmt(fmt_time, 999.6, "1.00us");
	try_fmt(fmt_time, -456.78, "-457ns");
	try_fmt(fmt_time, 12345, "12.3us");
	try_fmt(fmt_time, 999999, "1.00ms");
	try_fmt(fmt_time, 123456789, "123ms");
	try_fmt(fmt_time, 4e12, "4000s");
	try_fmt(fmt_count, 950, "950");
	try_fmt(fmt_count, 999999, "1.00M");
	try_fmt(fmt_bw, 51300000, "51.3MB/s");
	check(!strcmp(fmt_size(buf, sizeof(buf), 4096), "4KiB"), "4096 is %s", buf);
	check(!strcmp(fmt_size(buf, sizeof(buf), 1536), "1.50KiB"), "1536 is %s", buf);
	return unit_end();
}
