/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_VERDICT_H
#define BLKLAT_VERDICT_H

#include <stdio.h>
#include "blklat/result/compare_stats.h"

#define VERDICT_STAGES	3
#define VERDICT_LEN	1000

/**
 * struct verdict - what two devices differ in
 * @more: index of the device whose I/Os take longer on average
 * @less: index of the other one
 * @mean: mean latency of @more, with the difference to @less
 * @p99: its 99th percentile
 * @cpu: its CPU time per I/O
 * @where: rows of the stages that make the most of the difference, the largest first
 * @stage: means of these stages
 * @nstages: number of @stage
 * @unsure: row of a stage that may make a larger part than these, but may also make none; 0: there
 *	is none
 * @unsure_v: its mean
 *
 * The latency is that without tracing as far as both have it, as in row COMPARE_HEAD. The stages
 * are always those of traced I/Os.
 */
struct verdict {
	size_t more;
	size_t less;
	struct compare_value mean;
	struct compare_value p99;
	struct compare_value cpu;
	size_t where[VERDICT_STAGES];
	struct compare_value stage[VERDICT_STAGES];
	size_t nstages;
	size_t unsure;
	struct compare_value unsure_v;
};

/**
 * verdicts_find() - find what each pair of devices differs in
 * @c: its rows are complete; @verdicts and @nverdicts are set. The pairs with the baseline come
 *	first.
 * Return: 0 or -ENOMEM, not reported.
 */
int verdicts_find(struct comparison *c);

/**
 * verdict_text() - write a verdict as sentences
 * @buf: set to the text; "" without memory
 * @len: bytes in @buf, VERDICT_LEN
 * @c: the comparison
 * @v: a verdict of it
 *
 * Return: @buf.
 */
char *verdict_text(char *buf, size_t len, const struct comparison *c, const struct verdict *v);

/**
 * verdict_is_short() - tell if a verdict belongs into a short text
 * @c: the comparison
 * @v: a verdict of it
 *
 * Return: true if there are few devices, or if one of the two is the baseline.
 */
bool verdict_is_short(const struct comparison *c, const struct verdict *v);

/**
 * verdicts_print() - print the verdicts that belong into a short text, and an empty line
 * @c: the comparison; if it has too few rounds for any verdict, nothing is printed
 * @f: where to print
 */
void verdicts_print(const struct comparison *c, FILE *f);

#endif
