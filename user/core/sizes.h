/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_CORE_SIZES_H
#define BLKGEN_CORE_SIZES_H

#include <stddef.h>
#include <stdint.h>
#include "uapi/blkgen.h"

#define IO_SPLIT_MAX	64

/* A value and its part of 100. */
struct io_part {
	double value, percent;
};

/*
 * How large I/Os are: all of @max bytes, of @min to @max as likely, or a split. The
 * options that say it have the same place, so the last one counts.
 */
struct io_sizes {
	uint64_t max, min;
	unsigned int nsplit;		/* 0: no split */
	struct io_part split[IO_SPLIT_MAX];
	const char *text;		/* as it was given */
};

/*
 * opt_parse_fn of "4k", or "4k-64k", and of "4k/60:64k/40"; @dst is a struct io_sizes.
 * Return: 0 or -EUSAGE, reported.
 */
int io_sizes_parse(const char *opt, const char *s, void *dst);
int io_split_parse(const char *opt, const char *s, void *dst);

/**
 * io_parts_parse() - read "A/B:A/B...", B being percentages that make up 100
 * @value: reads an A; 0 or -errno
 * @n: set to how many there were
 * Where B is left out, the rest of 100 is shared evenly.
 * Return: 0 or -EUSAGE, reported.
 */
int io_parts_parse(const char *opt, const char *s, int (*value)(const char *s, double *v),
		   struct io_part *part, unsigned int *n);

/* Whether there is more than one size. */
int io_sizes_differ(const struct io_sizes *s);

/**
 * io_sizes_table() - the sizes with their weights
 * @align: 0, or a divisor of the sizes in between
 * @t: room for BLKGEN_MAX_TABLE
 * Return: entries; 0 if there is one size only.
 */
unsigned int io_sizes_table(const struct io_sizes *s, uint64_t align, struct blkgen_size *t);

/* What of a range is no multiple of that by which its sizes grow; 0: nothing. */
uint64_t io_sizes_odd(const struct io_sizes *s, uint64_t align);

#endif
