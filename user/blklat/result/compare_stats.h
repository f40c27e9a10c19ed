/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_COMPARE_STATS_H
#define BLKLAT_COMPARE_STATS_H

#include <stdio.h>
#include "core/bootstrap.h"
#include "blklat/result/result.h"

/* What is compared of a device, and of a stage all but the first two and p90. */
enum compare_what {
	COMPARE_IOPS,
	COMPARE_CPU,
	COMPARE_MEAN,
	COMPARE_P50,
	COMPARE_P90,
	COMPARE_P99,
	COMPARE_P999,
	NR_COMPARE
};

/**
 * struct compare_value - one figure of one device
 * @value: mean of the rounds, NAN: not known
 * @below: a percentile is the upper edge of a bucket; as much lower it may be. The
 *	interval of @diff is that much wider.
 * @n: rounds
 * @has_diff: @diff is set: both this device and the baseline have the figure
 * @diff: difference to the baseline
 * @p: of @diff; of stages, as there are many of them, after Holm's correction over all
 *	figures of all stages of the device
 * @significant: the difference is real, at the confidence asked for
 */
struct compare_value {
	double value;
	double below;
	size_t n;
	bool has_diff;
	struct boot_diff diff;
	double p;
	bool significant;
};

/**
 * struct compare_row - the devices as a whole, or a stage of theirs
 * @stage, @group, @layer, @label: of a stage as in struct result_row; "" and "total"
 *	for the rows of whole devices
 * @v: [device][what]
 */
struct compare_row {
	char stage[48];
	char group[32];
	char layer[16];
	char label[DEV_TEXT];
	struct compare_value (*v)[NR_COMPARE];
};

/**
 * struct comparison - all figures of some devices, and their differences to one of them
 * @devs: borrowed
 * @confidence, @seed: those of the intervals
 * @paired: samples of the same round belong together
 * @rows: COMPARE_HEAD: of the samples without tracing, as far as there are any, see
 *	@traced; COMPARE_TOTAL: of those with it; then all stages. The means of all
 *	stages but "think" add up to that of COMPARE_TOTAL.
 * @traced: the figure of COMPARE_HEAD is of the samples with tracing
 */
struct comparison {
	const struct result_dev *const *devs;
	size_t ndevs;
	size_t baseline;
	double confidence;
	uint64_t seed;
	bool paired;
	struct compare_row *rows;
	size_t nrows;
	bool traced[NR_COMPARE];
};

enum { COMPARE_HEAD, COMPARE_TOTAL, COMPARE_STAGES };

/**
 * compare_stats() - compare devices by their samples
 * @c: @devs, @ndevs, @baseline and @paired are set; @confidence and @seed may be,
 *	they are filled in. The rest is set. comparison_free() it in each case.
 * Return: 0 or -ENOMEM.
 */
int compare_stats(struct comparison *c);
void comparison_free(struct comparison *c);

/**
 * compare_blocks() - make samples of a recording's intervals that can stand for themselves
 * @d: its samples are changed: those at the ends, in which the load began and ended, are
 *	left out when there are enough, neighbours become one until there are at most 20,
 *	so that what lasts for a few intervals is in one block. Nothing is done to the
 *	visits of comparisons.
 * Return: 0 or -ENOMEM.
 */
int compare_blocks(struct result_dev *d);

/* "comparison" as Documentation/json.rst has it. */
json_object *comparison_json(const struct comparison *c);

/**
 * comparison_print() - tables: the devices, their stages side by side, and with
 *	@detail each device's percentiles stage by stage
 * Return: 0 or -errno, not reported.
 */
int comparison_print(const struct comparison *c, bool detail, FILE *f);

/* The difference as a person reads it: "+1.88us ±0.02us", in per cent "+4.1% ±0.3"; "~" before what may be chance. */
char *compare_diff_text(char *buf, size_t len, const struct compare_value *v,
			const struct compare_value *base, bool in_percent);

#endif
