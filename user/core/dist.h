/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKGEN_CORE_DIST_H
#define BLKGEN_CORE_DIST_H

#include <stdbool.h>
#include <stdint.h>
#include "core/sizes.h"
#include "uapi/blkgen.h"

enum dist_kind {
	DIST_ONCE,	/* no drawing: a pass visits each place once */
	DIST_UNIFORM,
	DIST_ZIPF,	/* the k-th most frequent place is drawn in proportion to k^-@param */
	DIST_PARETO,	/* place floor(N * U^(log h / log(1 - h))), U uniform in (0, 1), h @param */
	DIST_NORMAL,	/* around the middle; the deviation is @param per cent of the range */
	DIST_ZONES,	/* the range has parts, one after the other; each gets a part of the I/Os */
};

/* A distribution says how often each place, at which an I/O may begin, is drawn. */
struct dist {
	enum dist_kind kind;
	double param;
	unsigned int nzones;
	struct io_part zone[IO_SPLIT_MAX];	/* value: per cent of I/Os; percent: of the range */
	const char *text;			/* as the user gave it */
};

#define DIST_MAX_ZONES	BLKGEN_MAX_TABLE

/**
 * dist_parse() - parse the name and the numbers of a distribution; this is an opt_parse_fn
 * @opt: name of the option, for messages
 * @s: "once", "uniform", "zipf:1.2", "pareto:0.2", "normal:10" or "zones:60/10:40/90"; it must live
 *	as long as @dst, which points to it
 * @dst: struct dist that is set; unchanged on failure
 *
 * Return: 0 or -EUSAGE, reported.
 */
int dist_parse(const char *opt, const char *s, void *dst);

/**
 * dist_zones() - turn a distribution over @places into zones of places with the same probability
 * @d: the distribution
 * @places: number of places where an I/O may begin
 * @z: room for DIST_MAX_ZONES
 * @empty: set to the index of a part of DIST_ZONES that has I/Os but no place
 *
 * The frequency of the places within a zone varies by less than 2 %, except in zones that are
 * drawn less than once in ten million times.
 * Return: number of zones, 0 for DIST_ONCE; -ENOSPC if @empty was set.
 */
int dist_zones(const struct dist *d, uint64_t places, struct blkgen_zone *z,
	       unsigned int *empty);

/**
 * dist_scatters() - tell if the frequent places are to be spread over the range
 * @d: the distribution
 *
 * Return: true for DIST_ZIPF and DIST_PARETO; with the others, frequent places stay side by side.
 */
bool dist_scatters(const struct dist *d);

#endif
