/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_UNITS_H
#define BLKLAT_CORE_UNITS_H

#include <stddef.h>
#include <stdint.h>

/*
 * These functions parse texts to numbers. They store nothing on failure. Fractions are allowed
 * ("1.5s"), signs are not.
 */

/**
 * parse_time() - parse a time
 * @s: "10s", "500ms", "20us", "100ns", "2m", "1h" or "1d"; a bare number is seconds
 * @ns: set to the time in ns
 *
 * Return: 0, -EINVAL (not such a number) or -ERANGE (does not fit into 64 bits); not reported.
 */
int parse_time(const char *s, uint64_t *ns);

/**
 * parse_size() - parse a size
 * @s: "512", "4k", "1M", "2G" or "1T" (powers of 1024, also as KiB or kB)
 * @bytes: set to the size in bytes
 *
 * Return: as parse_time().
 */
int parse_size(const char *s, uint64_t *bytes);

/**
 * parse_count() - parse a number
 * @s: "1000", "1k" = 1000, "2M" = 2000000: powers of 1000; "0x" begins a hexadecimal number
 * @n: set to the number
 *
 * Return: as parse_time().
 */
int parse_count(const char *s, uint64_t *n);

#define RATE_BYTES	(1ull << 63)	/* a bit of a rate: the rate is in bytes, not in I/Os */

/**
 * parse_rate() - parse a rate
 * @s: "10k" for I/Os a second, as in parse_count(); "50MB/s", "50MiB/s" or "50M/s" for bytes a
 *	second, where MB is a power of 1000, M and MiB are powers of 1024
 * @rate: set to the rate per second; RATE_BYTES is set in a rate of bytes
 *
 * Return: 0, -EINVAL (not such a rate) or -ERANGE (does not fit into 63 bits); not reported.
 */
int parse_rate(const char *s, uint64_t *rate);

/**
 * parse_percent() - parse a percentage
 * @s: "70" or "70%"
 * @pct: set to the percentage, 0 to 100
 *
 * Return: 0, -EINVAL (not such a number) or -ERANGE (above 100); not reported.
 */
int parse_percent(const char *s, double *pct);

/**
 * percent() - express a part in per cent
 * @part: the part
 * @whole: the number that is 100 %
 *
 * Return: @part in per cent of @whole; 0 if @whole is not above 0.
 */
static inline double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

#define FMT_LEN 16	/* bytes that are enough for the text of each fmt_*() */

/**
 * fmt_time() - format a time as a text: 12.3us, 1.04ms, 950ns
 * @buf: set to the text
 * @len: bytes of @buf; FMT_LEN are enough
 * @ns: the time in ns
 *
 * Return: @buf.
 */
char *fmt_time(char *buf, size_t len, double ns);

/**
 * fmt_size() - format a size as a text: 4KiB, 1.5GiB
 * @buf: set to the text
 * @len: bytes of @buf; FMT_LEN are enough
 * @bytes: the size in bytes
 *
 * Return: @buf.
 */
char *fmt_size(char *buf, size_t len, uint64_t bytes);

/**
 * fmt_count() - format a number as a text: 950, 12.3k, 1.04M
 * @buf: set to the text
 * @len: bytes of @buf; FMT_LEN are enough
 * @n: the number
 *
 * Return: @buf.
 */
char *fmt_count(char *buf, size_t len, double n);

/**
 * fmt_bw() - format a bandwidth as a text: 51.3MB/s, powers of 1000
 * @buf: set to the text
 * @len: bytes of @buf; FMT_LEN are enough
 * @bytes_per_s: the bandwidth in bytes a second
 *
 * Return: @buf.
 */
char *fmt_bw(char *buf, size_t len, double bytes_per_s);

#endif
