// SPDX-License-Identifier: GPL-2.0
/* The breakdown of a device: where the time of its I/O went. */
#include <stdio.h>
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

void breakdown_row_name(const struct breakdown *b, unsigned int row, struct result_row *to)
{
	snprintf(to->stage, sizeof(to->stage), "%s", stage_name(row));
	snprintf(to->group, sizeof(to->group), "%s", group_name(stage_group(row)));
	if (row >= NR_ROWS)
		snprintf(to->layer, sizeof(to->layer), "%u", depth_of(row));
	else
		strcpy(to->layer, "leaf");
	snprintf(to->device, sizeof(to->device), "%s",
		 row >= NR_ROWS ? b->layers[depth_of(row)] : b->dev->name);
	if (row >= NR_ROWS)
		snprintf(to->kind, sizeof(to->kind), "%s", b->layer_kinds[depth_of(row)]);
	stage_label(to->label, sizeof(to->label), to->stage, to->device);
}

uint64_t breakdown_tracing(const struct breakdown *b, size_t index, unsigned int row,
			   unsigned int *span, unsigned int *own)
{
	*own = row;
	if (row == STAGE_ALLOC) {
		*span = ROW_OF_SPAN(SPAN_ALLOC_COST);
		return b->leaf_devs;
	}
	if (row == STAGE_DELIVER) {
		*span = ROW_OF_SPAN(SPAN_DELIVER_COST);
		return DEV_BIT(index);
	}
	if (row < NR_ROWS)
		return 0;
	*own = ROW_OF_LAYER(0, (row - NR_ROWS) % NR_LAYER_STAGES);
	if (*own == ROW_OF_LAYER(0, LAYER_SUBMIT))
		*span = ROW_OF_SPAN(SPAN_SUBMIT_COST);
	else if (*own == ROW_OF_LAYER(0, LAYER_COMPLETE))
		*span = ROW_OF_SPAN(SPAN_COMPLETE_COST);
	else
		return 0;
	return b->layer_devs[depth_of(row)];
}

int breakdown_init(struct breakdown *b, const struct device *dev)
{
	static const struct tail_part tails[NR_TAILS] = {
		{ 50 }, { 90 }, { 99 }, { 99.9 },
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
