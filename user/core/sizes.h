/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_CORE_SIZES_H
#define BLKGEN_CORE_SIZES_H

#include <stddef.h>
#include <stdint.h>
#include "uapi/blkgen.h"

#define IO_SPLIT_MAX	64

struct io_part {
	double value, percent;
};

/*
 * The sizes of I/Os, in bytes, are all @max, or any of @min to @max with the same chance, or a
 * weighted split. All options that set sizes store into the same struct, so the last option counts.
 */
struct io_sizes {
	uint64_t max, min;
	unsigned int nsplit;		/* 0: no split */
	struct io_part split[IO_SPLIT_MAX];
	const char *text;		/* as the user gave it */
};

/**
 * io_sizes_parse() - parse one size or a range of sizes; this is an opt_parse_fn
 * @opt: name of the option, for messages
 * @s: "4k" or "4k-64k", 512 bytes to 1 GiB; it must live as long as @dst, which points to it
 * @dst: struct io_sizes that is set; unchanged on failure
 *
 * Return: 0 or -EUSAGE, reported.
 */
int io_sizes_parse(const char *opt, const char *s, void *dst);

/**
 * io_split_parse() - parse sizes with their percentages; this is an opt_parse_fn
 * @opt: name of the option, for messages
 * @s: "4k/60:64k/40", with sizes as for io_sizes_parse(); it must live as long as @dst
 * @dst: struct io_sizes that is set; unchanged on failure
 *
 * Return: 0 or -EUSAGE, reported.
 */
int io_split_parse(const char *opt, const char *s, void *dst);

/**
 * io_parts_parse() - parse "A/B:A/B...", where the B are percentages that add up to 100
 * @opt: name of the option, for messages
 * @s: the text
 * @value: parses an A; returns 0, -ERANGE (outside of its limits) or another -errno
 * @part: room for IO_SPLIT_MAX
 * @n: set to the number of pairs
 *
 * Pairs without B share the rest of 100 evenly.
 * Return: 0 or -EUSAGE, reported.
 */
int io_parts_parse(const char *opt, const char *s, int (*value)(const char *s, double *v),
		   struct io_part *part, unsigned int *n);

/**
 * io_sizes_differ() - tell if the I/Os have different sizes
 * @s: the sizes
 *
 * Return: 1 if there is more than one size, else 0.
 */
int io_sizes_differ(const struct io_sizes *s);

/**
 * io_sizes_table() - make a table of the sizes with their weights
 * @s: the sizes
 * @align: the sizes of a range grow by this if it is below the smallest size; 0: no alignment
 * @t: room for BLKGEN_MAX_TABLE
 * Return: number of entries; 0 if there is only one size.
 */
unsigned int io_sizes_table(const struct io_sizes *s, uint64_t align, struct blkgen_size *t);

/**
 * io_sizes_odd() - find the bound of a range that does not fit the step between its sizes
 * @s: the sizes
 * @align: bytes, as for io_sizes_table()
 *
 * Return: the bound in bytes that is no multiple of the step; 0 if both bounds are, or @s is no
 * range.
 */
uint64_t io_sizes_odd(const struct io_sizes *s, uint64_t align);

#endif
