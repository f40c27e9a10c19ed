/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLKLAT_COMPARE_STATS_H
#define BLKLAT_COMPARE_STATS_H

#include <stdio.h>
#include "core/bootstrap.h"
#include "blklat/result/result.h"

/* The figures to compare. A stage does not have IOPS, CPU and P90; only traced rows have NET. */
enum compare_what {
	COMPARE_IOPS,
	COMPARE_CPU,
	COMPARE_MEAN,
	COMPARE_P50,
	COMPARE_P90,
	COMPARE_P99,
	COMPARE_P999,
	COMPARE_NET,	/* COMPARE_MEAN less the part of it that tracing is known to have taken */
	NR_COMPARE
};

/* compare_json.c: the name of each figure in JSON */
extern const char *const compare_keys[NR_COMPARE];

/**
 * struct compare_value - one figure of one device
 * @value: mean of the samples; NAN: not known
 * @below: how much lower the true value may be: a percentile is the upper edge of a bucket. The
 *	interval of @diff is wider by as much.
 * @n: number of samples
 * @has_diff: @diff is set: both this device and the baseline have the figure
 * @diff: difference to the baseline
 * @p: p of @diff. For the many figures of all stages of a device, this is after Holm's correction.
 * @significant: true if the difference is real, at the given confidence
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
 * struct compare_row - the figures of all devices, for whole devices or for one stage
 * @stage: as in struct result_row; "" for whole devices
 * @group: as in struct result_row; "" for whole devices
 * @layer: as in struct result_row; "" for whole devices
 * @label: as in struct result_row; "total" for whole devices
 * @shared: true if devices have different labels for the stage
 * @kinds: [device], the kinds of layer that have the stage, see result_kinds_add()
 * @v: [device][enum compare_what]
 */
struct compare_row {
	const char *stage;
	const char *group;
	const char *layer;
	const char *label;
	bool shared;
	char (*kinds)[DEV_TEXT];
	struct compare_value (*v)[NR_COMPARE];
};

/**
 * struct comparison - all figures of some devices, and their differences to one of the devices
 * @devs: the devices, borrowed; @rows point into their samples
 * @ndevs: number of @devs
 * @baseline: index of the device that the others are compared with
 * @confidence: confidence level of the intervals
 * @seed: seed of the resamples from which the intervals are computed
 * @paired: samples of the same round belong together
 * @load: the load in words, borrowed; NULL if it is not known
 * @rows: row COMPARE_HEAD has the whole devices, from samples without tracing as far as all devices
 *	have them, see @traced. Row COMPARE_TOTAL has the whole devices, from samples with tracing.
 *	The rows from COMPARE_STAGES on are the stages. The means of all stages except "think" add
 *	up to the mean of COMPARE_TOTAL, and so do the figures net of tracing.
 * @nrows: number of @rows
 * @traced: true if this figure of COMPARE_HEAD comes from samples with tracing
 * @verdicts: what the devices differ in, for each pair of devices, see verdict.h
 * @nverdicts: number of @verdicts
 */
struct comparison {
	const struct result_dev *const *devs;
	size_t ndevs;
	size_t baseline;
	double confidence;
	uint64_t seed;
	bool paired;
	const char *load;
	struct compare_row *rows;
	size_t nrows;
	bool traced[NR_COMPARE];
	struct verdict *verdicts;
	size_t nverdicts;
};

enum { COMPARE_HEAD, COMPARE_TOTAL, COMPARE_STAGES };

/**
 * compare_stats() - compare devices by their samples
 * @c: the caller sets @devs, @ndevs, @baseline and @paired, and zeroes the rest or sets @confidence
 *	and @seed (0: the defaults). Free it with comparison_free(), also after a failure.
 * Return: 0 or -ENOMEM, not reported.
 */
int compare_stats(struct comparison *c);

/**
 * comparison_free() - free all that compare_stats() has made
 * @c: the comparison; @devs and @load stay as they are, because it borrows them
 */
void comparison_free(struct comparison *c);

/**
 * compare_blocks() - make independent samples of the intervals of a recording
 * @d: its samples are changed. The first and the last, in which the load began and ended, are left
 *	out if there are enough; a last one that is less than half as long as the first is always
 *	left out. Then neighbours are merged until there are at most 20 samples, so that an event
 *	that lasts for a few intervals is in one sample.
 *
 * A device of a comparison is not changed, if it has samples without tracing.
 * Return: 0 or -ENOMEM, not reported.
 */
int compare_blocks(struct result_dev *d);

/* compare_figure.c */

/**
 * compare_set_value() - set the value of a figure, without its difference
 * @c: the comparison
 * @dev: index of the device
 * @row: index of the row
 * @what: the figure, enum compare_what; NAN if the row or the device does not have it
 *
 * Return: 0 or -ENOMEM, not reported.
 */
int compare_set_value(struct comparison *c, size_t dev, size_t row, int what);

/**
 * compare_figure() - compare a figure of two devices
 * @c: the rows have their values
 * @dev: index of the device
 * @than: index of the device that it is compared with
 * @row: index of the row
 * @what: the figure
 * @v: set to the figure of @dev, with the difference to that of @than
 * Return: 0 or -ENOMEM, not reported.
 */
int compare_figure(const struct comparison *c, size_t dev, size_t than, size_t row,
		   enum compare_what what, struct compare_value *v);

/**
 * compare_correct() - correct p of many figures: at 95 %, one of twenty differs by chance alone
 * @c: gives the confidence
 * @v: figures that have an interval; their p and significance are changed, see boot_holm()
 * @n: number of @v
 * Return: 0 or -ENOMEM, not reported.
 */
int compare_correct(const struct comparison *c, struct compare_value *const *v, size_t n);

/* compare_text.c */

/**
 * compare_label() - label a row for some of the devices
 * @buf: set to "sched", "dm-linear submit"; see result_stage_label()
 * @len: size of @buf
 * @row: the row
 * @devs: indexes of the devices
 * @n: number of @devs
 * Return: @buf.
 */
char *compare_label(char *buf, size_t len, const struct compare_row *row, const size_t *devs,
		    size_t n);

struct report_table;

/**
 * comparison_json() - make the JSON object "comparison"
 * @c: the comparison
 *
 * Return: the object, owned by the caller.
 */
json_object *comparison_json(const struct comparison *c);

/**
 * comparison_print() - print tables of the devices, and of their stages side by side
 * @c: the comparison
 * @detail: also print stages that do not differ, all percentiles, and the balance of the legs
 * @f: where to print
 * Return: 0 or -errno, not reported.
 */
int comparison_print(const struct comparison *c, bool detail, FILE *f);

/**
 * comparison_devices() - make a table of figures, with a row for each device
 * @c: the comparison
 * @which: the figures; each has a second column with its difference to the baseline
 * @n: number of figures
 * @bold: the row of the baseline is bold
 * Return: the table, or NULL without memory.
 */
struct report_table *comparison_devices(const struct comparison *c, const enum compare_what *which,
					size_t n, bool bold);

/**
 * compare_put_value() - put a figure into a table, and its difference into the next column
 * @t: the table
 * @row: row of the table
 * @col: column of the figure
 * @c: the comparison
 * @r: row of the comparison
 * @dev: index of the device; the baseline gets no difference
 * @what: the figure
 * @in_percent: write the difference in per cent
 */
void compare_put_value(struct report_table *t, int row, size_t col, const struct comparison *c,
		       const struct compare_row *r, size_t dev, enum compare_what what,
		       bool in_percent);

/**
 * comparison_stages() - make the table of the stages of all devices, the baseline first
 * @c: the comparison
 *
 * It has all stages, also those that do not differ, the total and what is no part of it.
 * Return: the table, or NULL without memory.
 */
struct report_table *comparison_stages(const struct comparison *c);

/* The title of the table of comparison_tracing() */
#define COMPARISON_TRACING \
	"Time that tracing adds to the mean, and the part taken out of the stages"

/**
 * comparison_tracing() - make a table of what tracing adds to the mean latency of each device
 * @c: a comparison with untraced latencies
 *
 * A column has the part that the figures net of tracing leave out, another one the rest.
 * Return: the table, or NULL without memory.
 */
struct report_table *comparison_tracing(const struct comparison *c);

/**
 * compare_percent_digits() - choose how many digits of a percentage are printed
 * @percent: the percentage
 *
 * Return: how many digits after the point show three digits of it: 0 to 2.
 */
int compare_percent_digits(double percent);

/**
 * compare_diff_text() - write a difference for people
 * @buf: set to "+1.88 ±0.02us", or in per cent to "+4.1% ±0.3"; to "" if there is no difference
 * @len: bytes in @buf
 * @v: the figure with its difference
 * @base: the figure that @v differs from; only used with @in_percent
 * @in_percent: write the difference in per cent of @base; @buf is "" if @base is 0
 *
 * A difference that may be chance is written as "~ <0.05us", the largest that it may be, or "~" if
 * that is 100 % or more; "?" in front says that there is no interval.
 *
 * Return: @buf.
 */
char *compare_diff_text(char *buf, size_t len, const struct compare_value *v,
			const struct compare_value *base, bool in_percent);

/**
 * compare_known() - tell if at least one of the devices has a figure
 * @c: the comparison
 * @what: the figure, in row COMPARE_HEAD
 *
 * Return: true if one has it.
 */
bool compare_known(const struct comparison *c, enum compare_what what);

/**
 * compare_how_text() - write which figures of whole devices are measured with tracing
 * @buf: set to a sentence without a full stop
 * @len: bytes in @buf, COMPARE_HOW_LEN is enough
 * @c: the comparison
 *
 * Return: @buf.
 */
char *compare_how_text(char *buf, size_t len, const struct comparison *c);
#define COMPARE_HOW_LEN 100

#endif
