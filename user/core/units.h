/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_CORE_UNITS_H
#define BLKLAT_CORE_UNITS_H

#include <stddef.h>
#include <stdint.h>

/*
 * These functions parse texts to numbers. They return 0, -EINVAL (not such a number) or -ERANGE
 * (too large: does not fit, or above 100 %), and store nothing on failure. Fractions are allowed
 * ("1.5s"), signs are not.
 */
/* Parse "10s", "500ms", "20us", "100ns", "2m", "1h" or "1d" to ns; a bare number is seconds. */
int parse_time(const char *s, uint64_t *ns);
/* Parse "4k", "1M", "2G", "1T" (powers of 1024, also as KiB or kB) or "512" to bytes. */
int parse_size(const char *s, uint64_t *bytes);
/* Parse "1000", "1k" = 1000, "2M" = 2000000: powers of 1000. "0x" begins a hexadecimal number. */
int parse_count(const char *s, uint64_t *n);
/*
 * Parse "10k" I/Os a second, as parse_count() does; or "50MB/s", "50MiB/s" or "50M/s" to bytes a
 * second with RATE_BYTES set, where MB is a power of 1000, M and MiB are powers of 1024.
 */
#define RATE_BYTES	(1ull << 63)
int parse_rate(const char *s, uint64_t *rate);
/* Parse "70" or "70%", from 0 to 100. */
int parse_percent(const char *s, double *pct);

/* Return @part in per cent of @whole; 0 if @whole is 0. */
static inline double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

/*
 * These functions format numbers as texts. Each writes at most @len bytes and returns @buf.
 * FMT_LEN (16) bytes are enough.
 */
#define FMT_LEN 16
char *fmt_time(char *buf, size_t len, double ns);	/* 12.3us, 1.04ms, 950ns */
char *fmt_size(char *buf, size_t len, uint64_t bytes);	/* 4KiB, 1.5GiB */
char *fmt_count(char *buf, size_t len, double n);	/* 950, 12.3k, 1.04M */
char *fmt_bw(char *buf, size_t len, double bytes_per_s);	/* 51.3MB/s, powers of 1000 */

#endif
