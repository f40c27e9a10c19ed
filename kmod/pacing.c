// SPDX-License-Identifier: GPL-2.0
/*
 * Arrival times: everything that is not per I/O, and the exponential
 * distribution. No kernel services, the unit tests build this file in user space.
 */
#ifdef __KERNEL__
#include <linux/string.h>
#else
#include <string.h>
#endif
#include "pacing.h"
#include "pattern.h"
#include "uapi/loglin.h"

#define NSEC		1000000000ULL
#define LOG2_BITS	8			/* log2 of the table's intervals */
#define MEAN_MIN	(64 << 8)		/* 1/256 ns */
#define MEAN_MAX	0xffffffffULL
#define LN2_32		2977044472ULL		/* ln(2) * 2^32, rounded */

/* log2(1 + i / 256) * 2^32: no one has floating point here */
static __u64 log2_table[(1 << LOG2_BITS) + 1];

__u32 blkgen_log_table[(1 << BLKGEN_LOG_BITS) + 1];

/*
 * log2 of a number in [1, 2), 2^31 being 1, as a fraction of 2^32, digit by
 * digit: squaring it doubles the logarithm.
 */
static __u64 log2_slow(__u64 x)
{
	__u64 log = 0;
	int i;

	for (i = 31; i >= 0; i--) {
		x = (x * x) >> 31;
		if (x >> 32) {
			log |= 1ULL << i;
			x >>= 1;
		}
	}

	return log;
}

/* -ln(i / 2^LOG_BITS) */
static __u32 log_entry(unsigned int i)
{
	unsigned int exp = loglin_log2(i);
	__u64 log = ((__u64)(BLKGEN_LOG_BITS - exp) << 32) - log2_slow((__u64)i << (31 - exp));

	return ((log >> 4) * (LN2_32 >> 4) + (1ULL << (55 - BLKGEN_LOG_SHIFT))) >>
	       (56 - BLKGEN_LOG_SHIFT);
}

/**
 * blkgen_pacing_init - fill in the tables of logarithms
 *
 * Once, before anything else here is used.
 */
void blkgen_pacing_init(void)
{
	unsigned int i;

	for (i = 0; i < 1 << LOG2_BITS; i++)
		log2_table[i] = log2_slow((1ULL << 31) + ((__u64)i << (31 - LOG2_BITS)));
	log2_table[i] = 1ULL << 32;
	for (i = BLKGEN_LOG_FIRST; i <= 1 << BLKGEN_LOG_BITS; i++)
		blkgen_log_table[i] = log_entry(i);
}

/**
 * blkgen_exponential - exponentially distributed number with mean 1
 * @random: 64 random bits
 *
 * -ln(u), u being uniform: inversion. The table is interpolated linearly, which
 * is off by less than 3e-6.
 *
 * Returns it in units of 2^-16, at most 45 * 2^16.
 */
__u64 blkgen_exponential(__u64 random)
{
	__u32 exp, i;
	__u64 rest, log;

	random |= 1;
	exp = loglin_log2(random);
	random <<= 63 - exp;		/* the leading 1 is bit 63 */
	i = (random >> (63 - LOG2_BITS)) & ((1 << LOG2_BITS) - 1);
	rest = (random << (1 + LOG2_BITS)) >> 32;
	log = log2_table[i] + (((log2_table[i + 1] - log2_table[i]) * rest) >> 32);
	/* 64 - log2(random), in units of 2^-32; at most 64 */
	log = ((__u64)(64 - exp) << 32) - log;

	return ((log >> 8) * (LN2_32 >> 8)) >> 32;
}

/* The mean of a random distance, in 1/256 ns */
static __u64 pacer_mean(const struct blkgen_pacer *p, __u64 units)
{
	__u64 gap = units * p->scale;

	return gap / p->rate * 256 + gap % p->rate * 256 / p->rate;
}

/* To the next time: @x is in units of 2^-16. It fits, up to 2^46 * 45 * 2^16. */
static void pacer_move(struct blkgen_pacer *p, __u64 mean, __u64 x)
{
	__u64 gap = mean * (x >> 16) + ((mean * (x & 0xffff)) >> 16) + p->frac;

	p->next += gap >> 8;
	p->frac = gap & 255;
}

/**
 * blkgen_pacer_long - to the next time, at a long random distance
 * @p: pacer, with a mean
 * @random: 64 random bits, of which the table has nothing
 */
void blkgen_pacer_long(struct blkgen_pacer *p, __u64 random)
{
	pacer_move(p, p->mean, blkgen_exponential(random));
}

/* Random distances, the first one of which begins at @p->next */
static void pacer_init_poisson(struct blkgen_pacer *p, const struct blkgen_setup *set)
{
	bool bytes = set->flags & BLKGEN_SETUP_RATE_BYTES;
	__u64 mean;

	p->due = p->burst * (bytes ? set->bs : 1);
	mean = pacer_mean(p, p->due);
	/* Of less the rounding would be seen, of more the product does not fit */
	if (p->burst == 1 && !(bytes && set->nr_sizes) && mean >= MEAN_MIN && mean <= MEAN_MAX)
		p->mean = mean;
	blkgen_pacer_step(p);
}

/**
 * blkgen_pacer_init - make a worker's timetable
 * @p: to set up
 * @set: rate, arrival, burst, workers, flags and seed are used; rate is not 0
 * @worker: 0 .. workers - 1
 * @start: of the run, ns
 *
 * Fixed: the workers' I/Os are due in turn, at equal distances. Poisson: those of
 * each worker are a Poisson process, so those of all of them are, too.
 */
void blkgen_pacer_init(struct blkgen_pacer *p, const struct blkgen_setup *set,
		       unsigned int worker, __u64 start)
{
	bool bytes = set->flags & BLKGEN_SETUP_RATE_BYTES;
	__u64 phase = worker * NSEC * (bytes ? set->bs : 1);

	memset(p, 0, sizeof(*p));
	p->rate = set->rate;
	p->burst = set->burst ? set->burst : 1;
	p->left = p->burst;
	p->poisson = set->arrival == BLKGEN_ARRIVAL_POISSON;
	p->rng = blkgen_hash(~set->seed + worker);
	p->scale = NSEC * set->workers;
	p->next = start;
	if (p->poisson) {
		pacer_init_poisson(p, set);
		return;
	}
	/* @burst of them come together: so do the phases' differences */
	phase *= p->burst;
	p->next += phase / p->rate;
	p->frac = phase % p->rate;
	if (p->burst > 1 || (bytes && set->nr_sizes))
		return;
	/* A gap of 0 is none: then it is done step by step, in the units of @scale */
	p->gap = p->scale * (bytes ? set->bs : 1) / p->rate;
	p->rest = p->scale * (bytes ? set->bs : 1) % p->rate;
}

/**
 * blkgen_pacer_step - to the next time when I/Os are due
 * @p: pacer, at the end of a burst
 */
void blkgen_pacer_step(struct blkgen_pacer *p)
{
	__u64 gap, units = p->due;

	p->due = 0;
	p->left = p->burst;
	if (p->poisson) {
		pacer_move(p, pacer_mean(p, units), blkgen_exponential(blkgen_random(&p->rng)));
		return;
	}
	gap = units * p->scale + p->frac;
	p->next += gap / p->rate;
	p->frac = gap % p->rate;
}
