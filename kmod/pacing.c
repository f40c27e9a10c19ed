// SPDX-License-Identifier: GPL-2.0
/*
 * Compute arrival times: set up the tables and pacers, and draw from the exponential
 * distribution. The parts that run for each I/O are in pacing.h. This file uses no kernel
 * services; the unit tests build it in user space.
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

/* The table holds log2(1 + i / 256) * 2^32, because the kernel has no floating point */
static __u64 log2_table[(1 << LOG2_BITS) + 1];

__u32 blkgen_log_table[(1 << BLKGEN_LOG_BITS) + 1];

/*
 * Return log2 of a number in [1, 2), multiplied by 2^32. @x is the number multiplied by 2^31. The
 * result is computed bit by bit: squaring the number doubles its logarithm.
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

/* Return -ln(i / 2^LOG_BITS) * 2^LOG_SHIFT */
static __u32 log_entry(unsigned int i)
{
	unsigned int exp = loglin_log2(i);
	__u64 log = ((__u64)(BLKGEN_LOG_BITS - exp) << 32) - log2_slow((__u64)i << (31 - exp));

	return ((log >> 4) * (LN2_32 >> 4) + (1ULL << (55 - BLKGEN_LOG_SHIFT))) >>
	       (56 - BLKGEN_LOG_SHIFT);
}

/**
 * blkgen_pacing_init() - fill in the tables of logarithms
 *
 * The caller calls this once, before it uses anything else of this file.
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
 * blkgen_exponential() - draw an exponentially distributed number with mean 1
 * @random: 64 random bits
 *
 * The result is -ln(u) of a uniform u (inversion). The table is interpolated linearly, which is
 * off by less than 3e-6.
 *
 * Return: the number in units of 2^-16, at most 45 * 2^16
 */
__u64 blkgen_exponential(__u64 random)
{
	__u32 exp, i;
	__u64 rest, log;

	random |= 1;
	exp = loglin_log2(random);
	random <<= 63 - exp;		/* the leading 1 is now bit 63 */
	i = (random >> (63 - LOG2_BITS)) & ((1 << LOG2_BITS) - 1);
	rest = (random << (1 + LOG2_BITS)) >> 32;
	log = log2_table[i] + (((log2_table[i + 1] - log2_table[i]) * rest) >> 32);
	/* This is 64 - log2(random), in units of 2^-32; it is at most 64 */
	log = ((__u64)(64 - exp) << 32) - log;

	return ((log >> 8) * (LN2_32 >> 8)) >> 32;
}

/* Return the mean of the random intervals, in 1/256 ns */
static __u64 pacer_mean(const struct blkgen_pacer *p, __u64 units)
{
	__u64 gap = units * p->scale;

	return gap / p->rate * 256 + gap % p->rate * 256 / p->rate;
}

/*
 * Move @p to its next time, by @x times the mean; @x is in units of 2^-16. @mean is below 2^46 and
 * @x below 45 * 2^16, so mean * (x >> 16) is below 2^52 and mean * (x & 0xffff) below 2^62.
 */
static void pacer_move(struct blkgen_pacer *p, __u64 mean, __u64 x)
{
	__u64 gap = mean * (x >> 16) + ((mean * (x & 0xffff)) >> 16) + p->frac;

	p->next += gap >> 8;
	p->frac = gap & 255;
}

/**
 * blkgen_pacer_long() - move to the next time, after an interval that is too long for the table
 * @p: pacer that has a mean
 * @random: 64 random bits, below the range of the table
 */
void blkgen_pacer_long(struct blkgen_pacer *p, __u64 random)
{
	pacer_move(p, p->mean, blkgen_exponential(random));
}

/* Set up random intervals. The first interval begins at @p->next. */
static void pacer_init_poisson(struct blkgen_pacer *p, const struct blkgen_setup *set)
{
	bool bytes = set->flags & BLKGEN_SETUP_RATE_BYTES;
	__u64 mean;

	p->due = (__u64)p->burst * (bytes ? set->bs : 1);
	mean = pacer_mean(p, p->due);
	/*
	 * With a smaller mean the rounding would be noticeable, with a larger one the product
	 * would overflow
	 */
	if (p->burst == 1 && !(bytes && set->nr_sizes) && mean >= MEAN_MIN && mean <= MEAN_MAX)
		p->mean = mean;
	blkgen_pacer_step(p);
}

/**
 * blkgen_pacer_init() - set up a worker's timetable
 * @p: pacer to set up
 * @set: rate, arrival, burst, workers, flags and seed are used; rate is not 0
 * @worker: 0 .. workers - 1
 * @start: start of the run, ns
 *
 * With fixed intervals the workers' I/Os are due in turn, at equal intervals. With Poisson the
 * I/Os of each worker are a Poisson process, and therefore the I/Os of all workers together are
 * one, too.
 */
void blkgen_pacer_init(struct blkgen_pacer *p, const struct blkgen_setup *set,
		       unsigned int worker, __u64 start)
{
	bool bytes = set->flags & BLKGEN_SETUP_RATE_BYTES;
	__u64 unit = NSEC * (bytes ? set->bs : 1), phase;

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
	/*
	 * @burst I/Os are due together, so the workers' phases are @burst times as far apart, too
	 */
	phase = worker * unit * p->burst;
	p->lag = (set->workers - 1) * unit * p->burst / p->rate;
	p->next += phase / p->rate;
	p->frac = phase % p->rate;
	if (p->burst > 1 || (bytes && set->nr_sizes))
		return;
	/* If the gap is 0, blkgen_pacer_step() does each step, in the units of @scale */
	p->gap = p->scale * (bytes ? set->bs : 1) / p->rate;
	p->rest = p->scale * (bytes ? set->bs : 1) % p->rate;
}

/**
 * blkgen_pacer_step() - move to the next time when I/Os are due
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
