/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_CORE_DIST_H
#define BLKGEN_CORE_DIST_H

#include <stdbool.h>
#include <stdint.h>
#include "core/sizes.h"
#include "uapi/blkgen.h"

enum dist_kind {
	DIST_ONCE,	/* not drawn: each place once in a pass */
	DIST_UNIFORM,
	DIST_ZIPF,	/* of N places the k-th most frequent one is drawn as k^-@param */
	DIST_PARETO,	/* place floor(N * U^(log h / log(1 - h))), U uniform in (0, 1), h @param */
	DIST_NORMAL,	/* around the middle, the deviation being @param per cent of the range */
	DIST_ZONES,	/* parts of the range, one after the other, and their parts of the I/Os */
};

/* How often places are drawn. */
struct dist {
	enum dist_kind kind;
	double param;
	unsigned int nzones;
	struct io_part zone[IO_SPLIT_MAX];	/* value: per cent of I/Os; percent: of the range */
	const char *text;			/* as it was given */
};

#define DIST_MAX_ZONES	BLKGEN_MAX_TABLE

/*
 * opt_parse_fn of "once", "uniform", "zipf:1.2", "pareto:0.2", "normal:10" and
 * "zones:60/10:40/90"; @dst is a struct dist. Return: 0 or -EUSAGE, reported.
 */
int dist_parse(const char *opt, const char *s, void *dst);

/**
 * dist_zones() - the distribution over @places as zones
 * @z: room for DIST_MAX_ZONES
 * @empty: set to a part of DIST_ZONES that has I/Os but no place
 * Within a zone that has more than one place the frequency varies by less than
 * 2 %, but for zones that are drawn less than once in ten million times.
 * Return: how many, 0 for DIST_ONCE; -ENOSPC if @empty was set.
 */
int dist_zones(const struct dist *d, uint64_t places, struct blkgen_zone *z,
	       unsigned int *empty);

/* Whether frequent places are to be spread over the range. */
bool dist_scatters(const struct dist *d);

#endif
