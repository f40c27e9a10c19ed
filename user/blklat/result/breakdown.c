// SPDX-License-Identifier: GPL-2.0
/* The breakdown of a device: where the time of its I/O went. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "blklat/result/breakdown.h"
#include "blklat/result/names.h"

static unsigned int depth_of(unsigned int row)
{
	return (row - NR_ROWS) / NR_LAYER_STAGES;
}

const unsigned int *breakdown_row_order(void)
{
	static unsigned int order[NR_LINES], n;

	for (unsigned int s = 0; n < NR_LINES; s++) {
		if (s == STAGE_ALLOC)
			for (unsigned int d = 0; d < BLKLAT_MAX_LAYERS; d++)
				order[n++] = ROW_OF_LAYER(d, LAYER_SUBMIT);
		if (s == STAGE_DELIVER)
			for (unsigned int d = BLKLAT_MAX_LAYERS; d-- > 0;)
				order[n++] = ROW_OF_LAYER(d, LAYER_COMPLETE);
		if (s == STAGE_UNATTRIBUTED)
			for (unsigned int d = 0; d < BLKLAT_MAX_LAYERS; d++)
				order[n++] = ROW_OF_LAYER(d, LAYER_WHOLE);
		order[n++] = s;
	}
	return order;
}

uint64_t breakdown_tail_sum(const struct blklat_tail *t, unsigned int row)
{
	return row >= NR_ROWS ? t->layer[row - NR_ROWS] : t->stage[row];
}

/* Name the row as tables do: "alloc", "dm-0 submit". */
static void row_label(char *buf, size_t len, const struct breakdown *b, unsigned int row)
{
	const char *what = stage_name(row);

	if (row >= NR_ROWS && *b->layers[depth_of(row)])
		snprintf(buf, len, "%s%s", b->layers[depth_of(row)], what + strlen("layer"));
	else
		snprintf(buf, len, "%s", what);
}

void breakdown_row_name(const struct breakdown *b, unsigned int row, struct row_name *name)
{
	name->stage = stage_name(row);
	name->group = group_name(stage_group(row));
	if (row >= NR_ROWS)
		snprintf(name->layer, sizeof(name->layer), "%u", depth_of(row));
	else
		strcpy(name->layer, "leaf");
	name->device = row >= NR_ROWS ? b->layers[depth_of(row)] : b->dev->name;
	row_label(name->label, sizeof(name->label), b, row);
}

int breakdown_init(struct breakdown *b, const struct device *dev)
{
	static const struct tail_part tails[NR_TAILS] = {
		{ "p50", 50 }, { "p90", 90 }, { "p99", 99 }, { "p99.9", 99.9 },
	};
	int ret = 0;

	memset(b, 0, sizeof(*b));
	b->dev = dev;
	memcpy(b->tails, tails, sizeof(tails));
	for (unsigned int r = 0; r < NR_ALL_ROWS && !ret; r++) {
		ret = hist_init(&b->rows[r], BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS);
		for (unsigned int o = 0; o < NR_OPS && !ret; o++)
			ret = hist_init(&b->ops[o][r], BLKLAT_HIST_BITS, BLKLAT_HIST_BUCKETS);
	}
	return ret;
}

void breakdown_free(struct breakdown *b)
{
	for (unsigned int r = 0; r < NR_ALL_ROWS; r++) {
		hist_free(&b->rows[r]);
		for (unsigned int o = 0; o < NR_OPS; o++)
			hist_free(&b->ops[o][r]);
	}
}

uint64_t breakdown_lost(const struct breakdown *b)
{
	const __u64 *n = b->ledger.n;

	return n[COUNT_LOST_FULL] + n[COUNT_LOST_END] + n[COUNT_LOST_QUEUE];
}

/*
 * Return the mean time per I/O, summed over the stages of a group. @rows are of all kinds of I/O
 * or of one kind.
 */
double breakdown_rows_mean(const struct hist *rows, unsigned int group)
{
	const unsigned int *order = breakdown_row_order();
	uint64_t n = rows[ROW_OF_SPAN(SPAN_TOTAL)].count;
	double sum = 0;

	for (unsigned int k = 0; k < NR_LINES; k++)
		if (stage_group(order[k]) == group && order[k] != STAGE_THINK)
			sum += rows[order[k]].sum;
	return n ? sum / n : 0;
}

double breakdown_group_mean(const struct breakdown *b, unsigned int group)
{
	return breakdown_rows_mean(b->rows, group);
}

int breakdown_dev(const struct breakdown *b, struct result_dev *d)
{
	const unsigned int *order = breakdown_row_order();

	*d = (struct result_dev){ .total = *breakdown_total(b) };
	d->rows.v = calloc(NR_LINES, sizeof(*d->rows.v));
	if (!d->rows.v)
		return -ENOMEM;
	for (; d->rows.n < NR_LINES; d->rows.n++) {
		struct result_row *to = &d->rows.v[d->rows.n];
		struct row_name name;

		breakdown_row_name(b, order[d->rows.n], &name);
		result_row_name(to, name.stage, name.group, name.layer, name.label);
		to->hist = b->rows[order[d->rows.n]];
	}
	return 0;
}
